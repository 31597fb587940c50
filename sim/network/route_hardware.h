// SPDX-License-Identifier: Apache-2.0
// RTL in the loop of a torus or a fat-tree: the route units of one router are devices (Verilated RTL), in lockstep with
// the golden decisions on the live traffic (docs/network.md §9).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "models/common/cycle_device.h"
#include "models/torus/units.h"
#include "models/vtftr/units.h"
#include "sim/network/logic_lockstep.h"

namespace odonata::network {

using TorusRouteDevice = CycleDevice<torus::RouteInputs, torus::RouteOutputs>;
using TorusBoxDevice = CycleDevice<torus::BoxInputs, torus::BoxOutputs>;
using LeafDevice = CycleDevice<vtftr::LeafInputs, vtftr::LeafOutputs>;
using RootDevice = CycleDevice<vtftr::RootInputs, vtftr::RootOutputs>;

/// Which router, and what makes the unit of one of its input ports.
struct RouteHardware {
  int router = -1;
  std::function<std::unique_ptr<TorusRouteDevice>()> torus;
  std::function<std::unique_ptr<TorusBoxDevice>()> box;  ///< of three dimensions
  std::function<std::unique_ptr<LeafDevice>()> leaf;
  std::function<std::unique_ptr<RootDevice>()> root;
};

/// The route units of a torus router. decide() takes a request through the unit of an input port and throws
/// DeviceMismatch when the answer is not the golden one.
class TorusLockstep {
 public:
  TorusLockstep(const RouteHardware& hardware, int ports);
  void decide(int port, const torus::RouteInputs& asked, const torus::Answer& golden);
  uint64_t compared() const { return compared_; }

 private:
  std::vector<std::unique_ptr<TorusRouteDevice>> units_;
  uint64_t compared_ = 0;
};

/// The same in three dimensions.
class BoxLockstep {
 public:
  BoxLockstep(const RouteHardware& hardware, int ports);
  void decide(int port, const torus::BoxInputs& asked, const torus::BoxAnswer& golden);
  uint64_t compared() const { return compared_; }

 private:
  std::vector<std::unique_ptr<TorusBoxDevice>> units_;
  uint64_t compared_ = 0;
};

/// A golden decision of a switch. `port` 127: dropped; then the VC does not count. `kind`: code of LeafKind or
/// RootKind.
struct SwitchAnswer {
  int port = vtftr::kNoPort, vc = 0, kind = 0;
};

/// The route units of a leaf or a root switch, likewise.
class LeafLockstep {
 public:
  LeafLockstep(const RouteHardware& hardware, int ports);
  void decide(int port, const vtftr::LeafInputs& asked, const SwitchAnswer& golden);
  uint64_t compared() const { return compared_; }

 private:
  std::vector<std::unique_ptr<LeafDevice>> units_;
  uint64_t compared_ = 0;
};

class RootLockstep {
 public:
  /// `line`: ports of the root.
  RootLockstep(const RouteHardware& hardware, int line);
  /// `lfsr`: that of the request, `next`: the one after it; the table is brought to `asked.mask` before it, through the
  /// pins.
  void decide(int port, const vtftr::RootInputs& asked, uint16_t lfsr, const SwitchAnswer& golden, uint16_t next);
  uint64_t compared() const { return compared_; }

 private:
  struct Unit {
    std::unique_ptr<RootDevice> device;
    vtftr::LineMap mask;
    bool written = false;
  };
  void write_table(Unit& unit, const vtftr::RootInputs& pins);
  int line_;
  std::vector<Unit> units_;
  uint64_t compared_ = 0;
};

}  // namespace odonata::network
