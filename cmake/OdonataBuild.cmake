# SPDX-License-Identifier: Apache-2.0
# Compiler settings and the two functions that every folder uses: odonata_library and odonata_test.
include(GNUInstallDirs)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(odonata_flags INTERFACE)
target_compile_options(odonata_flags INTERFACE $<BUILD_INTERFACE:-Wall$<SEMICOLON>-Wextra$<$<BOOL:${ODONATA_WERROR}>:$<SEMICOLON>-Werror>>)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)  # g++ warns of designated initializers that leave members at their default
  target_compile_options(odonata_flags INTERFACE $<BUILD_INTERFACE:-Wno-missing-field-initializers>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 15)  # std::stable_sort of libstdc++ 12 uses what C++17 deprecates
  target_compile_options(odonata_flags INTERFACE $<BUILD_INTERFACE:-Wno-deprecated-declarations>)
endif()
target_include_directories(odonata_flags INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}> $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/generated>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/odonata>)
# Machine options go to every object, the generated Verilator code included, so that all agree on the vector ABI.
if(ODONATA_NATIVE)
  add_compile_options(-march=native)
endif()
if(ODONATA_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(ODONATA_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(ODONATA_COVERAGE)
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
endif()
if(ODONATA_CHECK)
  add_compile_definitions(ODONATA_CHECK=1)
endif()

# odonata_library(NAME sources...): a static library of one level, with its install rule.
function(odonata_library name)
  add_library(${name} STATIC ${ARGN})
  target_link_libraries(${name} PUBLIC odonata_flags)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  install(TARGETS ${name} EXPORT odonata ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()
install(TARGETS odonata_flags EXPORT odonata)

# odonata_device_library(NAME FILE RTL): the one file that sees the generated header of a Verilated library, as a library of its own.
function(odonata_device_library name file rtl)
  add_library(${name} STATIC ${file})
  target_link_libraries(${name} PUBLIC odonata_models PRIVATE ${rtl})
  target_compile_options(${name} PRIVATE -w)  # the headers of Verilator do not pass our warning flags
  install(TARGETS ${name} EXPORT odonata ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# odonata_test(NAME sources... [NO_MAIN] [ASAN] [TIMEOUT seconds] LIBS libs...): a GoogleTest program; every test becomes a CTest.
# ASAN puts it into the bounded sanitizer pass of `./dev test` (target asan_tests, label asan).
add_custom_target(asan_tests)
find_package(GTest REQUIRED)
include(GoogleTest)
find_library(RAPIDCHECK_LIBRARY rapidcheck REQUIRED)
function(odonata_test name)
  cmake_parse_arguments(T "NO_MAIN;ASAN" "TIMEOUT" "LIBS" ${ARGN})
  add_executable(${name} ${T_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${T_LIBS} odonata_flags GTest::gtest ${RAPIDCHECK_LIBRARY})
  if(NOT T_NO_MAIN)
    target_sources(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tb/common/no_sc_main.cpp)
    target_link_libraries(${name} PRIVATE GTest::gtest_main)
  endif()
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 300)
  endif()
  set(label release)
  if(T_ASAN)
    set(label asan)
    add_dependencies(asan_tests ${name})
  endif()
  gtest_discover_tests(${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} PROPERTIES TIMEOUT ${T_TIMEOUT} LABELS ${label} DISCOVERY_TIMEOUT 60)
endfunction()
