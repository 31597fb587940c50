// SPDX-License-Identifier: Apache-2.0
// libsystemc refers to sc_main even in programs that have a main of their own; never called.
extern "C" int sc_main(int, char**);
extern "C" int sc_main(int, char**) { return 1; }
