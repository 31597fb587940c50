// SPDX-License-Identifier: Apache-2.0
#include "sim/pipeline/measure.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/common/random.h"
#include "models/table/configuration.h"
#include "sim/common/output.h"

namespace odonata::cli {

namespace rc = route_compute;
using rc::UnitInputs;
using rc::UnitOutputs;

namespace {

constexpr int kDrain = 16;          // idle cycles after which nothing may be in flight in a unit of this project
constexpr int kLongDrain = 64;      // the same for a unit of somebody else
constexpr int kPatience = 100'000;  // cycles that a configuration operation is waited for when nothing disturbs it

/// A configuration operation on its way.
struct Operation {
  uint64_t taken = 0, acknowledged = 0;
  uint64_t data = 0;
  bool error = false;
};

/// Notes at which edges things happen. Everything is in order, so the n-th event of each kind belongs to the n-th
/// request.
class Recorder {
 public:
  void clear() { *this = Recorder(); }

  /// `before`: the pins before the edge; `after`: those after it.
  void edge(const UnitInputs& in, const UnitOutputs& before, const UnitOutputs& after) {
    constexpr uint32_t kRank[kStages] = {rc::probe::kStage1, rc::probe::kStage2, rc::probe::kStage3,
                                         rc::probe::kStage4};
    if (in.req_valid) request_.push_back(now_);
    for (int k = 0; k < kStages; ++k) {
      if ((after.probe & kRank[k]) != 0) rank_[k].push_back(now_);
    }
    if (after.resp_valid) response_.push_back(now_);
    if (in.cfg_valid && before.cfg_ready) operations_.push_back({.taken = now_});
    if (after.cfg_ack && acknowledged_ < operations_.size()) {
      Operation& op = operations_[acknowledged_++];
      op.acknowledged = now_;
      op.data = after.cfg_rdata;
      op.error = after.cfg_err != 0;
    }
    stage2_.push_back((after.probe & rc::probe::kStage2) != 0);
    ++now_;
  }

  StreamTimes times() const {
    StreamTimes out;
    out.requests = request_.size();
    out.responses = response_.size();
    const auto& [r0, r1, r2, r3] = rank_;
    const std::vector<uint64_t>* const at[] = {&r0, &r1, &r2, &r3, &response_};
    for (int k = 0; k < kStages; ++k) add_differences(*at[k], *at[k + 1], out.stage[k]);
    add_differences(request_, response_, out.latency);
    for (size_t i = 1; i < response_.size(); ++i)
      out.interval.add(static_cast<int64_t>(response_[i] - response_[i - 1]));
    if (!response_.empty()) {
      out.throughput =
          static_cast<double>(response_.size()) / static_cast<double>(response_.back() - response_.front() + 1);
    }
    return out;
  }
  const std::vector<Operation>& operations() const { return operations_; }
  size_t acknowledged() const { return acknowledged_; }

  /// Cycles that an operation on table A or B has to wait: those in which stage 2 holds a request.
  uint64_t due_wait(const Operation& op) const {
    uint64_t edge = op.taken;
    while (edge < stage2_.size() && stage2_[edge]) ++edge;
    return edge - op.taken;
  }

 private:
  static void add_differences(const std::vector<uint64_t>& from, const std::vector<uint64_t>& to, Spread& out) {
    for (size_t i = 0; i < std::min(from.size(), to.size()); ++i)
      out.add(static_cast<int64_t>(to[i]) - static_cast<int64_t>(from[i]));
  }

  uint64_t now_ = 0;
  std::vector<uint64_t> request_, response_;
  std::array<std::vector<uint64_t>, kStages> rank_;
  std::vector<Operation> operations_;
  size_t acknowledged_ = 0;
  std::vector<bool> stage2_;
};

/// Drives one device through the phases of the measurement.
class Bench {
 public:
  Bench(RouteComputeDevice& device, const Dragonfly& d, const MeasureOptions& options)
      : device_(device),
        d_(d),
        options_(options),
        drain_(options.search ? kLongDrain : kDrain),
        random_(options.seed) {}

