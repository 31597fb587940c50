// SPDX-License-Identifier: Apache-2.0
// libsystemc refers to sc_main; it is never called (see sim/main.cpp).
extern "C" int sc_main(int, char**);
extern "C" int sc_main(int, char**) { return 1; }
