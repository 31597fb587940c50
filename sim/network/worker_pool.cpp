// SPDX-License-Identifier: Apache-2.0
#include "sim/network/worker_pool.h"

namespace odonata::network {

WorkerPool::WorkerPool(int threads) {
  for (int i = 1; i < threads; ++i) threads_.emplace_back([this, i] { serve(i); });
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  start_.notify_all();
  for (std::thread& t : threads_) t.join();
}

void WorkerPool::run(int count, const std::function<void(const Task&)>& work) {
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    count_ = count;
    next_ = 0;
    error_ = nullptr;
    busy_ = static_cast<int>(threads_.size());
    ++round_;
  }
  start_.notify_all();
  take(0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
  if (error_) std::rethrow_exception(error_);
}

int WorkerPool::claim() {
  const int i = next_++;
  return i < count_ ? i : kNone;
}

void WorkerPool::take(int thread) {
  for (Task task{claim(), kNone, thread}; task.number != kNone; task.number = task.next != kNone ? task.next : claim()) {
    // The last ones stay free for whoever is ready first.
    task.next = next_ + static_cast<int>(threads_.size()) < count_ ? claim() : kNone;
    try {
      (*work_)(task);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }
}

void WorkerPool::serve(int thread) {
  uint64_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return stop_ || round_ != seen; });
      if (stop_) return;
      seen = round_;
    }
    take(thread);
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) done_.notify_one();
  }
}

}  // namespace odonata::network
