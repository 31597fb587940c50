// SPDX-License-Identifier: Apache-2.0
// A SystemC kernel of one's own, beside the process's usual one.
#pragma once

#include <systemc>

namespace odonata::hw {

/// SystemC allows one elaboration a simulation context, and a process starts with one context. A device that is made
/// and thrown away at any time (a lockstep campaign shrinks its stimulus on fresh devices) therefore brings its own:
/// modules made and sc_start() called within a Scope belong to this kernel, not to the one that may be running at the
/// moment. Threads (SC_THREAD) do not work inside.
class OwnKernel {
 public:
  /// While it lives, this kernel is the current one.
  class Scope {
   public:
    explicit Scope(OwnKernel& kernel) : before_(sc_core::sc_curr_simcontext) {
      sc_core::sc_curr_simcontext = kernel.context_;
    }
    ~Scope() { sc_core::sc_curr_simcontext = before_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    sc_core::sc_simcontext* before_;
  };

  OwnKernel() {
    sc_core::sc_get_curr_simcontext();  // the process's usual context comes first
    context_ = new sc_core::sc_simcontext;
  }
  /// All modules must be gone.
  ~OwnKernel() {
    const Scope scope(*this);
    delete context_;
  }
  OwnKernel(const OwnKernel&) = delete;
  OwnKernel& operator=(const OwnKernel&) = delete;

 private:
  sc_core::sc_simcontext* context_ = nullptr;
};

}  // namespace odonata::hw
