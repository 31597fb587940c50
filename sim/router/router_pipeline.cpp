// SPDX-License-Identifier: Apache-2.0
#include "sim/router/router_pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>

#include "hw/router/data_path.h"
#include "models/common/error.h"
#include "models/common/random.h"
#include "sim/common/output.h"
#include "sim/common/program.h"
#include "tb/harness/own_device.h"
#include "tb/router/campaign.h"
#include "tb/router/router_data_words.h"

namespace odonata::cli {

using router::DataConfig;
using router::DataDevice;
using router::DataInputs;
using router::DataOutputs;

namespace {

constexpr uint64_t kQuiet = 10;  // cycles in which a packet alone goes through

/// Drives the pins of a data path and route compute's answers, and sees flits by the number in their second word.
class Pins {
 public:
  Pins(DataDevice& device, const DataConfig& config)
      : device_(device), config_(config), due_(static_cast<size_t>(config.num_ports())) {
    reset();
  }

  void reset() {
    DataInputs in;
    in.reset = true;
    device_.step(in, out);
    for (auto& d : due_) d.clear();
    next_ = {};
  }
  /// A packet of one flit arrives with the next edge; its answer is `to`, VC `to_vc`. Returns its number.
  uint64_t arrive(int port, int vc, int to, int to_vc) {
    uint64_t* flit = &next_.in_flit[static_cast<size_t>(port * config_.words)];
    flit[0] = static_cast<uint64_t>(vc) | 12;
    flit[1] = number_;
    next_.in_valid |= 1ull << port;
    due_[port].push_back({now + 5, to, to_vc});
    return number_++;
  }
  uint64_t next_number() const { return number_; }
  void take_slot(int port) { next_.slot_taken |= 1ull << port; }
  void give_credit(int port, int vc) { next_.credit[static_cast<size_t>(4 * port + vc)] = 1; }
  /// The next edge and its cycle; pins of answers that are not due say something else. What went onto a link gives its
  /// credit back.
  void edge() {
    ++now;
    for (int k = 0; k < config_.num_ports(); ++k) {
      next_.ans_port[k] = static_cast<uint8_t>((k + static_cast<int>(now)) % 64);
      if (due_[k].empty() || due_[k].front().edge != now) continue;
      next_.ans_port[k] = static_cast<uint8_t>(due_[k].front().to);
      next_.ans_vc[k] = static_cast<uint8_t>(due_[k].front().vc);
      due_[k].pop_front();
    }
    device_.step(next_, out);
    next_ = {};
    for (int k = config_.nodes; k < config_.num_ports() && returns_credits; ++k) {
      if (sends(k)) give_credit(k, router::flit_vc(out.out_flit[static_cast<size_t>(k * config_.words)]));
    }
  }
  bool sends(int port) const { return (out.out_valid >> port & 1) != 0; }
  uint64_t number(int port) const {
    return sends(port) ? out.out_flit[static_cast<size_t>(port * config_.words) + 1] : 0;
  }
  int grants(int in_port) const { return (out.grant[2 * in_port] != 0) + (out.grant[2 * in_port + 1] != 0); }
  int freed(int in_port, int vc) const { return out.credit[static_cast<size_t>(4 * in_port + vc)]; }

  int64_t now = 0;
  bool returns_credits = true;
  DataOutputs out{};

 private:
  struct Due {
    int64_t edge;
    int to, vc;
  };
  DataDevice& device_;
  DataConfig config_;
  std::vector<std::deque<Due>> due_;
  DataInputs next_{};
  uint64_t number_ = 1;
};

class Measurement {
 public:
  Measurement(const std::string& level, DataDevice& device, const DataConfig& config, uint64_t rounds, uint64_t seed)
      : pins_(device, config),
        config_(config),
        n_(config.num_ports()),
        rounds_(static_cast<int>(rounds)),
        random_(seed) {
    t_.level = level;
  }
  RouterTimes run() {
    for (int i = 0; i < rounds_; ++i) alone(false, false);
    for (int i = 0; i < rounds_; ++i) alone(true, false);
    for (int i = 0; i < rounds_; ++i) alone(false, true);
    stream();
    for (int i = 0; i < std::max(rounds_ / 10, 1); ++i) contend();
    starve();
    return t_;
  }

 private:
  int below(int n) { return static_cast<int>(random_.below(static_cast<uint32_t>(n))); }

  /// One packet from anywhere to anywhere; or to nowhere; or an FD is in its way.
  void alone(bool no_option, bool message) {
    const int in = below(n_), vc = below(4), to = no_option ? router::kNoOption : below(n_);
    const uint64_t number = pins_.arrive(in, vc, to, below(4));
    int64_t written = pins_.now + 1, granted = -1;
    for (uint64_t i = 0; i < kQuiet; ++i) {
      if (message && static_cast<int>(i) == kRouterLink) pins_.take_slot(to);
      pins_.edge();
      if (pins_.grants(in) != 0) granted = pins_.now;
      if (pins_.freed(in, vc) != 0)
        (no_option ? t_.dropped : t_.credit).add(pins_.now - (no_option ? written : granted));
      if (no_option || pins_.number(to) != number) continue;
      (message ? t_.message : t_.link).add(pins_.now - written);
      if (!message) t_.grant.add(granted - written);
    }
  }

