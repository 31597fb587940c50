# SPDX-License-Identifier: Apache-2.0
# Tests of the SystemC level of route compute. One process a test (tb/common/systemc_main.cpp).
set(systemc_tb ${CMAKE_CURRENT_LIST_DIR})
odonata_test(route_compute_systemc_test SYSTEMC
  ${systemc_tb}/systemc_test.cpp
  ${systemc_tb}/systemc_lockstep_test.cpp
  ${systemc_tb}/systemc_example_test.cpp
  LIBS odonata_route_compute_cosim)
