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
# Links in a third of the time of the linker that the compiler takes by itself.
find_program(LLD ld.lld)
if(LLD AND CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  add_link_options(-fuse-ld=lld)
endif()
# odonata_read_once(TARGET headers...): headers that most files of a target read are read once for all of them (a
# precompiled header).
# odonata_read_once(TARGET REUSE_FROM other): with those of another target that is compiled with the same options.
function(odonata_read_once target)
  if(ARGV1 STREQUAL REUSE_FROM)
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
  if(CCACHE AND CMAKE_CXX_COMPILER_ID STREQUAL Clang)  # what ccache wants for them
    set_target_properties(${target} PROPERTIES
      CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${CCACHE}")
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

# odonata_read_with_others(TARGET KIND headers...): the targets of a kind, compiled with the same options, read them
# once: the first one for all.
function(odonata_read_with_others target kind)
  get_property(first GLOBAL PROPERTY odonata_reads_${kind})
  if(first)
    odonata_read_once(${target} REUSE_FROM ${first})
  else()
    set_property(GLOBAL PROPERTY odonata_reads_${kind} ${target})
    odonata_read_once(${target} ${ARGN})
  endif()
endfunction()

add_library(odonata_flags INTERFACE)
target_compile_options(odonata_flags
  INTERFACE $<BUILD_INTERFACE:-Wall$<SEMICOLON>-Wextra$<$<BOOL:${ODONATA_WERROR}>:$<SEMICOLON>-Werror>>)
# g++ warns of designated initializers that leave members at their default; -Warray-bounds, -Wrestrict and -Wstringop-*
# of g++ 12 are wrong about std::string's operator+ and insertions into an empty vector.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(odonata_flags INTERFACE
    $<BUILD_INTERFACE:-Wno-missing-field-initializers> $<BUILD_INTERFACE:-Wno-array-bounds>
    $<BUILD_INTERFACE:-Wno-restrict> $<BUILD_INTERFACE:-Wno-stringop-overflow>
    $<BUILD_INTERFACE:-Wno-stringop-overread>)
endif()
# In libstdc++ 12 std::stable_sort uses what C++17 deprecates.
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 15)
  target_compile_options(odonata_flags INTERFACE $<BUILD_INTERFACE:-Wno-deprecated-declarations>)
endif()
# Members that designated initializers leave at their default: newer clang warns of them as g++ does.
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 19)
  target_compile_options(odonata_flags INTERFACE $<BUILD_INTERFACE:-Wno-missing-designated-field-initializers>)
endif()
target_include_directories(odonata_flags INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>
  $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/generated>)
# Machine options go to every object, the generated Verilator code included, so that all agree on the vector ABI.
if(ODONATA_NATIVE)
  add_compile_options(-march=native)
endif()
if(ODONATA_SANITIZE)
  set(sanitizers_address address,undefined)
  set(sanitizers_ON ${sanitizers_address}) # in build folders from before there were two kinds
  set(sanitizers_thread thread)
  set(sanitizers ${sanitizers_${ODONATA_SANITIZE}})
  if(NOT sanitizers)
    message(FATAL_ERROR "ODONATA_SANITIZE is '${ODONATA_SANITIZE}', expected address or thread")
  endif()
  add_compile_options(-fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${sanitizers})
