# SPDX-License-Identifier: Apache-2.0
# cmake -DDIR=folder [-DFIRST=file] -P include_all.cmake: writes all.cpp there, which includes FIRST and every other C++
# file of the folder. Last, and not optimised, what runs once or only for waveforms (Verilator's *__Slow and __Trace
# files): half of the compile time, none of the model's speed.
file(GLOB files RELATIVE ${DIR} ${DIR}/*.cpp)
list(REMOVE_ITEM files all.cpp)
list(SORT files)
set(slow ${files})
list(FILTER slow INCLUDE REGEX "__Slow|__Trace|__Syms|__ConstPool")
list(FILTER files EXCLUDE REGEX "__Slow|__Trace|__Syms|__ConstPool")
set(text "")
if(FIRST)
  set(text "#include \"${FIRST}\"\n")
endif()
foreach(file ${files})
  string(APPEND text "#include \"${file}\"\n")
endforeach()
string(APPEND text "#ifdef __clang__\n#pragma clang optimize off\n#else\n#pragma GCC optimize(\"O0\")\n#endif\n")
foreach(file ${slow})
  string(APPEND text "#include \"${file}\"\n")
endforeach()
file(WRITE ${DIR}/all.cpp "${text}")
