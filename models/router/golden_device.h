// SPDX-License-Identifier: Apache-2.0
// The data path behind the interface that all levels share.
#pragma once

#include "models/common/golden.h"
#include "models/router/data_path.h"

namespace odonata::router {

using DataDevice = CycleDevice<DataInputs, DataOutputs>;
using GoldenData = Golden<DataPath, DataInputs, DataOutputs>;

}  // namespace odonata::router
