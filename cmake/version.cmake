# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT from INPUT with VERSION and the commit of SOURCE: cmake -DINPUT=.. -DOUTPUT=.. -DVERSION=.. -DSOURCE=..
# -P version.cmake
execute_process(COMMAND git rev-parse --short=12 HEAD WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE
  COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT COMMIT)
  set(COMMIT unknown)
endif()
configure_file(${INPUT} ${OUTPUT} @ONLY)
