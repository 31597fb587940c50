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

/// Where modules may be: of the installed program, of the build tree in which a program lies, of an installation that
/// others link.
std::vector<fs::path> folders() {
  if (const char* given = std::getenv("ODONATA_RTL_DIR"); given != nullptr) return {given};
  std::error_code unknown;
  const fs::path folder = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  std::vector<fs::path> out{folder / ODONATA_RTL_BESIDE};
  for (fs::path above = folder; above.has_relative_path(); above = above.parent_path()) {
    if (fs::is_directory(above / ODONATA_RTL_BUILT, unknown)) out.push_back(above / ODONATA_RTL_BUILT);
  }
  out.emplace_back(ODONATA_RTL_INSTALLED);
  out.emplace_back("/usr/lib/odonata/rtl");
  return out;
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
  throw Error("no Verilated RTL " + name + ".so in " + places + "; build it (target device_" + name +
              ") or name its folder in ODONATA_RTL_DIR");
}

}  // namespace odonata::cosim
