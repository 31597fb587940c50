// SPDX-License-Identifier: Apache-2.0
// SystemC: the table RAM of route compute as the action unit's RAM (docs/fault.md §6.6, docs/router.md §3.2). The
// configured words are those of route compute's tables A and B, the marks lie beside them in the same RAM word;
// look-ups read both and see the effective options only.
#pragma once

#include "hw/fault/port_unit_module.h"
#include "hw/fault/table_ram.h"
#include "hw/route_compute/pipeline.h"

namespace odonata::fault {

class SharedTableRam final : public TableRam {
 public:
  /// Ports of the RAM: one for all; or one for look-ups, and one for the action unit and the configuration.
  enum class Ports { one, two };
  /// Puts itself into the look-ups of `pipeline`, which has to outlive it; its tables are those of physical port
  /// `port`.
  SharedTableRam(route_compute::RouteComputePipeline& pipeline, const Dragonfly& d, int port, Ports ports = Ports::one);
  ~SharedTableRam() override { pipeline_.set_entry_filter({}); }

  /// Pin route_read_i of the port unit: route compute has the RAM in the cycle after the next edge. Configuration of
  /// the tables over the pipeline's own pins must not be mixed with commands: the RAM checks that it is accessed once a
  /// cycle.
  bool route_reads_next() const { return pipeline_.reads_tables_next(); }
  /// The immediate port mask (docs/fault.md §6.1), 0 without.
  void set_port_mask(PortMap mask) { mask_ = mask; }
  /// Look-ups leave out the ports that `unit` has not heard; it has to outlive the look-ups.
  void set_unit(const FaultPortModule& unit) { unit_ = &unit; }

  RowWord read(int row) override;
  void write(int row, const RowWord& word) override;
  void clock(bool enable) override { marks_.clock(enable); }
  RowWord peek(int row) const override;
  /// Writes the marks; the words are written by route compute's configuration.
  void poke(int row, const RowWord& word) override { marks_.poke(static_cast<uint32_t>(row), word.marks); }

 private:
  Options configured(int row, const EntryWords& words) const;
  route_compute::Entries look_up(const route_compute::Request& request, const route_compute::Decoded& decoded,
                                 const route_compute::Entries& entries);
  bool has_b(int row) const { return row >= d_.p(); }

  route_compute::RouteComputePipeline& pipeline_;
  const Dragonfly d_;
  const PortClass at_;
  const Ports ports_;
  MarkRam marks_;
  PortMap mask_ = 0;
  const FaultPortModule* unit_ = nullptr;
};

}  // namespace odonata::fault
