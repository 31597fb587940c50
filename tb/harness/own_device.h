// SPDX-License-Identifier: Apache-2.0
// Devices of other people in the lockstep of a block: another latency than the golden unit's, requests further apart,
// pins that are not there.
#pragma once

#include <deque>
#include <filesystem>
#include <optional>

#include "tb/harness/device_library.h"
#include "tb/harness/shrink.h"

namespace odonata::cosim {

/// When a device answers.
struct Timing {
  int latency = 0;   ///< edges from a request to its response
  int interval = 1;  ///< cycles from a request to the next that it can take
};

/// Takes requests back that come too soon after the one before: at the device and at the reference alike, so that a
/// shortened stimulus stays right.
template <class Block>
class RequestFilter {
 public:
  using In = typename Block::Inputs;
  RequestFilter(const PinWords<Block>& pins, int interval) : pins_(pins), interval_(interval), since_(interval) {}
  const In& operator()(const In& in) {
    if (interval_ <= 1) return in;
    in_ = in;
    bool& asks = *pins_.request_of(in_);
    if (!pins_.rst_n(in_))
      since_ = interval_;
    else if (since_ < interval_)
      ++since_;
    if (asks && since_ < interval_) asks = false;
    if (asks && pins_.rst_n(in_)) since_ = 0;
    return in_;
  }

 private:
  PinWords<Block> pins_;
  int interval_, since_;
  In in_{};
};

/// The structures of a block at a device that has words.
template <class Block>
class LibraryDevice final : public DeviceOf<Block> {
 public:
  using In = typename Block::Inputs;
  using Out = typename Block::Outputs;
  /// `delay`: cycles by which its responses are shown later, for a device that is faster than the golden unit.
  /// `interval`: it gets no requests that are closer.
  LibraryDevice(const DeviceLibrary& library, const PinWords<Block>& pins, int delay = 0, int interval = 1)
      : device_(library.make()),
        pins_(pins),
        filter_(pins, interval),
        in_(static_cast<size_t>(pins.input_words())),
        out_(static_cast<size_t>(pins.output_words())),
        delay_(delay) {}
  void step(const In& offered, Out& out) override {
    const In& in = filter_(offered);
    pins_.write(in, in_.data());
    device_->step(pins_.rst_n(in), in_.data(), out_.data());
    if (delay_ > 0) hold_back(pins_.rst_n(in));
    pins_.read(out_.data(), out);
  }
  void open_trace(const std::string& path) override { device_->open_trace(path); }
  void close_trace() override { device_->close_trace(); }

 private:
  void hold_back(bool rst_n) {
    if (!rst_n) late_.clear();
    late_.push_back(out_);
    std::vector<uint64_t> shown(out_.size());
    if (late_.size() > static_cast<size_t>(delay_)) {
      shown = std::move(late_.front());
      late_.pop_front();
    }
    for (const int k : pins_.response) copy_pin(pins_.outputs[static_cast<size_t>(k)], shown, out_);
  }

 public:
  static void copy_pin(const Pin& pin, const std::vector<uint64_t>& from, std::vector<uint64_t>& to) {
    std::copy_n(from.begin() + pin.at, pin.words(), to.begin() + pin.at);
  }

 private:
  std::unique_ptr<DeviceLibrary::Device> device_;
  PinWords<Block> pins_;
  RequestFilter<Block> filter_;
  std::vector<uint64_t> in_, out_;
  int delay_;
  std::deque<std::vector<uint64_t>> late_;
};

/// The golden unit as a device of another latency shows it: what answers requests comes `delay` cycles later, pins that
/// the device does not have are 0.
template <class Block>
class LateReference {
 public:
  using In = typename Block::Inputs;
  using Out = typename Block::Outputs;
  /// `late`: a second golden unit, which gets every input `delay` cycles later; null when delay is 0.
  LateReference(const PinWords<Block>& pins, std::unique_ptr<typename Block::Reference> late, int delay,
                std::vector<int> absent)
      : pins_(pins),
        late_(std::move(late)),
        delay_(static_cast<size_t>(delay)),
        absent_(std::move(absent)),
        words_(static_cast<size_t>(pins.output_words())),
        answer_(words_.size()) {}
  /// Changes what the golden unit showed after `in`.
  void show(const In& in, Out& out) {
    pins_.write(out, words_.data());
    if (late_) show_late(in);
    for (const int k : absent_)
      std::fill_n(words_.begin() + pins_.outputs[static_cast<size_t>(k)].at,
                  pins_.outputs[static_cast<size_t>(k)].words(), 0);
    pins_.read(words_.data(), out);
  }
  bool has_reasons() const { return late_ != nullptr; }
  std::vector<std::string> describe() const { return late_->describe(); }

