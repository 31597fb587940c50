// SPDX-License-Identifier: Apache-2.0
#include "sim/network/worker_pool.h"

namespace odonata::network {

namespace {

/// Waits until `ready(value)`: steps are short, so it looks for some ten microseconds before it sleeps.
template <class Ready>
void wait_until(std::atomic<int>& value, Ready ready) {
  constexpr int kLooks = 500;
  int now = value.load(std::memory_order_acquire);
  for (int i = 0; i != kLooks && !ready(now); ++i) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
    now = value.load(std::memory_order_acquire);
  }
  for (; !ready(now); now = value.load(std::memory_order_acquire)) value.wait(now, std::memory_order_acquire);
}

}  // namespace

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

void WorkerPool::start(const std::function<void()>& prepare) {
  {
    const std::lock_guard lock(mutex_);
    prepare();
    error_ = nullptr;
    failed_ = false;
    busy_ = static_cast<int>(threads_.size());
    ++round_;
  }
  start_.notify_all();
}

void WorkerPool::finish() {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
  if (error_) std::rethrow_exception(error_);
}

void WorkerPool::run(int count, const std::function<void(const Task&)>& work) {
  start([&] {
    work_ = &work;
    step_work_ = nullptr;
    count_ = count;
    next_ = 0;
  });
  take(0);
  finish();
}

void WorkerPool::run_steps(int steps, const std::function<void(int step, int thread)>& work,
                           const std::function<void(int step)>& after) {
  start([&] {
    step_work_ = &work;
    after_step_ = &after;
    steps_ = steps;
    arrived_ = released_ = 0;
  });
  take_steps(0);
  finish();
}

int WorkerPool::claim() {
  const int i = next_++;
  return i < count_ ? i : kNone;
}

template <class Work>
void WorkerPool::guarded(const Work& work) {
  try {
    work();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
    failed_ = true;
  }
}

void WorkerPool::take(int thread) {
  for (Task task{claim(), kNone, thread}; task.number != kNone;
       task.number = task.next != kNone ? task.next : claim()) {
    // The last ones stay free for whoever is ready first.
    task.next = next_ + static_cast<int>(threads_.size()) < count_ ? claim() : kNone;
    guarded([&] { (*work_)(task); });
  }
}

/// After an error the steps that are left do nothing.
void WorkerPool::take_steps(int thread) {
  const auto others = static_cast<int>(threads_.size());
  for (int step = 0; step != steps_; ++step) {
    if (!failed_) guarded([&] { (*step_work_)(step, thread); });
    if (thread != 0) {
      if (++arrived_ == others) arrived_.notify_one();
      wait_until(released_, [step](int over) { return over > step; });
      continue;
    }
    wait_until(arrived_, [others](int count) { return count == others; });
    if (!failed_) guarded([&] { (*after_step_)(step); });
    arrived_ = 0;
    if (others == 0) continue;
    released_ = step + 1;
    released_.notify_all();
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
    step_work_ != nullptr ? take_steps(thread) : take(thread);
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) done_.notify_one();
  }
}

}  // namespace odonata::network
