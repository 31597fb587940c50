// SPDX-License-Identifier: Apache-2.0
#include "sim/fault_study/study_run.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "sim/common/interrupt.h"
#include "sim/net_command/sweep/sweep_store.h"
#include "sim/network/worker_pool.h"

namespace odonata::cli {

using namespace fault;

namespace {

constexpr int64_t kPieceSamples = 32;  // made by one thread in one go, and one line of the store

/// Samples first .. first + count - 1 of a class and a design.
struct Piece {
  size_t design = 0, class_index = 0;
  int64_t first = 0, count = 0;
};

Json to_json(const StudySample& s) {
  Json out{s.fault, s.detection, s.local_travel, s.last_fd, s.last_write, s.diagnosis, s.recovery};
  for (int64_t share : s.chain) out.push_back(share);
  return out;
}

StudySample from_json(const Json& in) {
  StudySample s{in.at(0), in.at(1), in.at(2), in.at(3), in.at(4), in.at(5), in.at(6), {}};
  for (size_t i = 0; i < s.chain.size(); ++i) s.chain[i] = in.at(7 + i);
  return s;
}

/// Everything that decides what a piece's samples are.
Settings key_of(const StudyPlan& plan, const StudyDesign& design, const Piece& piece) {
  const Parameters& p = design.parameters;
  const StudySettings& s = plan.settings;
  return {{"network", plan.d.name()},
          {"router", to_string(p.timing)},
          {"wires", fmt::format("{},{}", p.timing.local_latency, p.timing.global_latency)},
          {"mode", std::string(to_string(p.mode))},
          {"class", kFaultClassNames[static_cast<size_t>(plan.classes[piece.class_index])]},
          {"faults", std::to_string(s.faults)},
          {"load", fmt::format("{}..{}", s.least_load, s.most_load)},
          {"poll", s.draw_poll ? "drawn" : "start"},
          {"every", s.every ? "true" : "false"},
          {"repair", s.recovery ? "true" : "false"},
          {"seed", std::to_string(s.seed)},
          {"samples", fmt::format("{}+{}", piece.first, piece.count)}};
}

std::vector<Piece> pieces_of(const StudyPlan& plan, size_t designs) {
  std::vector<Piece> pieces;
  for (size_t design = 0; design < designs; ++design) {
    for (size_t c = 0; c < plan.classes.size(); ++c) {
      for (int64_t first = 0; first < plan.samples[c]; first += kPieceSamples) {
        pieces.push_back({design, c, first, std::min(kPieceSamples, plan.samples[c] - first)});
      }
    }
  }
  return pieces;
}

/// A thread's network, of the design that it works on.
struct Bench {
  size_t design = SIZE_MAX;
  std::optional<Study> study;
};

class Maker {
 public:
  Maker(const StudyPlan& plan, std::vector<StudyDesign>& designs, std::vector<Piece> pieces, bool keep = false)
      : plan_(plan), designs_(designs), pieces_(std::move(pieces)), benches_(static_cast<size_t>(plan.threads)) {
    if (!plan.store.empty()) {
      store_ = std::make_unique<SweepStore>(plan.store, SweepStore::Use::append);
      tell_damaged(plan.store, store_->damaged(), "samples");
    } else if (keep || !plan.known.empty()) {
      store_ = std::make_unique<SweepStore>("", SweepStore::Use::read);
    }
    for (const Json& piece : plan.known) {
      const auto key = piece.at("settings").get<Settings>();
      if (store_->find(key) == nullptr) store_->add(key, piece.at("samples"));
    }
  }
  bool make() {
    network::WorkerPool pool(plan_.threads);
    pool.run(static_cast<int>(pieces_.size()), [this](const network::WorkerPool::Task& task) {
      if (!interrupted())
        make_piece(pieces_[static_cast<size_t>(task.number)], benches_[static_cast<size_t>(task.thread)]);
    });
    return !interrupted();
  }
  /// All pieces, of those that are kept.
  Json kept() const {
    Json out = Json::array();
    for (const Piece& piece : pieces_) {
      const Settings key = key_of(plan_, designs_[piece.design], piece);
      out.push_back({{"settings", key}, {"samples", *store_->find(key)}});
    }
    return out;
  }

