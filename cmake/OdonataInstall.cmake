# SPDX-License-Identifier: Apache-2.0
# What is installed (docs/examples/package.md): three libraries, their headers, a CMake package with version and
# components, a pkg-config file, the RTL; the program; the documents. CPack makes a Debian package of each component.
include(CMakePackageConfigHelpers)

# The build's many static libraries become one a level, by an archiver's script that runs at installation.
set(odonata_models_parts odonata_models odonata_version)
set(odonata_hw_parts odonata_hw)
get_property(odonata_cosim_parts GLOBAL PROPERTY ODONATA_COSIM_LIBRARIES)
list(PREPEND odonata_cosim_parts odonata_harness)
set(odonata_network_parts odonata_network)
foreach(level models hw cosim network)
  set(script "create ${CMAKE_BINARY_DIR}/libodonata_${level}.a\n")
  foreach(part ${odonata_${level}_parts})
    string(APPEND script "addlib $<TARGET_FILE:${part}>\n")
  endforeach()
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/libodonata_${level}.mri CONTENT "${script}save\nend\n")
  install(CODE "execute_process(COMMAND ${CMAKE_AR} -M INPUT_FILE ${CMAKE_BINARY_DIR}/libodonata_${level}.mri
    COMMAND_ERROR_IS_FATAL ANY)" COMPONENT dev)
  install(FILES ${CMAKE_BINARY_DIR}/libodonata_${level}.a DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
endforeach()

# Headers: what the headers that users start from include.
execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/cmake/public_headers.py ${CMAKE_SOURCE_DIR}
  ${ODONATA_GENERATED}
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
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/odonata PATH_VARS CMAKE_INSTALL_INCLUDEDIR
  CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/odonataConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/odonataConfig.cmake ${CMAKE_BINARY_DIR}/odonataConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/odonata COMPONENT dev)
file(RELATIVE_PATH odonata_up ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/odonata.pc.in ${CMAKE_BINARY_DIR}/odonata.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/odonata.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
install(DIRECTORY rtl DESTINATION ${CMAKE_INSTALL_DATADIR}/odonata COMPONENT dev FILES_MATCHING PATTERN "*.sv"
  PATTERN "*.f" PATTERN "*.vlt")
# The licence of each package.
foreach(package program:odonata rtl:odonata-rtl dev:libodonata-dev python:python3-odonata doc:odonata-doc)
  string(REPLACE ":" ";" package ${package})
  list(GET package 0 component)
  list(GET package 1 name)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} RENAME copyright COMPONENT ${component})
endforeach()
install(FILES LICENSE README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
if(ODONATA_NATIVE)
  install(CODE "message(WARNING
    \"Built for the processor of this machine (ODONATA_NATIVE). The preset install builds for any.\")" COMPONENT dev)
endif()

# The one of binutils starts ten times as fast as LLVM's, which would be taken with clang: there are 190 modules.
find_program(STRIP strip)
if(STRIP)
  set(CMAKE_STRIP ${STRIP})
endif()
# ./dev build install && cd build/install && cpack: odonata, odonata-rtl (Verilated), libodonata-dev, odonata-doc.
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL program rtl dev doc)
if(TARGET _odonata)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-odonata)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
if(TARGET _odonata)
  execute_process(COMMAND ${ODONATA_PYTHON} -c
    "import sys; major, minor = sys.version_info[:2]; print(f'{major}.{minor};{major}.{minor + 1}', end='')"
    OUTPUT_VARIABLE python_versions COMMAND_ERROR_IS_FATAL ANY)
  list(GET python_versions 0 python_this)
  list(GET python_versions 1 python_next)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= ${python_this}), python3 (<< ${python_next}), python3-numpy")
endif()
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS odonata)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS python3-pandas)
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
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libsystemc-dev, libfmt-dev, nlohmann-json3-dev, libzstd-dev")
set(CPACK_DEBIAN_DOC_PACKAGE_NAME odonata-doc)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
include(CPack)
