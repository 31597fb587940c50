# SPDX-License-Identifier: Apache-2.0
# The co-simulation as the suite runs it. SystemC has one elaboration a process; every GoogleTest runs in a process of
# its own.
odonata_test(route_compute_cosim_test SYSTEMC
  ${CMAKE_CURRENT_LIST_DIR}/cosim_test.cpp
  LIBS odonata_route_compute_cosim)
