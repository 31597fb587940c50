# SPDX-License-Identifier: Apache-2.0
# Tools on the route-compute RTL: lint, proofs (docs/verification.md), and constants that are written down twice.
odonata_test(route_compute_constants_test ${CMAKE_CURRENT_LIST_DIR}/constants_test.cpp LIBS odonata_models)

add_test(NAME lint_route_compute COMMAND ${CMAKE_CURRENT_LIST_DIR}/lint)
set_tests_properties(lint_route_compute PROPERTIES LABELS lint TIMEOUT 300)

# Two tools at a time, hence two processors.
add_test(NAME prove_route_compute COMMAND ${CMAKE_CURRENT_LIST_DIR}/formal/prove --json ${CMAKE_CURRENT_BINARY_DIR}/prove_route_compute.json)
set_tests_properties(prove_route_compute PROPERTIES LABELS formal TIMEOUT 1200 PROCESSORS 2)
