// SPDX-License-Identifier: Apache-2.0
#include "tb/harness/rtl_loader.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "models/common/error.h"

namespace odonata::cosim {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders() {
  if (const char* given = std::getenv("ODONATA_RTL_DIR"); given != nullptr) return {given};
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
  return {program.parent_path() / ODONATA_RTL_BESIDE, ODONATA_RTL_BUILT, ODONATA_RTL_INSTALLED};
}

}  // namespace

RtlMaker load_rtl(const std::string& name) {
  std::string places;
  for (const fs::path& folder : folders()) {
    const fs::path file = folder / (name + ".so");
    if (!fs::exists(file)) {
      places += (places.empty() ? "" : ", ") + folder.lexically_normal().string();
      continue;
    }
    void* module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* maker = module == nullptr ? nullptr : dlsym(module, "odonata_make_rtl");
    if (maker == nullptr) throw Error("Verilated RTL " + file.string() + ": " + dlerror());
    return reinterpret_cast<RtlMaker>(maker);
  }
  throw Error("no Verilated RTL " + name + ".so in " + places + "; build it (target rtl_devices) or name its folder in ODONATA_RTL_DIR");
}

}  // namespace odonata::cosim