  LevelTimes run(const std::string& level) {
    const Stopwatch clock;
    result_.level = level;
    result_.probed = options_.probed;
    configure();
    if (options_.search) find_interval();
    result_.isolated = isolated();
    result_.back_to_back = back_to_back();
    result_.timeline = timeline();
    result_.contention = contention();
    judge();
    result_.cycles = cycles_;
    result_.seconds = clock.seconds();
    return result_;
  }

 private:
  static constexpr RouterId kOwn{1, 1};
  static constexpr int kPort = 0;

  void step(const UnitInputs& in) {
    const UnitOutputs before = out_;
    device_.step(in, out_);
    recorder_.edge(in, before, out_);
    ++cycles_;
  }
  void idle(int cycles) {
    for (int i = 0; i < cycles; ++i) step({});
  }
  template <class... Words>
  void problem(fmt::format_string<Words...> text, Words&&... words) {
    result_.problems.push_back(fmt::format(text, std::forward<Words>(words)...));
  }
  void progress(uint64_t done) const {
    if (options_.progress) options_.progress(done, 3 * options_.requests);
  }

  static UnitInputs operation(bool write, uint32_t address, uint64_t data) {
    UnitInputs in;
    in.cfg_valid = true;
    in.cfg_write = write;
    in.cfg_addr = static_cast<uint16_t>(address / 8);
    in.cfg_wdata = data;
    return in;
  }
  /// One operation to its end, with nothing else going on; false when it is not acknowledged.
  bool operate(bool write, uint32_t address, uint64_t data, Operation& done) {
    recorder_.clear();
    bool taken = false;
    for (int i = 0; i < kPatience && recorder_.acknowledged() == 0; ++i) {
      const bool take = !taken && out_.cfg_ready;
      step(taken ? UnitInputs{} : operation(write, address, data));
      taken |= take;
    }
    if (recorder_.acknowledged() == 0) return false;
    done = recorder_.operations().front();
    return true;
  }
  void configure() {
    UnitInputs reset;
    reset.reset = true;
    step(reset);
    step(reset);
    tables_ = table::configure(d_, kOwn, kPort);
    Operation done;
    for (const rc::RegisterWrite& w :
         rc::configuration_writes(d_, kOwn, kPort, tables_, rc::lfsr_seed(options_.seed, d_, kOwn, kPort))) {
      if (!operate(true, w.address, w.data, done) || done.error) {
        problem("the configuration write to {:#06x} was {}", w.address, done.error ? "refused" : "never acknowledged");
        return;
      }
    }
  }

  /// A request to anywhere, with any congestion.
  UnitInputs request() {
    UnitInputs in;
    in.req_valid = true;
    in.req_dest = rc::pack_address(d_.node(static_cast<int>(random_.below(static_cast<uint32_t>(d_.num_nodes())))));
    in.req_src_gid = static_cast<uint16_t>(kOwn.gid);
    in.congestion.local = random_.next() & random_.next() & low_mask(d_.num_ports());
    for (uint64_t& word : in.congestion.global.word) word = random_.next() & random_.next();
    in.congestion.global = in.congestion.global & GroupMap::low(d_.group_ports());
    return in;
  }

  /// The smallest distance of requests at which every one is answered.
  void find_interval() {
    for (interval_ = 1; interval_ < kLongestInterval; ++interval_) {
      idle(drain_);
      recorder_.clear();
      for (int i = 0; i < kIntervalTries * interval_; ++i) step(i % interval_ == 0 ? request() : UnitInputs{});
      idle(drain_);
      if (const StreamTimes times = recorder_.times(); times.requests == times.responses) return;
    }
  }
  /// A request in this cycle, when the unit can take one.
  UnitInputs request_if_due(bool wanted) {
    ++since_;
    if (!wanted || since_ < interval_) return {};
    since_ = 0;
    return request();
  }

