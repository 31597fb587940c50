# SPDX-License-Identifier: Apache-2.0
# What is installed (docs/examples/package.md): three libraries, their headers, a CMake package with version and components, a pkg-config file, the
# RTL; the program; the documents. CPack makes a Debian package of each component.
include(CMakePackageConfigHelpers)

# The build's many static libraries become one a level, by an archiver's script that runs at installation.
set(odonata_models_parts odonata_models odonata_version)
set(odonata_hw_parts odonata_hw)
set(odonata_cosim_parts odonata_harness odonata_route_compute_stimulus odonata_route_compute_cosim odonata_congestion_cosim
  odonata_fault_cosim odonata_arb_request_cosim odonata_torus_cosim odonata_cosim)
foreach(level models hw cosim)
  set(script "create ${CMAKE_BINARY_DIR}/libodonata_${level}.a\n")
  foreach(part ${odonata_${level}_parts})
    string(APPEND script "addlib $<TARGET_FILE:${part}>\n")
  endforeach()
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/libodonata_${level}.mri CONTENT "${script}save\nend\n")
  install(CODE "execute_process(COMMAND ${CMAKE_AR} -M INPUT_FILE ${CMAKE_BINARY_DIR}/libodonata_${level}.mri COMMAND_ERROR_IS_FATAL ANY)" COMPONENT dev)
  install(FILES ${CMAKE_BINARY_DIR}/libodonata_${level}.a DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
endforeach()

# Headers: what the headers that users start from include.
execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/cmake/public_headers.py ${CMAKE_SOURCE_DIR} ${ODONATA_GENERATED}
  OUTPUT_VARIABLE headers OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" headers "${headers}")
foreach(header ${headers})
  cmake_path(GET header PARENT_PATH folder)
  set(root ${CMAKE_SOURCE_DIR})
  if(NOT EXISTS ${root}/${header})
    set(root ${ODONATA_GENERATED})
  endif()
  install(FILES ${root}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/odonata/${folder} COMPONENT dev)
endforeach()
install(FILES tb/harness/odonata_device.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)

set(ODONATA_SYSTEMC_STANDARD 201703L) # Debian's SystemC is compiled as C++17; its version check wants to hear that
configure_package_config_file(cmake/odonataConfig.cmake.in ${CMAKE_BINARY_DIR}/odonataConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/odonata PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/odonataConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/odonataConfig.cmake ${CMAKE_BINARY_DIR}/odonataConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/odonata COMPONENT dev)
file(RELATIVE_PATH odonata_up ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/odonata.pc.in ${CMAKE_BINARY_DIR}/odonata.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/odonata.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
install(DIRECTORY rtl DESTINATION ${CMAKE_INSTALL_DATADIR}/odonata COMPONENT dev FILES_MATCHING PATTERN "*.sv" PATTERN "*.f")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT dev)
install(FILES LICENSE README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
if(ODONATA_NATIVE)
  install(CODE "message(WARNING \"Built for the processor of this machine (ODONATA_NATIVE). The preset install builds for any.\")" COMPONENT dev)
endif()

# ./dev build install && cd build/install && cpack: odonata, odonata-rtl (Verilated), libodonata-dev, odonata-doc.
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL program rtl dev doc)
if(TARGET _odonata)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-odonata)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS python3-numpy)
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS odonata)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGE_CONTACT "Odonata maintainers <maintainers@users.noreply.a-seed-796039fe.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME odonata)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "verilator, make, g++")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS odonata-rtl)
set(CPACK_DEBIAN_RTL_PACKAGE_NAME odonata-rtl)
set(CPACK_DEBIAN_RTL_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS odonata-rtl)
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libodonata-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libsystemc-dev, libfmt-dev, nlohmann-json3-dev")
set(CPACK_DEBIAN_DOC_PACKAGE_NAME odonata-doc)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
include(CPack)
