// SPDX-License-Identifier: Apache-2.0
// Objects that compute without the interpreter's lock, used by several Python threads.
#pragma once

#include <pybind11/pybind11.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace odonata::python {

/// The threads that wait for an object: first come, first served.
struct TurnQueue {
  std::mutex mutex;
  std::condition_variable moved;
  uint64_t next = 0, serving = 0;
};

/// A thread's turn with the object. It is waited for without the interpreter's lock, which may be given up while it
/// lasts. Not for Python code within: that may come back to the object.
class Turn {
 public:
  explicit Turn(TurnQueue& queue) : queue_(queue) {
    std::unique_lock<std::mutex> lock(queue_.mutex);
    const uint64_t own = queue_.next++;
    if (own == queue_.serving) return;
    lock.unlock();
    const pybind11::gil_scoped_release others_run;
    lock.lock();
    queue_.moved.wait(lock, [&] { return queue_.serving == own; });
    lock.unlock();  // before the interpreter's lock is waited for
  }
  ~Turn() {
    {
      const std::lock_guard<std::mutex> lock(queue_.mutex);
      ++queue_.serving;
    }
    queue_.moved.notify_all();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  TurnQueue& queue_;
};

}  // namespace odonata::python