  StreamTimes isolated() {
    idle(drain_);
    recorder_.clear();
    for (uint64_t i = 0; i < std::max<uint64_t>(options_.requests / 10, 10); ++i) {
      step(request());
      idle(drain_ + static_cast<int>(random_.below(4)));
      progress(10 * i);
    }
    return recorder_.times();
  }

  StreamTimes back_to_back() {
    idle(drain_);
    recorder_.clear();
    for (uint64_t i = 0; i < options_.requests; ++i) {
      step(request_if_due(true));
      if (i % 1024 == 0) progress(options_.requests + i);
    }
    idle(drain_);
    return recorder_.times();
  }

  /// Table writes are always on offer while requests come at 3/4 load, with one stretch of back-to-back requests.
  ContentionTimes contention() {
    ContentionTimes out;
    idle(drain_);
    recorder_.clear();
    const int first = d_.a(), entries = d_.g();  // the G zone of table B: entry i gets entry i+1's content
    std::vector<uint64_t> written(entries, 0);
    int next = 0;
    for (uint64_t i = 0; i < options_.requests; ++i) {
      const bool burst = i > 100 && i < 400;
      UnitInputs in = request_if_due(burst || random_.below(4) != 0);
      const int at = next % entries;
      const uint64_t data = tables_.b[first + (at + 1 + next / entries) % entries];
      const UnitInputs op = operation(true, rc::reg::kTableB + 8 * static_cast<uint32_t>(first + at), data);
      in.cfg_valid = in.cfg_write = true;
      in.cfg_addr = op.cfg_addr;
      in.cfg_wdata = data;
      const bool taken = out_.cfg_ready;
      step(in);
      if (taken) {
        written[at] = data;
        ++next;
      }
      if (i % 1024 == 0) progress(2 * options_.requests + i);
    }
    idle(drain_);
    out.load = static_cast<double>(recorder_.times().requests) / static_cast<double>(options_.requests);
    evaluate_writes(out);
    read_back(written, std::min(next, entries), out);
    return out;
  }
  void evaluate_writes(ContentionTimes& out) const {
    out.stream = recorder_.times();
    out.writes = recorder_.operations().size();
    out.acknowledged = recorder_.acknowledged();
    for (size_t i = 0; i < recorder_.acknowledged(); ++i) {
      const Operation& op = recorder_.operations()[i];
      const int64_t wait = static_cast<int64_t>(op.acknowledged) - static_cast<int64_t>(op.taken) - 2;
      out.wait.add(wait);
      out.late_writes += first_free() && wait != static_cast<int64_t>(recorder_.due_wait(op));
      out.errors += op.error;
    }
  }
  void read_back(const std::vector<uint64_t>& written, int entries, ContentionTimes& out) {
    Operation done;
    for (int i = 0; i < entries; ++i) {
      const bool answered = operate(false, rc::reg::kTableB + 8 * static_cast<uint32_t>(d_.a() + i), 0, done);
      out.lost_writes += !answered || done.data != written[i];
      if (!answered) return;
    }
  }

  /// Whether writes have to wait exactly as long as the probe bits say.
  bool first_free() const { return options_.probed && options_.expected.writes == WriteRule::first_free; }

  std::vector<TimelineCycle> timeline();
  void judge();
  void judge_stream(const char* phase, const StreamTimes& times);

