// SPDX-License-Identifier: Apache-2.0
// The Verilated units are modules (shared objects) that are loaded when one is made: a program starts, links and is
// built without them.
#pragma once

#include <string>

namespace odonata::cosim {

/// Makes a device: an RtlDevice<Block>* of the library's block, owned by the caller. `plant`: number of a planted bug,
/// 0 = none.
using RtlMaker = void* (*)(int plant);

/// The maker of the module <name>.so; it stays loaded. Looked for in the folder ODONATA_RTL_DIR of the environment,
/// else beside the program (as installed), in the build folder, and where the project was installed. Throws Error when
/// it is nowhere or cannot be loaded.
RtlMaker load_rtl(const std::string& name);

}  // namespace odonata::cosim
