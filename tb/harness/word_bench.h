// SPDX-License-Identifier: Apache-2.0
// A unit's golden model and stimulus by words, for those that know units by name only: vectors, other languages.
#pragma once

#include "tb/harness/own_device.h"
#include "tb/harness/rtl_variant.h"

namespace odonata::cosim {

/// One cycle: the inputs that an edge samples, and the golden unit's outputs after it.
using VectorTaker = std::function<void(bool rst_n, const uint64_t* in, const uint64_t* out)>;

/// The bench of one unit at one size.
class WordBench {
 public:
  virtual ~WordBench() = default;
  virtual const UnitPins& pins() const = 0;
  virtual std::unique_ptr<WordDevice> golden() const = 0;
  /// The Verilated RTL; `plant` as in make_rtl(). Throws Error when this was not built.
  virtual std::unique_ptr<WordDevice> rtl(RtlVariant variant, int plant) const = 0;
  /// Plays the first cycles of the stimulus on the golden unit; fewer when it ends.
  virtual void play(uint64_t cycles, const VectorTaker& take) const = 0;
  /// What a recorded stimulus says about the size.
  virtual const std::map<std::string, std::string>& meta() const = 0;
};

/// A unit that is driven by words.
template <class Block, class Device>
class WordUnit final : public WordDevice {
 public:
  WordUnit(std::unique_ptr<Device> device, const PinWords<Block>& pins) : device_(std::move(device)), pins_(pins) {}
  void step(bool rst_n, const uint64_t* in, uint64_t* out) override {
    pins_.read(in, in_);
    pins_.set_rst_n(in_, rst_n);
    device_->step(in_, out_);
    pins_.write(out_, out);
  }
  std::vector<std::string> describe() const override { return device_->describe(); }

 private:
  std::unique_ptr<Device> device_;
  PinWords<Block> pins_;
  typename Block::Inputs in_{};
  typename Block::Outputs out_{};
};

/// `Bench` is a UnitBench<Block>.
template <class Block, class Bench>
class WordBenchOf final : public WordBench {
 public:
  explicit WordBenchOf(Bench bench) : bench_(std::move(bench)), pins_(bench_.parameters) {}
  const UnitPins& pins() const override { return pins_; }
  std::unique_ptr<WordDevice> golden() const override { return by_words(bench_.golden()); }
  std::unique_ptr<WordDevice> rtl(RtlVariant variant, int plant) const override {
    return by_words(bench_.rtl(variant, plant));
  }
  void play(uint64_t cycles, const VectorTaker& take) const override {
    auto stimulus = bench_.stimulus();
    auto golden = bench_.golden();
    typename Block::Inputs in;
    typename Block::Outputs out{};
    std::vector<uint64_t> in_words(static_cast<size_t>(pins_.input_words())),
        out_words(static_cast<size_t>(pins_.output_words()));
    for (uint64_t cycle = 0; cycle < cycles && stimulus->next(out, in); ++cycle) {
      golden->step(in, out);
      pins_.write(in, in_words.data());
      pins_.write(out, out_words.data());
      take(pins_.rst_n(in), in_words.data(), out_words.data());
    }
  }
  const std::map<std::string, std::string>& meta() const override { return bench_.meta; }

 private:
  template <class Device>
  std::unique_ptr<WordDevice> by_words(std::unique_ptr<Device> device) const {
    return std::make_unique<WordUnit<Block, Device>>(std::move(device), pins_);
  }
  Bench bench_;
  PinWords<Block> pins_;
};

}  // namespace odonata::cosim
