# SPDX-License-Identifier: Apache-2.0
# Odonata::systemc from SystemC's own CMake package where one is installed, else from pkg-config (Debian).
# Debian's library is compiled as C++17; its version check wants SC_CPLUSPLUS to say so although we compile as C++20.
find_package(SystemCLanguage QUIET CONFIG)
add_library(odonata_systemc INTERFACE)
add_library(Odonata::systemc ALIAS odonata_systemc)
if(SystemCLanguage_FOUND)
  target_link_libraries(odonata_systemc INTERFACE SystemC::systemc)
else()
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc)
  target_link_libraries(odonata_systemc INTERFACE PkgConfig::SYSTEMC)
  target_compile_definitions(odonata_systemc INTERFACE SC_CPLUSPLUS=201703L)
endif()
