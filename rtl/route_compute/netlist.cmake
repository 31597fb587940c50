# rtl_route_compute_tiny_netlist: what yosys writes from the RTL at tiny size, verilated; it has to pass the same lockstep as the RTL
# (yosys 0.23 can miscompile silently). verilate() reads its sources while configuring, so the netlist is written then, too.
find_program(YOSYS yosys REQUIRED)
set(netlist ${CMAKE_BINARY_DIR}/netlist/route_compute_tiny.v)
odonata_filelist(netlist_sources ${CMAKE_CURRENT_LIST_DIR}/route_compute.f)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${netlist_sources})
set(stale FALSE)
foreach(source ${netlist_sources} ${CMAKE_CURRENT_LIST_FILE})
  if(${source} IS_NEWER_THAN ${netlist})  # also true when there is no netlist yet
    set(stale TRUE)
  endif()
endforeach()
if(stale)
  message(STATUS "yosys: netlist of route_compute_tiny")
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/netlist)
  list(JOIN netlist_sources " " files)
  execute_process(COMMAND ${YOSYS} -q -p
    "read_verilog -sv ${files}; synth -flatten -top route_compute_tiny; check -assert; rename route_compute_tiny route_compute_netlist; write_verilog -noattr ${netlist}.tmp"
    COMMAND_ERROR_IS_FATAL ANY)
  file(RENAME ${netlist}.tmp ${netlist})
endif()
odonata_verilate(rtl_route_compute_tiny_netlist SOURCES ${netlist} TOP route_compute_netlist PREFIX Vroute_compute_tiny_netlist)
