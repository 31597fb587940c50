# SPDX-License-Identifier: Apache-2.0
# Tests of the golden model of the route computation (models/route_compute), without SystemC and RTL.
set(golden ${CMAKE_CURRENT_LIST_DIR})
odonata_test(route_compute_oracle_test ${golden}/oracle_test.cpp ${golden}/oracle.cpp ${golden}/situation.cpp FAST
  LIBS odonata_models)
odonata_test(route_compute_unit_test ${golden}/unit_test.cpp ${golden}/unit_oracle.cpp ${golden}/oracle.cpp ASAN
  LIBS odonata_models)
odonata_test(route_compute_path_test ${golden}/paper_examples_test.cpp ${golden}/path_test.cpp ${golden}/situation.cpp
  ASAN LIBS odonata_models)
odonata_test(route_compute_dependency_test ${golden}/dependency_test.cpp LIBS odonata_models)

# Speed of the golden model; not a test, run by ./dev bench.
odonata_bench(route_compute_decide_bench ${golden}/decide_bench.cpp LIBS odonata_models benchmark::benchmark)
