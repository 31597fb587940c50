# SPDX-License-Identifier: Apache-2.0
# Route compute in lockstep. Stimuli and functional coverage: plain C++, no RTL, no SystemC.
odonata_library(odonata_route_compute_stimulus
  ${CMAKE_CURRENT_LIST_DIR}/block.cpp
  ${CMAKE_CURRENT_LIST_DIR}/operations.cpp
  ${CMAKE_CURRENT_LIST_DIR}/plane_maps.cpp
  ${CMAKE_CURRENT_LIST_DIR}/traffic_stimulus.cpp
  ${CMAKE_CURRENT_LIST_DIR}/corner_stimulus.cpp
  ${CMAKE_CURRENT_LIST_DIR}/directed.cpp
  ${CMAKE_CURRENT_LIST_DIR}/port_configuration.cpp
  ${CMAKE_CURRENT_LIST_DIR}/coverage.cpp
)
odonata_apart(odonata_route_compute_stimulus ${CMAKE_CURRENT_LIST_DIR}/corner_stimulus.cpp)
target_link_libraries(odonata_route_compute_stimulus PUBLIC odonata_harness)

# The bench, with Verilated RTL and SystemC pipeline.
odonata_library(odonata_route_compute_cosim ${CMAKE_CURRENT_LIST_DIR}/campaign.cpp)
target_link_libraries(odonata_route_compute_cosim PUBLIC odonata_route_compute_stimulus odonata_hw)
target_include_directories(odonata_route_compute_cosim
  PUBLIC $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/woven/route_compute>)
odonata_unit_devices(odonata_route_compute_cosim route_compute)
