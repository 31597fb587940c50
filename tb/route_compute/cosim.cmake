# SPDX-License-Identifier: Apache-2.0
# The route-compute part of the harness library: stimulus and functional coverage.
target_sources(odonata_harness PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/../harness/coverage.cpp
  ${CMAKE_CURRENT_LIST_DIR}/operations.cpp
  ${CMAKE_CURRENT_LIST_DIR}/plane_maps.cpp
  ${CMAKE_CURRENT_LIST_DIR}/traffic_stimulus.cpp
  ${CMAKE_CURRENT_LIST_DIR}/corner_stimulus.cpp
  ${CMAKE_CURRENT_LIST_DIR}/directed.cpp
  ${CMAKE_CURRENT_LIST_DIR}/coverage.cpp
)
