# SPDX-License-Identifier: Apache-2.0
# RTL libraries: each top is verilated twice. The fast one is the RTL as it stands. The debug one has waveforms (FST)
# compiled in and the planted bugs of tb/<block>/plants.toml woven into a copy of the sources, selected at run time (0 =
# none).
# ODONATA_TRACE gives the fast one waveforms too; ODONATA_COVERAGE gives that of a unit's first size line and toggle
# coverage. Both cost speed.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# Verilator's runtime, compiled once: verilate() would put a copy of it into every library.
add_library(verilated_runtime STATIC ${VERILATOR_ROOT}/include/verilated.cpp
  ${VERILATOR_ROOT}/include/verilated_threads.cpp ${VERILATOR_ROOT}/include/verilated_save.cpp
  ${VERILATOR_ROOT}/include/verilated_fst_c.cpp)
if(ODONATA_COVERAGE)
  target_sources(verilated_runtime PRIVATE ${VERILATOR_ROOT}/include/verilated_cov.cpp)
endif()
target_include_directories(verilated_runtime SYSTEM PUBLIC
  $<BUILD_INTERFACE:${VERILATOR_ROOT}/include> $<BUILD_INTERFACE:${VERILATOR_ROOT}/include/vltstd>)
set_target_properties(verilated_runtime PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
target_compile_definitions(verilated_runtime PRIVATE VM_COVERAGE=$<BOOL:${ODONATA_COVERAGE}> VM_SC=0 VM_TRACE=1
  VM_TRACE_FST=1)
target_compile_options(verilated_runtime PRIVATE -w)
if(ODONATA_SANITIZE)
  target_compile_options(verilated_runtime PRIVATE -fno-sanitize=all)
endif()
find_package(ZLIB REQUIRED)
target_link_libraries(verilated_runtime PUBLIC ZLIB::ZLIB Threads::Threads atomic)

# odonata_filelist(OUT_VAR FILE): the paths of a .f file, absolute.
function(odonata_filelist out file)
  file(STRINGS ${file} lines REGEX "\\.sv$")
  list(TRANSFORM lines PREPEND "${CMAKE_SOURCE_DIR}/")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  set(${out} ${lines} PARENT_SCOPE)
endfunction()

# odonata_share(OUT_VAR FILE MODULES modules... SOURCES files...): writes FILE, which tells Verilator that the instances
# of these modules share their code. It is compiled once then, and stays in the instruction cache; inlined, each
# instance would have its own. No other tool reads this, and it changes no meaning.
# Verilator shares code only when it is the same to the letter, so
# - the input pins are public: a pin that is not would be replaced by the signal around, another one for each instance;
# - not clock and reset, which are the same for all: a public clock would be one of its own with a trigger;
# - the modules have no functions, whose variables are numbered through the whole design.
# It pays where a module is there many times and much is in it (docs/notes/2026-11-26-shared-code.md).
function(odonata_share out file)
  cmake_parse_arguments(S "" "" "MODULES;SOURCES" ${ARGN})
  set(text "`verilator_config\n")
  foreach(module ${S_MODULES})
    set(source ${S_SOURCES})
    list(FILTER source INCLUDE REGEX "/${module}\\.sv$")
    if(NOT source)
      message(FATAL_ERROR "odonata_share: no ${module}.sv among the sources")
    endif()
    file(READ ${source} header)
    string(FIND "${header}" "\n);" end)
    string(SUBSTRING "${header}" 0 ${end} header)
    string(REGEX MATCHALL "\n *input" inputs "${header}")
    string(REGEX MATCHALL "\n *input +logic[^,\n]* [a-z0-9_]+_n?i" pins "${header}")
    list(LENGTH inputs wanted)
    list(LENGTH pins found)
    if(NOT wanted EQUAL found)
      message(FATAL_ERROR "odonata_share: ${source} has ${wanted} inputs, of which ${found} are understood")
    endif()
    string(APPEND text "no_inline -module \"${module}\"\n")
    foreach(pin ${pins})
      string(REGEX REPLACE ".* " "" pin "${pin}")
      if(NOT pin MATCHES "^clk_i$|_ni$")
        string(APPEND text "public_flat_rd -module \"${module}\" -var \"${pin}\"\n")
      endif()
    endforeach()
  endforeach()
  file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
  set(${out} ${file} PARENT_SCOPE)
endfunction()

# odonata_verilate(NAME SOURCES files... TOP module PREFIX class [ARGS ...] [DEVICE file] [TRACE] [TEST] [RANDOM]
# [COUNT]): an object library NAME around the class PREFIX. DEVICE: the file that uses the class, compiled with it: both
# read the same headers.
# TRACE: a debug library, with waveforms and the RTL's assertions. TEST: for a test of its own, with assertions. RANDOM:
# what has no value yet gets one by chance when the model is made. COUNT: with ODONATA_COVERAGE it counts lines and
# toggles.
# Not Verilator's own verilate(): that runs Verilator while configuring, one after the other, and once more in the
# build.
function(odonata_verilate name)
  cmake_parse_arguments(V "TRACE;TEST;RANDOM;COUNT" "TOP;PREFIX;DEVICE" "SOURCES;ARGS" ${ARGN})
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/${name}.verilated)
  set(unknown fast)
  if(V_RANDOM)
    set(unknown unique)
  endif()
  set(args --cc --top ${V_TOP} --prefix ${V_PREFIX} --Mdir ${dir} --make cmake -Wno-fatal -Werror-IMPLICIT --x-assign
    ${unknown} --x-initial ${unknown}
    -O3 ${V_ARGS})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    list(APPEND args --compiler clang)
  else()
    list(APPEND args --compiler gcc)
  endif()
  if(V_TRACE OR V_TEST)
    list(APPEND args --assert)
  endif()
  set(trace 0)
  if(V_TRACE OR ODONATA_TRACE)
    list(APPEND args --trace-fst)
    set(trace 1)
  endif()
  set(counts FALSE)
  if(ODONATA_COVERAGE AND V_COUNT)
    set(counts TRUE)
    list(REMOVE_ITEM args --savable)  # not both
    list(APPEND args --coverage-line --coverage-toggle)
  endif()
  # Two compiler runs instead of a dozen that each read the runtime's headers: a seventh of the build time, the same
  # speed of the model.
  add_custom_command(OUTPUT ${dir}/all.cpp ${dir}/cold.cpp BYPRODUCTS ${dir}/${V_PREFIX}.h
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${dir}
    COMMAND ${VERILATOR_BIN} ${args} ${V_SOURCES}
    COMMAND ${CMAKE_COMMAND} -DDIR=${dir} -DFIRST=${V_DEVICE} -P ${CMAKE_SOURCE_DIR}/cmake/include_all.cmake
    DEPENDS ${V_SOURCES} ${VERILATOR_BIN} ${CMAKE_SOURCE_DIR}/cmake/include_all.cmake
    COMMENT "Verilating ${name}" VERBATIM)
  add_library(${name} OBJECT ${dir}/all.cpp ${dir}/cold.cpp)
  # Not optimised, with the precompiled headers of all.cpp all the same.
  set_source_files_properties(${dir}/cold.cpp PROPERTIES COMPILE_OPTIONS
    "-O0;$<$<CXX_COMPILER_ID:Clang>:-Xclang;-fno-validate-pch>")
  if(V_DEVICE)
    set_property(SOURCE ${dir}/all.cpp APPEND PROPERTY OBJECT_DEPENDS ${V_DEVICE})
    target_link_libraries(${name} PRIVATE odonata_models)
  endif()
  target_compile_definitions(${name} PRIVATE VM_COVERAGE=$<BOOL:${ODONATA_COVERAGE}> VM_SC=0 VM_TRACE=${trace}
    VM_TRACE_VCD=0 VM_TRACE_FST=${trace})
  if(counts)
    target_compile_definitions(${name} PUBLIC ODONATA_RTL_COVERAGE=1)
  endif()
  target_link_libraries(${name} PUBLIC verilated_runtime)
  if(V_RANDOM)  # a few cycles in a test
    target_compile_options(${name} PRIVATE -O0)
  elseif(V_TRACE)
    target_compile_options(${name} PRIVATE -O1)
  endif()
  if(ODONATA_SANITIZE)  # generated code: instrumenting it would take longer than everything else
    target_compile_options(${name} PRIVATE -fno-sanitize=all -O1)
  endif()
  if(ODONATA_COVERAGE)  # Verilator counts, not the compiler
    target_compile_options(${name} PRIVATE -fno-profile-instr-generate -fno-coverage-mapping)
  endif()
  target_compile_options(${name} PRIVATE -w)
  if(V_DEVICE)  # most of the time that a small model takes goes into Verilator's headers
    set(headers <verilated.h>)
    if(trace)
      list(APPEND headers <verilated_fst_c.h>)
    endif()
    odonata_read_with_others(${name} verilated_${trace}_${V_RANDOM}_${counts} ${headers} <algorithm> <array> <cstring>
      <memory> <string> ${CMAKE_SOURCE_DIR}/models/common/cycle_device.h)
  endif()
  # The generated headers stay behind the device files in tb/: nobody who links an installed library needs them.
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${dir}>)
  # Part of a module (odonata_rtl_module), of which nothing but the maker is to be seen.
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
endfunction()