  /// Every port sends in every cycle, in round i to the port i places on.
  void stream() {
    pins_.reset();
    std::vector<int64_t> written;
    uint64_t sent = 0;
    const uint64_t first = pins_.next_number();
    const auto cycles = std::max<int64_t>(rounds_, 100);
    for (int64_t i = 0; i < cycles + kRouterLink; ++i) {
      for (int k = 0; k < n_ && i < cycles; ++k) {
        pins_.arrive(k, static_cast<int>(i & 3), static_cast<int>((k + i) % n_), static_cast<int>(i >> 2 & 3));
        written.push_back(pins_.now + 1);
      }
      pins_.edge();
      for (int k = 0; k < n_; ++k) {
        if (const uint64_t number = pins_.number(k); number >= first && number - first < written.size()) {
          t_.streamed.add(pins_.now - written[number - first]);
          ++sent;
        }
      }
    }
    t_.stream_rate = static_cast<double>(sent) / static_cast<double>(cycles * n_);
  }

  /// All ports but one have a packet for that one at the same time, spread over its VCs: two grants a cycle need more
  /// credits than one VC has.
  void contend() {
    const int to = below(n_);
    const int64_t written = pins_.now + 1;
    for (int k = 0; k < n_; ++k) {
      if (k != to) pins_.arrive(k, below(4), to, k & 3);
    }
    int64_t first = -1, last = -1, last_grant = -1;
    int sent = 0;
    for (int i = 0; i < 2 * n_ + static_cast<int>(kQuiet); ++i) {
      pins_.edge();
      for (int k = 0; k < n_; ++k) {
        if (pins_.grants(k) != 0) last_grant = pins_.now;
      }
      if (!pins_.sends(to)) continue;
      t_.contended.add(pins_.now - written);
      if (first < 0) first = pins_.now;
      last = pins_.now;
      ++sent;
    }
    t_.last_grant.add(last_grant - written);
    t_.contended_rate = first < 0 ? 0 : static_cast<double>(sent) / static_cast<double>(last - first + 1);
  }

  /// A network port whose VC has no credits left: a credit is used in the cycle of the edge that counts it.
  void starve() {
    pins_.reset();
    pins_.returns_credits = false;
    const int to = config_.nodes;
    for (int i = 0; i < config_.depth(to) + 1; ++i) {
      pins_.arrive(0, i & 3, to, 2);
      pins_.edge();
    }
    for (int i = 0; i < 20; ++i) pins_.edge();
    for (int round = 0; round < std::min(rounds_, 100); ++round) {
      pins_.give_credit(to, 2);
      const int64_t counted = pins_.now + 1;
      pins_.arrive(0, round & 3, to, 2);
      for (int i = 0; i < 20; ++i) {
        pins_.edge();
        if (pins_.grants(0) != 0) t_.starved.add(pins_.now - counted);
      }
    }
    pins_.returns_credits = true;
    pins_.reset();
  }

