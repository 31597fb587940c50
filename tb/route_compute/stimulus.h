// SPDX-License-Identifier: Apache-2.0
// Everything that can drive a route-compute unit: real traffic, random corner cases, directed sequences.
#pragma once

#include "tb/route_compute/corner_stimulus.h"
#include "tb/route_compute/directed.h"
#include "tb/route_compute/traffic_stimulus.h"
