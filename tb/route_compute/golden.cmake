# Tests of the golden model of the route computation (models/route_compute), without SystemC and RTL.
set(golden ${CMAKE_CURRENT_LIST_DIR})
