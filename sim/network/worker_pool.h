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
  int threads() const { return static_cast<int>(threads_.size()) + 1; }
  /// For short pieces: every thread calls work(step, thread) for step 0 .. steps-1. After each all wait for each other,
  /// and the calling thread calls after(step) before they go on. Throws as run() does.
  void run_steps(int steps, const std::function<void(int step, int thread)>& work,
                 const std::function<void(int step)>& after);

 private:
  void start(const std::function<void()>& prepare);
  void finish();
  void take_steps(int thread);
  template <class Work>
  void guarded(const Work& work);
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
  const std::function<void(int, int)>* step_work_ = nullptr;  // null: pieces
  const std::function<void(int)>* after_step_ = nullptr;
  int steps_ = 0;
  std::atomic<int> arrived_{0};   // other threads that are done with a step
  std::atomic<int> released_{0};  // steps that are over
  std::atomic<bool> failed_{false};
  std::exception_ptr error_;
};

}  // namespace odonata::network
