# SPDX-License-Identifier: Apache-2.0
# cmake -DDIR=folder [-DFIRST=file] -P include_all.cmake: writes all.cpp there, which includes FIRST and every C++ file
# of the folder but those of cold.cpp, which are not optimised: what runs once or only for waveforms (Verilator's
# *__Slow and __Trace files). They are half of the compile time and none of the model's speed.
file(GLOB files RELATIVE ${DIR} ${DIR}/*.cpp)
list(REMOVE_ITEM files all.cpp cold.cpp)
list(SORT files)
set(cold ${files})
list(FILTER cold INCLUDE REGEX "__Slow|__Trace|__Syms|__ConstPool")
list(REMOVE_ITEM files ${cold})
list(PREPEND files ${FIRST})
list(JOIN files "\"\n#include \"" all)
list(JOIN cold "\"\n#include \"" cold)
file(WRITE ${DIR}/all.cpp "#include \"${all}\"\n")
file(WRITE ${DIR}/cold.cpp "#include \"${cold}\"\n")
