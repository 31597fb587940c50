// SPDX-License-Identifier: Apache-2.0
// The route-compute pipeline of DOAR Fig. 6, cycle by cycle: four stages of named units between ranks of registers
// (docs/route_compute.md §3, §5). What a unit computes is a pure function of models/route_compute; here are time and
// structure.
//
//            stage 1         stage 2          stage 3                           stage 4
//   pins  r0 decode, zone, r1 table A      r2 RTA: A1 A2 C1 -> N1 N2 -> B    r3 RTA: P1 -> M, P2   r4  response
//            index, LFSR      table B         RTB: F -> S1 S2                   RTB: P3 ; VC
//         c0 configuration: waits for the stage that uses its target       c1  c2 acknowledgement
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "hw/common/single_port_ram.h"
#include "hw/common/tick.h"
#include "hw/route_compute/unit_pins.h"
#include "models/route_compute/units.h"

namespace odonata::route_compute {

/// The stages as one clocked method each. All methods of an edge read the present ranks and write the next ones; which
/// set is which changes when the edge has settled, so the order in which the kernel runs them does not matter.
class RouteComputePipeline : public sc_core::sc_module {
 public:
  /// `pins` stands at the pins; it must outlive the module. Power-up state is the reset state with empty tables.
  RouteComputePipeline(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d, UnitPins& pins);
  ~RouteComputePipeline() override;

  const UnitOutputs& out() const { return out_; }

  /// One configuration word without time; false when the operation is one that the unit refuses.
  bool debug_read(uint32_t word_address, uint64_t& data) const;
  bool debug_write(uint32_t word_address, uint64_t data);

  /// What stage 2 makes of the words that it has read, such as taking out options that the fault plane has marked;
  /// empty: nothing.
  using EntryFilter = std::function<Entries(const Request& request, const Decoded& decoded, const Entries& entries)>;
  void set_entry_filter(EntryFilter filter) { filter_ = std::move(filter); }
  /// The RAMs, for a second master that uses the cycles which route compute leaves free.
  hw::SinglePortRam& table_a() { return table_a_; }
  hw::SinglePortRam& table_b() { return table_b_; }
  /// In the present cycle: writes of tables A and B wait, and reads. Stays so until it is said again; between two
  /// edges.
  void hold_tables(bool writes, bool reads = false) {
    hold_writes_ = writes;
    hold_reads_ = reads;
    out_.cfg_ready = !waits(now());
  }
  /// The row of tables A and B (N, B, G zone in this order) that the last edge has written; -1: none.
  int written_row() const { return written_row_; }
  /// At an edge, before it has settled: whether stage 2 reads the tables in the cycle that begins.
  bool reads_tables_next() const { return now().r0.valid; }

  /// Writes all stages to a VCD file, from now on until close_trace(). Throws Error when the file cannot be written.
  void open_trace(const std::string& path);
  void close_trace();
  /// Adds the signals of all stages to a file of the caller, before the file's first time step.
  void trace_to(sc_core::sc_trace_file* file);

 protected:
  /// r0: a request in stage 1.
  struct DecodeRank {
    bool valid = false;
    Request request;
  };
  /// r1: in stage 2.
  struct LookupRank {
    bool valid = false;
    Request request;
    Decoded decoded;
    uint16_t lfsr = 0;
  };
  /// r2: in stage 3.
  struct FilterRank {
    bool valid = false;
    Request request;
    Decoded decoded;
    Entries entries;
    uint16_t lfsr = 0;
  };
  /// r3: in stage 4.
  struct SelectRank {
    bool valid = false;
    bool rta = false;
    uint8_t vc = 0;        // of arrival
    uint8_t nonempty = 0;  // GA GB GC GD S1 S2 fallback
    uint16_t lfsr = 0;
    PortMap cong_local = 0;  // the snapshot of stage 3
    GlobalRequests global;   // GAP GBP GCP GDP and the fallback vector (RTA)
    LocalRequests local;     // S1 S2 and the fallback vector (RTB)
  };
  /// r4: the response.
  struct ResponseRank {
    bool valid = false;
    Decision decision;
  };
  /// c0: a configuration operation that has been taken.
  struct Operation {
    bool valid = false, write = false;
    uint16_t address = 0;  // words
    Target target = Target::refused;
    uint64_t data = 0;
  };
  /// c1, c2: its result.
  struct Acknowledge {
    bool valid = false, error = false;
    uint64_t data = 0;
  };
  /// All registers between the stages.
  struct Ranks {
    bool reset = false;
    DecodeRank r0;
    LookupRank r1;
    FilterRank r2;
    Congestion congestion;  // the snapshot for stage 3
    SelectRank r3;
    ResponseRank r4;
    Operation c0;
    Acknowledge c1, c2;
  };

  // The clocked methods. Virtual, so that a test can plant a bug.
  virtual void sample();     ///< pins -> r0, c0, congestion
  virtual void stage1();     ///< decode: r0 -> r1
  virtual void stage2();     ///< table read: r1 -> r2
  virtual void stage3();     ///< filter: r2 -> r3
  virtual void stage4();     ///< select: r3 -> r4
  virtual void configure();  ///< c0 -> registers and tables, c1, c2

  const Ranks& now() const { return ranks_[parity_]; }
  Ranks& next() { return ranks_[parity_ ^ 1]; }
  const UnitConfig& config() const { return regs_.config(); }

 private:
  struct View;  // what the waveform shows

  GlobalRequests filter_rta(const FilterRank& r2, const Congestion& congestion) const;
  void settle();
  void commit(const Ranks& before, const Ranks& after);
  bool waits(const Ranks& ranks) const;
  void show();
  void show_probe(const Ranks& ranks);
  uint64_t read_word(Target target, uint32_t word_address) const;
  void write_word(Target target, uint32_t word_address, uint64_t data);
  void fill_view();

  UnitPins& pins_;
  Registers regs_;  // all registers and table C; its tables A and B are not used
  hw::SinglePortRam table_a_, table_b_;
  EntryFilter filter_;
  bool hold_writes_ = false, hold_reads_ = false;
  int written_row_ = -1;
  Ranks ranks_[2];
  unsigned parity_ = 0;
  Operation write_;  // the register or table-C write of this edge
  UnitOutputs out_;

  std::unique_ptr<View> view_;
  sc_core::sc_trace_file* trace_file_ = nullptr;
};

}  // namespace odonata::route_compute
