// SPDX-License-Identifier: Apache-2.0
// The VTFTR units edge by edge: route units of leaf and root, update unit, detector (docs/vtftr.md §9).
#pragma once

#include <array>
#include <deque>
#include <vector>

#include "models/common/lfsr.h"
#include "models/vtftr/manager.h"
#include "models/vtftr/vtftr_detect_pins.h"
#include "models/vtftr/vtftr_leaf_pins.h"
#include "models/vtftr/vtftr_root_pins.h"
#include "models/vtftr/vtftr_update_pins.h"

namespace odonata::vtftr {

/// What the units are built for.
struct UnitSize {
  int columns = 16, rows = 16, nodes = 16, rails = 16;
  int ports() const { return std::max(columns, rows); }  ///< of a root
};

/// x, y, node of a packed address.
inline int address_x(uint32_t dest) { return static_cast<int>(dest >> 5 & 127); }
inline int address_y(uint32_t dest) { return static_cast<int>(dest >> 12 & 127); }
inline int address_node(uint32_t dest) { return static_cast<int>(dest & 31); }

/// vtftr_leaf: three edges from a request to its answer, one a cycle.
class LeafUnit {
 public:
  explicit LeafUnit(const UnitSize& size) : size_(size) {}
  void step(const LeafInputs& in);
  const LeafOutputs& out() const { return out_; }
  /// What the present answer answers.
  const LeafInputs& answered() const { return answered_; }

 private:
  UnitSize size_;
  LeafInputs r0_, stage_2_, answered_;
  LeafOutputs out_;
};

/// vtftr_root: four edges, five above 32 ports.
class RootUnit {
 public:
  /// `mask_form`: no table.
  RootUnit(const UnitSize& size, bool mask_form);
  void step(const RootInputs& in);
  const RootOutputs& out() const { return out_; }
  int latency() const { return size_.ports() > 32 ? 5 : 4; }
  const UnitSize& size() const { return size_; }
  bool mask_form() const { return mask_form_; }
  const LineMap& row(int target) const { return table_[static_cast<size_t>(target)]; }
  /// A request on its way: what it asked, the row and the LFSR value that it met, the ports that it may take.
  struct Asked {
    RootInputs in;
    LineMap row;
    uint16_t lfsr = 0;
    RootChoice choice;
  };
  const Asked& answered() const { return stage_.back(); }

 private:
  bool known(const RootInputs& in) const {
    return (in.req_leaf & 127) < size_.columns && in.req_leaf >> 7 < size_.rows;
  }
  RootConfig config(const RootInputs& in) const;

  UnitSize size_;
  bool mask_form_;
  RootInputs r0_;
  std::vector<Asked> stage_;  // from stage 2 on; the last one is answered
  std::vector<LineMap> table_;
  bool waits_ = false;  // a row for the table
  int waiting_row_ = 0;
  LineMap waiting_data_;
  uint16_t lfsr_ = kLfsrReset;
  RootOutputs out_;
};

/// vtftr_update: FIFO, maps, walk.
class UpdateUnit {
 public:
  explicit UpdateUnit(const UnitSize& size) : size_(size) {}
  void step(const UpdateInputs& in);
  const UpdateOutputs& out() const { return out_; }

 private:
  void take(uint32_t bits);
  void publish();
  bool leaf() const { return role_ >= 2; }
  int line() const { return role_ & 1 ? size_.rows : size_.columns; }

  UnitSize size_;
  int role_ = 0, own_x_ = 0, own_y_ = 0;
  std::deque<uint32_t> fifo_;
  LineMap columns_, rows_;
  bool column_first_ = false, walking_ = false, heard_ = false;  // heard_: a message was taken since the reset
  int epoch_ = 0, at_ = 0;
  UpdateOutputs out_;
};

/// vtftr_detect: debounce and reports.
class DetectUnit {
 public:
  explicit DetectUnit(int ports) : ports_(ports), count_(static_cast<size_t>(ports)) {}
  void step(const DetectInputs& in);
  const DetectOutputs& out() const { return out_; }

 private:
  int ports_;
  LineMap down_, dead_, told_;
  int detect_ = 0;
  std::vector<int> count_;
  DetectOutputs out_;
};

}  // namespace odonata::vtftr
