# Tests of the golden model of the route computation (models/route_compute), without SystemC and RTL.
set(golden ${CMAKE_CURRENT_LIST_DIR})
odonata_test(route_compute_oracle_test ${golden}/oracle_test.cpp ${golden}/oracle.cpp ${golden}/situation.cpp LIBS odonata_models)
