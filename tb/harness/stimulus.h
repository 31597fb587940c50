// SPDX-License-Identifier: Apache-2.0
// Where the input pins of a lockstep run come from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace odonata::cosim {

/// Makes the input pins cycle by cycle. It sees the reference's outputs of the last cycle, so that it can keep
/// handshakes.
template <class In, class Out>
class Stimulus {
 public:
  virtual ~Stimulus() = default;
  /// Fills `in` for the next cycle; false when there is nothing more to drive.
  virtual bool next(const Out& last, In& in) = 0;
};

/// Plays recorded cycles, as they were.
template <class In, class Out>
class Recorded : public Stimulus<In, Out> {
 public:
  explicit Recorded(std::vector<In> cycles) : cycles_(std::move(cycles)) {}
  bool next(const Out&, In& in) override {
    if (at_ == cycles_.size()) return false;
    in = cycles_[at_++];
    return true;
  }

 private:
  std::vector<In> cycles_;
  size_t at_ = 0;
};

/// One stimulus after the other.
template <class In, class Out>
class Sequence : public Stimulus<In, Out> {
 public:
  explicit Sequence(std::vector<std::unique_ptr<Stimulus<In, Out>>> parts) : parts_(std::move(parts)) {}
  bool next(const Out& last, In& in) override {
    for (; at_ < parts_.size(); ++at_) {
      if (parts_[at_]->next(last, in)) return true;
    }
    return false;
  }

 private:
  std::vector<std::unique_ptr<Stimulus<In, Out>>> parts_;
  size_t at_ = 0;
};

/// A stimulus whose resets after the first one are left out: counters go on to their wrap.
template <class In, class Out>
class OneReset final : public Stimulus<In, Out> {
 public:
  explicit OneReset(std::unique_ptr<Stimulus<In, Out>> inner) : inner_(std::move(inner)) {}
  bool next(const Out& last, In& in) override {
    if (!inner_->next(last, in)) return false;
    if constexpr (requires { in.reset_n; }) {
      in.reset_n = in.reset_n || started_;
      started_ = in.reset_n;
    } else {
      in.reset = in.reset && !started_;
      started_ = !in.reset;
    }
    return true;
  }

 private:
  std::unique_ptr<Stimulus<In, Out>> inner_;
  bool started_ = false;
};

/// A cycle of reset, then another stimulus.
template <class In, class Out>
class ResetFirst final : public Stimulus<In, Out> {
 public:
  explicit ResetFirst(std::unique_ptr<Stimulus<In, Out>> inner) : inner_(std::move(inner)) {}
  bool next(const Out& last, In& in) override {
    if (started_) return inner_->next(last, in);
    in = {};
    in.reset = true;
    return started_ = true;
  }

 private:
  std::unique_ptr<Stimulus<In, Out>> inner_;
  bool started_ = false;
};

/// The first cycles of an endless stimulus.
template <class In, class Out>
class First final : public Stimulus<In, Out> {
 public:
  First(std::unique_ptr<Stimulus<In, Out>> inner, uint64_t cycles) : inner_(std::move(inner)), left_(cycles) {}
  bool next(const Out& last, In& in) override { return left_ != 0 && (--left_, inner_->next(last, in)); }

 private:
  std::unique_ptr<Stimulus<In, Out>> inner_;
  uint64_t left_;
};

}  // namespace odonata::cosim