# odonata_weave(BLOCK SOURCES files... OUT_VAR): a copy of the sources with the block's planted bugs woven in, and
# plants.h.
function(odonata_weave block out)
  cmake_parse_arguments(W "" "" "SOURCES" ${ARGN})
  set(dir ${CMAKE_BINARY_DIR}/woven/${block})
  set(plants ${CMAKE_SOURCE_DIR}/tb/${block}/plants.toml)
  set(woven ${dir}/odonata_plant_pkg.sv)
  foreach(file ${W_SOURCES})
    file(RELATIVE_PATH relative ${CMAKE_SOURCE_DIR} ${file})
    list(APPEND woven ${dir}/${relative})
  endforeach()
  # Woven while configuring, so that a plant that no longer fits its source stops the build at once.
  execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tb/harness/weave.py --plants ${plants} --root
    ${CMAKE_SOURCE_DIR}
                          --out ${dir} --block ${block} ${W_SOURCES} COMMAND_ERROR_IS_FATAL ANY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${plants} ${CMAKE_SOURCE_DIR}/tb/harness/weave.py
    ${W_SOURCES})
  set(${out} ${woven} PARENT_SCOPE)
endfunction()

# odonata_netlist(NAME SOURCES files... TOP module PREFIX class [PARAMETERS A=4 ...] [MEMORIES]): what yosys writes from
# the RTL as gates, verilated; it has to pass the same lockstep as the RTL (yosys 0.23 can miscompile silently).
# MEMORIES: they stay memories; otherwise they become flip-flops.
find_program(YOSYS yosys REQUIRED)
function(odonata_netlist name)
  cmake_parse_arguments(N "MEMORIES" "TOP;PREFIX;DEVICE" "SOURCES;PARAMETERS" ${ARGN})
  set(netlist ${CMAKE_BINARY_DIR}/netlist/${name}.v)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/netlist)
  list(JOIN N_SOURCES " " files)
  list(TRANSFORM N_PARAMETERS REPLACE "^(.*)=(.*)$" "-chparam \\1 \\2")
  list(JOIN N_PARAMETERS " " parameters)
  set(recipe "synth -flatten")
  if(N_MEMORIES)
    # Each memory in its own module: in a flat router memory_dff asks SAT about the whole of it for each port, which
    # takes a quarter of an hour.
    set(recipe "proc; opt; memory -nomap; synth -flatten -run begin:fine; opt; techmap; opt; abc; opt_clean")
  endif()
  add_custom_command(OUTPUT ${netlist}
    COMMAND ${YOSYS} -q -p
      "read_verilog -sv ${files}; hierarchy -check -top ${N_TOP} ${parameters}; ${recipe}; check -assert; \
rename -top ${N_TOP}_netlist; write_verilog -noattr ${netlist}.tmp"
    COMMAND ${CMAKE_COMMAND} -E rename ${netlist}.tmp ${netlist}
    DEPENDS ${N_SOURCES} COMMENT "yosys: netlist ${name}" VERBATIM)
  odonata_verilate(${name} SOURCES ${netlist} TOP ${N_TOP}_netlist PREFIX ${N_PREFIX} DEVICE ${N_DEVICE})
endfunction()
