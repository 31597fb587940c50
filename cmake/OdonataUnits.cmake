# SPDX-License-Identifier: Apache-2.0
# The units: what is generated from models/<family>/<unit>.toml (docs/units.md) while configuring, and the libraries
# that follow from it.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(ODONATA_RTL_SIZES "tiny:2,4,2,8:0;paper:6,12,6,73:1;full:16,32,16,512:0" CACHE STRING
  "Dragonfly sizes for which RTL is verilated, NAME:p,a,h,g:absolute_at_reset; add your own")
set(ODONATA_ARB_SIZES "n2:2,8,8,3,3;n3:3,8,8,4,2;n4:4,8,4,5,2" CACHE STRING
  "Sizes for which the arbitration-request RTL is verilated, NAME:N,CW,KW,V,S (docs/arb_request.md §1)")
set(ODONATA_GENERATED ${CMAKE_BINARY_DIR}/generated)

file(GLOB descriptions CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/models/*/*.toml)
file(GLOB generators ${CMAKE_SOURCE_DIR}/cmake/units/*.py)
file(GLOB packages CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/rtl/*/*_pkg.sv)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${descriptions} ${generators} ${packages})
execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/cmake/units/generate.py --build ${ODONATA_GENERATED}
                        --sizes dragonfly "${ODONATA_RTL_SIZES}" --sizes mesh "${ODONATA_ARB_SIZES}"
                        COMMAND_ERROR_IS_FATAL ANY)

# odonata_unit_rtl(FAMILY [SHARED modules...]): verilates the libraries of all units of a family,
# rtl_<unit>_<size>[_<variant>], from rtl/FAMILY/FAMILY.f. SHARED: modules whose instances share their code
# (odonata_share).
function(odonata_unit_rtl family)
  cmake_parse_arguments(U "" "" "SHARED" ${ARGN})
  odonata_filelist(every ${CMAKE_SOURCE_DIR}/rtl/${family}/${family}.f)
  set(sources ${every})
  list(FILTER sources EXCLUDE REGEX "_(tiny|paper|full)\\.sv$")
  odonata_weave(${family} woven SOURCES ${sources})
  set(shared "")
  if(U_SHARED)
    odonata_share(shared ${CMAKE_CURRENT_BINARY_DIR}/shared.vlt MODULES ${U_SHARED} SOURCES ${sources})
  endif()
  include(${ODONATA_GENERATED}/${family}.cmake)
endfunction()

# odonata_unit_library(FAMILY UNIT NAME VARIANT TOP module [PARAMETERS A=4 ...] [ARGS ...] [MEMORIES] [TOPS] [DEMAND]):
# one of them, called by the generated list; TOPS: with the tops of rtl/FAMILY among its sources. DEMAND: only the
# target rtl_on_demand builds it, and its own, device_NAME.
function(odonata_unit_library family unit name variant)
  cmake_parse_arguments(L "MEMORIES;TOPS;DEMAND" "TOP" "PARAMETERS;ARGS" ${ARGN})
  list(TRANSFORM L_PARAMETERS PREPEND -G OUTPUT_VARIABLE arguments)
  list(APPEND arguments ${L_ARGS})
  set(names TOP ${L_TOP} PREFIX V${name} DEVICE ${ODONATA_GENERATED}/tb/${family}/V${name}_device.cpp)
  set(advice ${shared})
  if(variant STREQUAL debug)
    odonata_verilate(rtl_${name} SOURCES ${advice} ${woven} ${names} ARGS ${arguments} TRACE)
  elseif(variant STREQUAL netlist)
    set(memories "")
    if(L_MEMORIES)
      set(memories MEMORIES)
    endif()
    if(L_TOPS)
      set(sources ${every})
    endif()
    odonata_netlist(rtl_${name} SOURCES ${sources} ${names} PARAMETERS ${L_PARAMETERS} ${memories})
  elseif(variant STREQUAL random)
    odonata_verilate(rtl_${name} SOURCES ${woven} ${names} ARGS ${arguments} RANDOM)
  else()
    get_property(counted GLOBAL PROPERTY odonata_counted)
    set(count "")
    if(NOT unit IN_LIST counted)
      set_property(GLOBAL APPEND PROPERTY odonata_counted ${unit})
      set(count COUNT)
      if(ODONATA_COVERAGE AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${unit}_coverage.vlt)  # what it need not count
        list(APPEND advice ${CMAKE_CURRENT_SOURCE_DIR}/${unit}_coverage.vlt)
      endif()
    endif()
    odonata_verilate(rtl_${name} SOURCES ${advice} ${sources} ${names} ARGS ${arguments} ${count})
  endif()
  set_property(GLOBAL APPEND PROPERTY odonata_units_of_${family} ${unit})
  if(L_DEMAND)
    set_target_properties(rtl_${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    set_property(GLOBAL APPEND PROPERTY odonata_demanded_of_${family} ${name})
  else()
    set_property(GLOBAL APPEND PROPERTY odonata_libraries_of_${family} ${name})
  endif()
endfunction()

# odonata_unit_devices(TARGET FAMILY): the tables of the Verilated units for make_rtl() (tb/harness/rtl_library.h), and
# their modules.
function(odonata_unit_devices target family)
  get_property(units GLOBAL PROPERTY odonata_units_of_${family})
  get_property(libraries GLOBAL PROPERTY odonata_libraries_of_${family})
  get_property(demanded GLOBAL PROPERTY odonata_demanded_of_${family})
  list(REMOVE_DUPLICATES units)
  foreach(unit ${units})
    target_sources(${target} PRIVATE ${ODONATA_GENERATED}/tb/${family}/${unit}_rtl.cpp
      ${ODONATA_GENERATED}/tb/${family}/${unit}_words.cpp)
  endforeach()
  foreach(library ${libraries})
    odonata_rtl_module(${family} ${library})
  endforeach()
  foreach(library ${demanded})
    odonata_rtl_module(${family} ${library} DEMAND)
  endforeach()
  set_property(TARGET ${target} PROPERTY ODONATA_RTL rtl_${family})
endfunction()
