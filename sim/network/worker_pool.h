// SPDX-License-Identifier: Apache-2.0
// Threads that share out the domains of a window. Who takes which domain changes nothing but the time.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace odonata::network {

class WorkerPool {
 public:
  /// `threads` >= 1; the calling thread is one of them.
  explicit WorkerPool(int threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// A piece of work.
  struct Task {
    int number = 0;  ///< 0 .. count - 1
    int next = 0;    ///< what the same thread works on after that; kNone: not known yet, or nothing
    int thread = 0;  ///< 0 .. threads - 1
  };
  static constexpr int kNone = -1;
  /// Calls work() for count tasks and returns when all are done. Throws the first exception of any of them.
  void run(int count, const std::function<void(const Task&)>& work);

 private:
  void serve(int thread);
  void take(int thread);
  int claim();

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable start_, done_;
  const std::function<void(const Task&)>* work_ = nullptr;
  int count_ = 0, busy_ = 0;
  uint64_t round_ = 0;
  bool stop_ = false;
  std::atomic<int> next_{0};
  std::exception_ptr error_;
};

}  // namespace odonata::network
