# SPDX-License-Identifier: Apache-2.0
# cmake -DDIR=folder -P include_all.cmake: writes all.cpp there, which includes every other C++ file of the folder.
file(GLOB files RELATIVE ${DIR} ${DIR}/*.cpp)
list(REMOVE_ITEM files all.cpp)
list(SORT files)
set(text "")
foreach(file ${files})
  string(APPEND text "#include \"${file}\"\n")
endforeach()
file(WRITE ${DIR}/all.cpp "${text}")
