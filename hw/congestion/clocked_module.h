// SPDX-License-Identifier: Apache-2.0
// The clocked modules of the congestion plane are those of hw/common.
#pragma once

#include "hw/common/clocked_module.h"

namespace odonata::congestion {

using hw::ClockedModule;
using hw::Drive;

}  // namespace odonata::congestion