  RouteComputeDevice& device_;
  Dragonfly d_;
  MeasureOptions options_;
  int drain_;
  int interval_ = 1, since_ = kLongDrain;
  Random random_;
  Recorder recorder_;
  table::PortTables tables_;
  UnitOutputs out_;
  uint64_t cycles_ = 0;
  LevelTimes result_;
};

/// A short recorded scene: a lone request, then a burst with a table write that has to wait for its first gap.
std::vector<TimelineCycle> Bench::timeline() {
  constexpr std::string_view kRequests = ".R......RRRRRR.R.....";
  constexpr size_t kWriteAt = 10;
  std::vector<TimelineCycle> out(kRequests.size() + 1);
  idle(drain_);
  recorder_.clear();
  int requests = 0, responses = 0;
  std::array<int, kStages> seen{};
  bool offered = false, pending = false;
  for (size_t t = 0; t < kRequests.size(); ++t) {
    UnitInputs in = kRequests[t] == 'R' ? request() : UnitInputs{};
    if (in.req_valid) out[t].request = requests++;
    const bool offer = t >= kWriteAt && !offered;
    if (offer) {
      in.cfg_valid = in.cfg_write = true;
      in.cfg_addr = static_cast<uint16_t>((rc::reg::kTableA + 8 * (d_.p() + d_.a())) / 8);
      in.cfg_wdata = tables_.a[d_.p() + d_.a()];
      out[t].write_offered = 0;
      offered = out_.cfg_ready != 0;
    }
    step(in);
    TimelineCycle& now = out[t + 1];
    constexpr uint32_t kRank[kStages] = {rc::probe::kStage1, rc::probe::kStage2, rc::probe::kStage3,
                                         rc::probe::kStage4};
    for (int k = 0; k < kStages; ++k) {
      if ((out_.probe & kRank[k]) != 0) now.stage[k] = seen[k]++;
    }
    if (out_.resp_valid) now.response = responses++;
    pending |= offer && offered;
    if (pending) (out_.cfg_ready ? now.write_executed : now.write_waiting) = 0;
    if (out_.cfg_ready) pending = false;
    if (out_.cfg_ack) now.write_acknowledged = 0;
  }
  return out;
}

void Bench::judge_stream(const char* phase, const StreamTimes& times) {
  const Expectation& want = options_.expected;
  if (times.requests == 0) problem("{}: no request was made", phase);
  if (times.responses != times.requests) {
    problem("{}: {} requests, but {} responses", phase, times.requests, times.responses);
  }
  if (times.latency.count > 0 && !times.latency.always(want.latency)) {
    problem("{}: latency {}..{} cycles, {} {}", phase, times.latency.min, times.latency.max, want.says, want.latency);
  }
  for (int k = 0; k < kStages && options_.probed; ++k) {
    const int cycles = want.stages[static_cast<size_t>(k)];
    if (times.stage[k].always(cycles)) continue;
    problem("{}: stage {} ({}) takes {}..{} cycles, {} {}", phase, k + 1, kStageNames[k], times.stage[k].min,
            times.stage[k].max, want.says, cycles);
  }
}

void Bench::judge() {
  judge_stream("isolated requests", result_.isolated);
  judge_stream("back-to-back requests", result_.back_to_back);
  judge_stream("requests beside table writes", result_.contention.stream);
  const Spread& interval = result_.back_to_back.interval;
  const Expectation& want = options_.expected;
  if (!interval.always(want.interval)) {
    problem("back-to-back requests: initiation interval {}..{} cycles, {} {}", interval.min, interval.max, want.says,
            want.interval);
  }
  const ContentionTimes& c = result_.contention;
  if (c.writes == 0) problem("table writes: none was taken");
  if (c.acknowledged != c.writes) problem("table writes: {} taken, {} acknowledged", c.writes, c.acknowledged);
  if (c.errors != 0) problem("table writes: {} refused", c.errors);
  if (first_free() && c.wait.count > 0 && c.wait.max == 0)
    problem("table writes: none had to wait, so route reads do not win");
  if (c.late_writes != 0) problem("table writes: {} not executed in the first free cycle", c.late_writes);
  if (c.lost_writes != 0) problem("table writes: {} entries read back differently", c.lost_writes);
}

}  // namespace

LevelTimes measure(const std::string& level, RouteComputeDevice& device, const Dragonfly& d,
                   const MeasureOptions& options) {
  return Bench(device, d, options).run(level);
}

}  // namespace odonata::cli
