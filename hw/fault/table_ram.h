// SPDX-License-Identifier: Apache-2.0
// The table RAM of a port as the action unit sees it: a row is the configured options and their marks (docs/fault.md
// §4, §5).
#pragma once

#include <memory>
#include <vector>

#include "hw/common/single_port_ram.h"
#include "models/fault/entry.h"

namespace odonata::fault {

/// A word of the RAM. Of `marks` only the option marks are stored; accessibility is in flip-flops beside the RAM.
struct RowWord {
  Options configured;
  Marks marks;
};

/// Single-port: a row is read or written in a cycle that route compute leaves free, at most once a cycle and bank.
class TableRam {
 public:
  virtual ~TableRam() = default;
  virtual RowWord read(int row) = 0;
  /// Performed at the edge that ends the cycle.
  virtual void write(int row, const RowWord& word) = 0;
  /// The edge; no write takes place with `enable` false.
  virtual void clock(bool enable) = 0;
  /// Without time or port.
  virtual RowWord peek(int row) const = 0;
  virtual void poke(int row, const RowWord& word) = 0;
};

/// RAM slices of 64 bits that are addressed together: options of A with their level, options of B, lost, partial.
class MarkRam {
 public:
  MarkRam(const std::string& name, size_t rows);
  Marks read(uint32_t index);
  void write(uint32_t index, const Marks& marks);
  void clock(bool enable);
  Marks peek(uint32_t index) const;
  void poke(uint32_t index, const Marks& marks);

 private:
  hw::SinglePortRam level_a_, lost_, partial_;
};

/// A RAM of the fault plane's own, in `banks` banks (row r in bank r mod banks).
class OwnTableRam final : public TableRam {
 public:
  OwnTableRam(const std::string& name, int rows, int banks);
  RowWord read(int row) override;
  void write(int row, const RowWord& word) override;
  void clock(bool enable) override;
  RowWord peek(int row) const override;
  void poke(int row, const RowWord& word) override;

 private:
  struct Bank {
    Bank(const std::string& name, size_t rows)
        : options_a(name + ".a", rows), options_b(name + ".b", rows), marks(name, rows) {}
    hw::SinglePortRam options_a, options_b;
    MarkRam marks;
  };
  Bank& bank(int row) { return *banks_[row % banks_.size()]; }
  uint32_t index(int row) const { return static_cast<uint32_t>(row / banks_.size()); }
  std::vector<std::unique_ptr<Bank>> banks_;
};

}  // namespace odonata::fault
