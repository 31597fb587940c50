// SPDX-License-Identifier: Apache-2.0
// Objects that compute without the interpreter's lock, used by several Python threads.
#pragma once

#include <pybind11/pybind11.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>

#include "models/common/error.h"

namespace odonata::python {

constexpr std::chrono::milliseconds kBetweenSignals{100};  ///< that are looked for

/// Throws what the handler of a signal raised. Called without the interpreter's lock.
inline void look_for_signals() {
  const pybind11::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
}

/// The threads that want an object, in the order in which they came; the first has it.
struct TurnQueue {
  std::mutex mutex;
  std::condition_variable moved;
  std::deque<std::thread::id> line;
};

/// A thread's turn with the object. It is waited for without the interpreter's lock, which may be given up while it
/// lasts; Ctrl-C ends the waiting. Python code within, as the handler of a signal, that comes back to the object gets
/// an Error.
class Turn {
 public:
  explicit Turn(TurnQueue& queue) : queue_(queue) {
    std::unique_lock<std::mutex> lock(queue_.mutex);
    const auto own = std::this_thread::get_id();
    if (std::find(queue_.line.begin(), queue_.line.end(), own) != queue_.line.end())
      throw Error("asked for in the middle of its run");
    queue_.line.push_back(own);
    if (queue_.line.front() == own) return;
    lock.unlock();
    const pybind11::gil_scoped_release others_run;
    lock.lock();
    while (!queue_.moved.wait_for(lock, kBetweenSignals, [&] { return queue_.line.front() == own; })) {
      lock.unlock();  // never held where the interpreter's lock is waited for
      try {
        look_for_signals();
      } catch (...) {
        leave();
        throw;
      }
      lock.lock();
    }
    lock.unlock();
  }
  ~Turn() { leave(); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  void leave() {
    {
      const std::lock_guard<std::mutex> lock(queue_.mutex);
      queue_.line.erase(std::find(queue_.line.begin(), queue_.line.end(), std::this_thread::get_id()));
    }
    queue_.moved.notify_all();
  }

  TurnQueue& queue_;
};

/// Ctrl-C and other signals, for a thread that computes without the interpreter's lock. That may be long in coming, so
/// they are looked for ten times a second.
class SignalWatch {
 public:
  /// Throws what the handler of a signal raised.
  void look() {
    if (++calls_ % 64 != 0 || Clock::now() < next_) return;
    look_for_signals();
    next_ = Clock::now() + kBetweenSignals;
  }

 private:
  using Clock = std::chrono::steady_clock;
  uint64_t calls_ = 0;
  Clock::time_point next_ = Clock::now() + kBetweenSignals;
};

}  // namespace odonata::python
