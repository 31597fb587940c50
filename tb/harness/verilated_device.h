// SPDX-License-Identifier: Apache-2.0
// A Verilated model behind CycleDevice. Include the model's header first; Pins is a struct with In, Out, drive(model,
// in), sample(model, out).
#pragma once

#include <memory>
#include <string>

#include "models/common/cycle_device.h"
#include "verilated.h"
#include "verilated_sym_props.h"
#include "verilated_syms.h"
#ifdef ODONATA_RTL_COVERAGE
#include <unistd.h>

#include <cstdlib>
#include <typeinfo>

#include "verilated_cov.h"
#endif

namespace odonata::cosim {

/// One step is one rising edge of clk_i. Inputs change together with the edge, because the RTL reads every input in
/// flip-flops only.
template <class Model, class Pins>
class VerilatedDevice : public CycleDevice<typename Pins::In, typename Pins::Out> {
 public:
  /// `plant`: the number of a planted bug, in a model of woven sources (tb/harness/weave.py); 0: none. `start`: what
  /// has no value yet gets one that follows from this number, in a model of variant random; 0: it is 0.
  explicit VerilatedDevice(int plant = 0, int start = 0) : context_(std::make_unique<VerilatedContext>()) {
    if (start != 0) {
      context_->randReset(2);
      context_->randSeed(static_cast<int>(static_cast<uint32_t>(start) * 0x9E3779B9u >>
                                          1));  // of seeds that are near the first bits are alike
    }
    const std::string argument = "+odonata_plant=" + std::to_string(plant);
    const char* arguments[] = {"rtl", argument.c_str()};
    context_->commandArgs(2, arguments);
    context_->assertOn(plant == 0);  // a planted bug is for the comparison to find
    model_ = std::make_unique<Model>(context_.get(), "rtl");
    forget_names();
    model_->clk_i = 0;
    model_->eval();
  }
  ~VerilatedDevice() override {
    // The model takes its scopes out of the thread's context: it has to be this one, not that of a device that is gone.
    Verilated::threadContextp(context_.get());
    model_->final();
#ifdef ODONATA_RTL_COVERAGE
    write_coverage();
#endif
    model_.reset();
  }
  void step(const typename Pins::In& in, typename Pins::Out& out) override {
    Pins::drive(*model_, in);
    model_->clk_i = 1;
    model_->eval();
    after_edge(true);
    Pins::sample(*model_, out);
    model_->clk_i = 0;
    model_->eval();
    after_edge(false);
  }
  Model& model() { return *model_; }

 protected:
  /// For waveforms: called after the rising and after the falling edge.
  virtual void after_edge(bool) {}
  VerilatedContext& context() { return *context_; }

 private:
  /// The model lists the signals of the modules that are not inlined for VPI, which nobody asks here: 293 KB for a
  /// router of paper size, more than a third of the model.
  void forget_names() {
    for (const auto& [name, scope] : *context_->scopeNameMap()) {
      if (VerilatedVarNameMap* const signals = scope->varsp()) signals->clear();
    }
  }
#ifdef ODONATA_RTL_COVERAGE
  /// `./dev coverage` collects the files of all processes.
  void write_coverage() {
    static int number = 0;
    const char* folder = std::getenv("ODONATA_COVERAGE_DIR");
    if (folder == nullptr) return;
    const std::string file =
        std::to_string(getpid()) + "_" + typeid(Model).name() + "_" + std::to_string(++number) + ".dat";
    context_->coveragep()->write((std::string(folder) + "/" + file).c_str());
  }
#endif
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Model> model_;
};

/// A debug model with a waveform file; the clock period is 2 time units.
template <class Device, class Model, class File>
class Traced : public Device {
 public:
  using Device::Device;
  void open_trace(const std::string& path) override {
    Device::context().traceEverOn(true);
    file_ = std::make_unique<File>();
    Device::model().trace(file_.get(), 99);
    file_->open(path.c_str());
    if (!file_->isOpen()) throw std::runtime_error(path + ": cannot be written");
  }
  void close_trace() override {
    if (file_) file_->close();
    file_.reset();
  }

 private:
  void after_edge(bool) override {
    if (file_) file_->dump(time_);
    ++time_;
  }
  std::unique_ptr<File> file_;
  uint64_t time_ = 0;
};

}  // namespace odonata::cosim
