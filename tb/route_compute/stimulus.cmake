# SPDX-License-Identifier: Apache-2.0
# Tests of the route-compute stimulus and of its functional coverage, against the golden unit alone.
odonata_test(route_compute_stimulus_test ${CMAKE_CURRENT_LIST_DIR}/stimulus_test.cpp
  LIBS odonata_route_compute_stimulus)
