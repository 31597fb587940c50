/* SPDX-License-Identifier: Apache-2.0 */
/* Verilated RTL with a planted bug in the place of one without: a copy of this called NAME.so makes what NAME_debug.so
 * in the folder RTL_BUILT makes, with the bug of number RTL_PLANT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *odonata_make_rtl(int plant) {
  Dl_info own;
  char file[4096];
  (void)plant;
  if (dladdr((void *)odonata_make_rtl, &own) == 0) return NULL;
  const char *name = strrchr(own.dli_fname, '/') + 1;
  snprintf(file, sizeof file, "%s/%.*s_debug.so", getenv("RTL_BUILT"), (int)(strlen(name) - strlen(".so")), name);
  void *module = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  void *(*make)(int) = module == NULL ? NULL : (void *(*)(int))dlsym(module, "odonata_make_rtl");
  return make == NULL ? NULL : make(atoi(getenv("RTL_PLANT")));
}