 private:
  void show_late(const In& in) {
    waiting_.push_back(in);
    if (!pins_.rst_n(in)) quiet_ = delay_ + 1;  // the ranks that the golden unit does not have are empty, too
    if (waiting_.size() > delay_) {
      late_->step(waiting_.front(), late_out_);
      waiting_.pop_front();
    }
    pins_.write(late_out_, answer_.data());
    if (quiet_ > 0) {
      --quiet_;
      std::fill(answer_.begin(), answer_.end(), 0);
    }
    for (const int k : pins_.response)
      LibraryDevice<Block>::copy_pin(pins_.outputs[static_cast<size_t>(k)], answer_, words_);
  }

  PinWords<Block> pins_;
  std::unique_ptr<typename Block::Reference> late_;
  size_t delay_;
  std::vector<int> absent_;
  std::vector<uint64_t> words_, answer_;
  std::deque<In> waiting_;
  Out late_out_{};
  size_t quiet_ = 0;
};

/// Latency and interval of a device, measured at its pins after a reset: requests far apart, then closer and closer.
/// Throws Error when it does not answer, or not always after the same time.
template <class Block>
Timing measure_timing(const std::string& name, const PinWords<Block>& pins, DeviceOf<Block>& device) {
  constexpr int kPatience = 256, kRequests = 32;
  using In = typename Block::Inputs;
  typename Block::Outputs out{};
  std::vector<uint64_t> words(static_cast<size_t>(pins.output_words()));
  const Pin& valid = pins.outputs[static_cast<size_t>(pins.response.front())];
  In reset{}, idle{};
  pins.set_rst_n(reset, false);
  pins.set_rst_n(idle, true);
  const auto answers = [&](const In& in) {
    device.step(in, out);
    pins.write(out, words.data());
    return (words[static_cast<size_t>(valid.at)] & 1) != 0;
  };
  const auto restart = [&] {
    for (int i = 0; i < 4; ++i) device.step(reset, out);
    for (int i = 0; i < kPatience; ++i) device.step(idle, out);
  };
  In asking = idle;
  *pins.request_of(asking) = true;
  const auto burst = [&](int interval, int requests) {  // cycles at which answers came
    restart();
    std::vector<int> came;
    for (int cycle = 0; cycle < interval * requests + kPatience; ++cycle) {
      if (answers(cycle % interval == 0 && cycle < interval * requests ? asking : idle)) came.push_back(cycle);
    }
    return came;
  };
  const auto expect = [&](bool good, const std::string& what) {
    if (!good) throw Error(name + ": " + what);
  };
  const std::vector<int> alone = burst(kPatience, 4);
  expect(alone.size() == 4, "answered " + std::to_string(alone.size()) + " of 4 requests that were " +
                                std::to_string(kPatience) + " cycles apart");
  Timing out_timing{alone.front(), 0};
  for (int k = 0; k < 4; ++k)
    expect(alone[static_cast<size_t>(k)] == k * kPatience + out_timing.latency,
           "the latency is not always the same, it cannot be compared cycle by cycle");
  for (int interval = 1; interval <= 64 && out_timing.interval == 0; ++interval) {
    if (burst(interval, kRequests).size() == kRequests) out_timing.interval = interval;
  }
  expect(out_timing.interval != 0, "does not answer every request even when they are 64 cycles apart");
  return out_timing;
}

}  // namespace odonata::cosim
