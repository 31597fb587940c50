// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: the readers of `odonata sweep`, the file of runs and the store of results. Whatever the bytes, they
// return or throw Error.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "models/common/error.h"
#include "sim/net_command/sweep/sweep_store.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace odonata::cli;  // one function
  static const std::string path = "/dev/shm/odonata_fuzz_sweep." + std::to_string(getpid());
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    read_sweep(path, size % 2 == 0);
  } catch (const odonata::Error&) {
  }
  try {
    const SweepStore store(path, SweepStore::Use::read);
    if (store.found() > size) std::abort();
  } catch (const odonata::Error&) {
  }
  return 0;
}