endif()
if(ODONATA_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(ODONATA_COVERAGE)
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
endif()
if(ODONATA_PROFILE)  # "generate", or the profile of training runs (./dev build pgo)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    message(FATAL_ERROR "ODONATA_PROFILE needs clang, the compiler is ${CMAKE_CXX_COMPILER_ID}")
  endif()
  if(ODONATA_PROFILE STREQUAL generate)
    add_compile_options(-fprofile-instr-generate)
    add_link_options(-fprofile-instr-generate)
  else()
    add_compile_options(-fprofile-instr-use=${ODONATA_PROFILE} -Wno-profile-instr-unprofiled
      -Wno-profile-instr-out-of-date)
  endif()
endif()
if(ODONATA_CHECK)
  add_compile_definitions(ODONATA_CHECK=1)
endif()

# odonata_together(): in sim and tb the files of a folder are compiled up to five at a time, since reading the headers
# is most of the work; called when all folders are read. A file whose names clash with its neighbours' stays alone:
# odonata_apart(TARGET files...). The golden models, the SystemC modules and the engine are compiled file by file: tools
# ask how (clang-tidy, planted bugs), and the engine's speed is measured.
function(odonata_together)
  get_property(targets GLOBAL PROPERTY ODONATA_TOGETHER)
  foreach(target ${targets})
    odonata_group_files(${target})
  endforeach()
endfunction()
function(odonata_group_files target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  get_target_property(home ${target} SOURCE_DIR)
  foreach(file ${sources})
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${home} NORMALIZE)
    cmake_path(GET file PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER ${folder} folder)
    math(EXPR count_${folder} "${count_${folder}} + 1")
    math(EXPR batch "(${count_${folder}} - 1) / 5")
    set_property(SOURCE ${file} TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP ${folder}_${batch})
  endforeach()
endfunction()
function(odonata_apart target)
  set_source_files_properties(${ARGN} TARGET_DIRECTORY ${target} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# odonata_library(NAME sources...): a static library of one level.
function(odonata_library name)
  add_library(${name} STATIC ${ARGN})
  target_link_libraries(${name} PUBLIC odonata_flags)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(CMAKE_CURRENT_SOURCE_DIR MATCHES "^${CMAKE_SOURCE_DIR}/tb" OR name STREQUAL odonata_cli)
    set_property(GLOBAL APPEND PROPERTY ODONATA_TOGETHER ${name})
  endif()
  if(name MATCHES "_cosim$")
    odonata_read_with_others(${name} cosim <algorithm> <array> <deque> <functional> <map> <memory> <nlohmann/json.hpp>
      <optional> <string> <vector>)
  endif()
  if(name MATCHES "_(cosim|stimulus)$") # all of them together are the installed odonata::cosim
    set_property(GLOBAL APPEND PROPERTY ODONATA_COSIM_LIBRARIES ${name})
  endif()
endfunction()

# odonata_rtl_module(FAMILY NAME [DEMAND]): a Verilated library rtl_NAME with the one file that sees its generated
# header, as a module that is loaded when it is wanted (tb/harness/rtl_loader.h). The targets rtl_FAMILY and rtl_devices
# build all of a family and all but those of DEMAND, rtl_on_demand these.
set(ODONATA_RTL_BUILT ${CMAKE_BINARY_DIR}/rtl_devices)
set(ODONATA_RTL_INSTALL ${CMAKE_INSTALL_LIBDIR}/odonata/rtl)
add_custom_target(rtl_devices)
add_custom_target(rtl_on_demand)
function(odonata_rtl_module family name)
  add_library(device_${name} MODULE $<TARGET_OBJECTS:rtl_${name}>)
  set_target_properties(device_${name} PROPERTIES PREFIX "" OUTPUT_NAME ${name}
    LIBRARY_OUTPUT_DIRECTORY ${ODONATA_RTL_BUILT})
  target_link_libraries(device_${name} PRIVATE odonata_models verilated_runtime)
  set_target_properties(device_${name} PROPERTIES LINKER_LANGUAGE CXX)
  if("DEMAND" IN_LIST ARGN)
    set_target_properties(device_${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    add_dependencies(rtl_on_demand device_${name})
    return()
  endif()
  install(TARGETS device_${name} LIBRARY DESTINATION ${ODONATA_RTL_INSTALL} COMPONENT rtl)
  if(NOT TARGET rtl_${family})
    add_custom_target(rtl_${family})
    add_dependencies(rtl_devices rtl_${family})
  endif()
  add_dependencies(rtl_${family} device_${name})
endfunction()

# odonata_needs_rtl(PROGRAM LIBS...): the modules that a program may load are built with it: those that its libraries
# name in their property ODONATA_RTL. Looked up when all folders are read, since the libraries of sim/ come after the
# tests of tb/.
function(odonata_needs_rtl program)
  cmake_language(EVAL CODE
    "cmake_language(DEFER DIRECTORY [[${CMAKE_SOURCE_DIR}]] CALL odonata_add_rtl ${program} ${ARGN})")
endfunction()
function(odonata_add_rtl program)
  foreach(library ${ARGN})
    set(rtl "")
    if(TARGET ${library})
      get_target_property(rtl ${library} ODONATA_RTL)
    endif()
    if(rtl)
      add_dependencies(${program} ${rtl})
    endif()
  endforeach()
endfunction()

# odonata_test_program(NAME [FAST] [SYSTEMC] [OWN_HEADERS]): a test's own code is not optimised, or only a little when
# it is FAST (a search of its own, an oracle over many cases, an engine with a policy of the test). OWN_HEADERS: it says
# itself what is read once.
function(odonata_test_program name)
  set_property(GLOBAL APPEND PROPERTY ODONATA_TOGETHER ${name})
  if("FAST" IN_LIST ARGN)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  else()
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O0>)
    if("SYSTEMC" IN_LIST ARGN)
      odonata_read_once(${name} REUSE_FROM odonata_systemc_main)
    elseif(NOT "OWN_HEADERS" IN_LIST ARGN)
      odonata_read_once(${name} REUSE_FROM odonata_test_headers)
    endif()
  endif()
endfunction()

# odonata_bench(NAME sources... LIBS libs...): a program that measures speed, built by `./dev bench` only.
find_package(benchmark REQUIRED)
add_custom_target(benches)
function(odonata_bench name)
  cmake_parse_arguments(B "" "" "LIBS" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${B_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${B_LIBS} odonata_flags)
  odonata_needs_rtl(${name} ${B_LIBS})
  add_dependencies(benches ${name})
endfunction()

# odonata_test(NAME sources... [SYSTEMC] [FAST] [ASAN] [THREADS] [TIMEOUT seconds] LIBS libs...): a GoogleTest program;
# every test becomes a CTest. SYSTEMC: it runs in sc_main, a process a test. ASAN puts it into the bounded sanitizer
# pass of `./dev test` (target asan_tests, label asan). THREADS: it starts threads, so that a build with ThreadSanitizer
# looks at it (target tsan_tests, label threads there).
add_custom_target(asan_tests)
add_custom_target(tsan_tests)
set(ODONATA_TEST_SECONDS 300) # of a test without a number of its own
if(ODONATA_SANITIZE)
  set(ODONATA_TEST_SECONDS 1800)
endif()
function(odonata_label out name threads)
  set(label release)
  if(threads AND ODONATA_SANITIZE STREQUAL thread)
    set(label threads)
    add_dependencies(tsan_tests ${name})
  endif()
  set(${out} ${label} PARENT_SCOPE)
endfunction()
# COST of a test: about how many seconds it takes. The longest start first, and in a new build nobody else says which.
find_package(GTest REQUIRED)
include(GoogleTest)
find_library(RAPIDCHECK_LIBRARY rapidcheck REQUIRED)
# What nearly every test reads, read once; and the main program that libsystemc misses.
add_library(odonata_test_headers OBJECT ${CMAKE_SOURCE_DIR}/tb/common/no_sc_main.cpp)
target_link_libraries(odonata_test_headers PRIVATE odonata_flags GTest::gtest)
target_compile_options(odonata_test_headers PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O0>)
set(odonata_read_by_tests <gtest/gtest.h> <algorithm> <array> <deque> <fstream> <functional> <map> <memory> <optional>
  <random> <set> <span> <sstream> <string> <vector>)
odonata_read_once(odonata_test_headers ${odonata_read_by_tests})
# The same for tests of SystemC modules, with their main program.
add_library(odonata_systemc_main OBJECT ${CMAKE_SOURCE_DIR}/tb/common/systemc_main.cpp)
target_link_libraries(odonata_systemc_main PRIVATE odonata_flags GTest::gtest Odonata::systemc)
target_compile_options(odonata_systemc_main PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O0>)
odonata_read_once(odonata_systemc_main ${odonata_read_by_tests} <systemc> <tlm>)
function(odonata_test name)
  cmake_parse_arguments(T "SYSTEMC;FAST;ASAN;THREADS" "TIMEOUT" "LIBS" ${ARGN})
  add_executable(${name} ${T_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${T_LIBS} odonata_flags GTest::gtest ${RAPIDCHECK_LIBRARY})
  odonata_test_program(${name} ${ARGN})
  odonata_needs_rtl(${name} ${T_LIBS})
  if(T_SYSTEMC)
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:odonata_systemc_main>)
  else()
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:odonata_test_headers>)
    target_link_libraries(${name} PRIVATE GTest::gtest_main)
  endif()
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT ${ODONATA_TEST_SECONDS})
  endif()
  odonata_label(label ${name} ${T_THREADS})
  if(T_ASAN)
    set(label asan)
    add_dependencies(asan_tests ${name})
  endif()
  gtest_discover_tests(${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} PROPERTIES TIMEOUT ${T_TIMEOUT} LABELS ${label}
    DISCOVERY_TIMEOUT 60)
endfunction()