  Pins pins_;
  DataConfig config_;
  int n_, rounds_;
  Random random_;
  RouterTimes t_;
};

std::string text_of(double rate) { return fmt::format("{:.3f}", rate); }

/// A row of the table: what, key, what the specification says, what a level shows.
struct Row {
  std::string what, key, wanted;
  Spread RouterTimes::*cycles;
  double RouterTimes::*rate;
};
std::vector<Row> rows(const DataConfig& c) {
  const int senders = c.num_ports() - 1;
  const auto number = [](int n) { return std::to_string(n); };
  return {{"arrival to grant: route compute", "grant", number(kRouterGrant), &RouterTimes::grant, nullptr},
          {"arrival to link, alone", "link", number(kRouterLink), &RouterTimes::link, nullptr},
          {"grant to credit", "credit", "0", &RouterTimes::credit, nullptr},
          {"arrival to link, all ports streaming", "streamed", number(kRouterLink), &RouterTimes::streamed, nullptr},
          {"flits a cycle and link, streaming", "stream_rate", "1.000", nullptr, &RouterTimes::stream_rate},
          {"arrival to link, all to one", "contended", fmt::format("{}..{}", kRouterLink, kRouterLink + senders - 1),
           &RouterTimes::contended, nullptr},
          {"arrival to last grant, two a cycle", "last_grant", number(kRouterGrant + (senders + 1) / 2 - 1),
           &RouterTimes::last_grant, nullptr},
          {"flits a cycle of that link", "contended_rate", "1.000", nullptr, &RouterTimes::contended_rate},
          {"arrival to free slot, no option", "dropped", number(kRouterGrant), &RouterTimes::dropped, nullptr},
          {"arrival to link behind a message", "message", number(kRouterLink + 1), &RouterTimes::message, nullptr},
          {"credit counted to grant", "starved", "0", &RouterTimes::starved, nullptr}};
}
std::string shown(const Row& row, const RouterTimes& t) {
  return row.cycles != nullptr ? (t.*row.cycles).text() : text_of(t.*row.rate);
}

const cosim::RtlLibrary<cosim::RouterDataBlock>* built(const DataConfig& config) {
  for (const auto& library : cosim::rtl_libraries<cosim::RouterDataBlock>()) {
    if (library.variant == cosim::RtlVariant::fast && library.parameters == cosim::rtl_parameters(config))
      return &library;
  }
  return nullptr;
}

std::unique_ptr<DataDevice> make_level(const std::string& level, const DataConfig& config) {
  if (level == "golden") return std::make_unique<router::GoldenData>(config);
  if (level == "systemc") return std::make_unique<router::DataPathDevice>(config);
  if (level != "rtl") refuse_level(level);
  const auto* library = built(config);
  return library == nullptr ? nullptr : library->make(0);
}

Json level_json(const RouterTimes& t, const DataConfig& config) {
  Json out;
  for (const Row& row : rows(config)) out[row.key] = row.cycles != nullptr ? (t.*row.cycles).json() : Json(t.*row.rate);
  out["problems"] = t.problems;
  out["verdict"] = t.problems.empty() ? "pass" : "fail";
  return out;
}

}  // namespace

RouterExpectation router_expectation(const DataConfig& config, const std::string& path) {
  RouterExpectation out;
  std::vector<FigureKey> keys;
  for (const Row& row : rows(config)) {
    out.figures[row.key] = row.wanted;
    keys.push_back({row.key, row.rate != nullptr});
  }
  if (path.empty()) return out;
  out.says = path + " says";
  for (const auto& [key, value] : read_figures(path, keys)) out.figures[key] = value;
  return out;
}

RouterTimes measure_router(const std::string& level, DataDevice& device, const DataConfig& config, uint64_t rounds,
                           uint64_t seed, const RouterExpectation& want) {
  RouterTimes t = Measurement(level, device, config, rounds, seed).run();
  for (const Row& row : rows(config)) {
    const std::string &is = shown(row, t), &should = want.figures.at(row.key);
    if (is != should) t.problems.push_back(fmt::format("{}: {}, {} {}", row.what, is, want.says, should));
  }
  return t;
}

void run_router_pipeline(const RouterPipelineOptions& o) {
  const JsonFile file(o.json);
  const DataConfig config(o.dragonfly);
  const RouterExpectation want = router_expectation(config, o.expect);
  std::vector<RouterTimes> levels;
  std::vector<std::string> wanted = o.levels;
  if (wanted.empty() && o.device_lib.empty()) wanted = {"golden", "systemc", "rtl"};
  for (const std::string& name : wanted) {
    const auto device = make_level(name, config);
    if (device != nullptr) {
      levels.push_back(measure_router(name, *device, config, o.requests, o.seed, want));
    } else if (!o.levels.empty()) {
      throw Error(fmt::format("--levels: rtl is not built for a router of {}", o.dragonfly.name()));
    }
  }
  if (!o.device_lib.empty()) {
    const cosim::PinWords<cosim::RouterDataBlock> pins(cosim::rtl_parameters(config));
    cosim::LibraryDevice<cosim::RouterDataBlock> device(cosim::DeviceLibrary(o.device_lib, pins), pins);
    levels.push_back(
        measure_router(std::filesystem::path(o.device_lib).stem().string(), device, config, o.requests, o.seed, want));
  }
  Json out = result_head("pipeline", o.dragonfly);
  out.update({{"block", "router"}, {"seed", o.seed}});
  std::vector<std::string> header{"cycles", "specification"};
  bool passed = true;
  for (const RouterTimes& t : levels) {
    header.push_back(t.level);
    out["levels"][t.level] = level_json(t, config);
    passed = passed && t.problems.empty();
  }
  Table table(header);
  for (const Row& row : rows(config)) {
    const std::string& wanted_figure = want.figures.at(row.key);
    out["specification"][row.key] = wanted_figure;
    std::vector<std::string> cells{row.what, wanted_figure};
    for (const RouterTimes& t : levels) cells.push_back(shown(row, t));
    table.add(cells);
  }
  std::vector<std::string> verdicts{"verdict", ""};
  for (const RouterTimes& t : levels) verdicts.push_back(t.problems.empty() ? "pass" : "FAIL");
  table.add(verdicts);
  out["verdict"] = passed ? "pass" : "fail";
  file.write(out);
  fmt::print("router, {}, seed {}\n\n{}", o.dragonfly.name(), o.seed, table.text());
  for (const RouterTimes& t : levels)
    for (const std::string& problem : t.problems) fmt::print("{}: {}\n", t.level, problem);
  if (!passed) finish_with(kFailed);
}

}  // namespace odonata::cli
