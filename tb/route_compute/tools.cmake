# SPDX-License-Identifier: Apache-2.0
# Tools on the route-compute RTL: lint, proofs (docs/verification.md), and constants that are written down twice.
odonata_test(route_compute_constants_test ${CMAKE_CURRENT_LIST_DIR}/constants_test.cpp LIBS odonata_models)
odonata_checks(route_compute PROOFS prove_route_compute)
