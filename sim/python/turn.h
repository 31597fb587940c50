// SPDX-License-Identifier: Apache-2.0
// Objects that compute without the interpreter's lock, used by several Python threads.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "models/common/error.h"

namespace odonata::python {

/// The threads that wait for an object: first come, first served.
struct TurnQueue {
  std::mutex mutex;
  std::condition_variable moved;
  uint64_t next = 0, serving = 0;
  std::thread::id holder;
};

/// A thread's turn with the object. It is waited for without the interpreter's lock, which may be given up while it
/// lasts. Python code within, as the handler of a signal, that comes back to the object gets an Error.
class Turn {
 public:
  explicit Turn(TurnQueue& queue) : queue_(queue) {
    std::unique_lock<std::mutex> lock(queue_.mutex);
    if (queue_.holder == std::this_thread::get_id()) throw Error("asked for in the middle of its run");
    const uint64_t own = queue_.next++;
    if (own != queue_.serving) {
      lock.unlock();
      const pybind11::gil_scoped_release others_run;
      lock.lock();
      queue_.moved.wait(lock, [&] { return queue_.serving == own; });
      lock.unlock();  // before the interpreter's lock is waited for
    }
    if (!lock) lock.lock();
    queue_.holder = std::this_thread::get_id();
  }
  ~Turn() {
    {
      const std::lock_guard<std::mutex> lock(queue_.mutex);
      queue_.holder = {};
      ++queue_.serving;
    }
    queue_.moved.notify_all();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  TurnQueue& queue_;
};

/// Ctrl-C and other signals, for a thread that computes without the interpreter's lock. That may be long in coming, so
/// they are looked for ten times a second.
class SignalWatch {
 public:
  /// Throws what the handler of a signal raised.
  void look() {
    if (++calls_ % 64 != 0 || Clock::now() < next_) return;
    const pybind11::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
    next_ = Clock::now() + kBetween;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kBetween{100};
  uint64_t calls_ = 0;
  Clock::time_point next_ = Clock::now() + kBetween;
};

}  // namespace odonata::python