 private:
  void make_piece(const Piece& piece, Bench& bench) {
    StudyDesign& design = designs_[piece.design];
    StudySample* out = &design.samples[piece.class_index][static_cast<size_t>(piece.first)];
    const Settings key = key_of(plan_, design, piece);
    if (const Json* known = store_ ? store_->find(key) : nullptr) {
      for (int64_t i = 0; i < piece.count; ++i) out[i] = from_json(known->at(static_cast<size_t>(i)));
      return;
    }
    if (bench.design != piece.design) {
      bench.study.emplace(plan_.d, design.parameters, plan_.settings);
      bench.design = piece.design;
    }
    Json lines = Json::array();
    for (int64_t i = 0; i < piece.count; ++i) {
      if (interrupted()) return;
      out[i] = bench.study->sample(plan_.classes[piece.class_index], piece.first + i);
      if (store_) lines.push_back(to_json(out[i]));
    }
    if (store_) store_->add(key, lines);
  }

  const StudyPlan& plan_;
  std::vector<StudyDesign>& designs_;
  std::vector<Piece> pieces_;
  std::vector<Bench> benches_;
  std::unique_ptr<SweepStore> store_;
};

}  // namespace

namespace {

void make_room(const StudyPlan& plan, std::vector<StudyDesign>& designs) {
  for (StudyDesign& design : designs) {
    design.samples.resize(plan.classes.size());
    for (size_t c = 0; c < plan.classes.size(); ++c) design.samples[c].resize(static_cast<size_t>(plan.samples[c]));
  }
}

}  // namespace

bool make_samples(const StudyPlan& plan, std::vector<StudyDesign>& designs) {
  make_room(plan, designs);
  return Maker(plan, designs, pieces_of(plan, designs.size())).make();
}

size_t count_pieces(const StudyPlan& plan, size_t designs) { return pieces_of(plan, designs).size(); }

Json make_part(const StudyPlan& plan, std::vector<StudyDesign>& designs, uint64_t part, uint64_t parts) {
  make_room(plan, designs);
  std::vector<Piece> own;
  const std::vector<Piece> all = pieces_of(plan, designs.size());
  for (uint64_t i = part; i < all.size(); i += parts) own.push_back(all[i]);
  Maker maker(plan, designs, std::move(own), true);
  if (!maker.make()) throw Interrupted();
  return maker.kept();
}

Distribution::Distribution(std::vector<int64_t> values) : sorted(std::move(values)) {
  constexpr int64_t kBins = 40;
  std::erase_if(sorted, [](int64_t v) { return v < 0; });
  std::sort(sorted.begin(), sorted.end());
  if (sorted.empty()) return;
  const double n = static_cast<double>(sorted.size());
  double sum = 0, squares = 0;
  for (int64_t v : sorted) sum += static_cast<double>(v);
  mean = sum / n;
  for (int64_t v : sorted) squares += (static_cast<double>(v) - mean) * (static_cast<double>(v) - mean);
  if (sorted.size() > 1) ci95 = 1.96 * std::sqrt(squares / (n - 1) / n);
  from = sorted.front();
  width = (sorted.back() - from) / kBins + 1;
  counts.resize(static_cast<size_t>((sorted.back() - from) / width) + 1);
  for (int64_t v : sorted) ++counts[static_cast<size_t>((v - from) / width)];
}

int64_t Distribution::percentile(double percent) const {
  const double rank = std::ceil(percent / 100 * static_cast<double>(sorted.size()));
  return sorted[static_cast<size_t>(std::max(1.0, rank)) - 1];
}

}  // namespace odonata::cli
