// SPDX-License-Identifier: Apache-2.0
// The engine's own containers: the post, numbered table words, the guide of the Bernoulli processes, the pool of
// threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "models/common/error.h"
#include "sim/network/exchange.h"
#include "sim/network/mail.h"
#include "sim/network/policies/common/table_words.h"
#include "sim/network/traffic_source.h"
#include "sim/network/worker_pool.h"
#include "sim/network/topologies/dragonfly.h"
#include "tb/common/error_text.h"

namespace odonata::network {
namespace {

TEST(NetworkParts, PostDeliversLinkByLinkInTheOrderOfSending) {
  const Config config = on_dragonfly(Dragonfly::parse("2,4,2,9"));
  const Wiring wiring = config.topology->wire(config);
  Post post(wiring, Share(nullptr, wiring.domains));
  Outbox outbox;
  constexpr uint32_t kDomain = 3, kLinks = 8, kMessages = 100;
  const auto own = [](const Post::End& e) { return e.domain == kDomain; };
  const auto first =
      static_cast<uint32_t>(std::find_if(post.ends().begin(), post.ends().end(), own) - post.ends().begin());
  ASSERT_EQ(kLinks, std::count_if(post.ends().begin(), post.ends().end(), own));
  outbox.open(kLinks);
  for (uint32_t i = 0; i != kMessages;) {
    auto flits = outbox.flits(10);
    auto credits = outbox.credits(10);
    for (const uint32_t end = i + 10; i != end; ++i) {
      flits.room(i * 5 % kLinks).due = i;
      credits.add(i * 3 % kLinks, {static_cast<uint16_t>(i), 1, true});
    }
    outbox.finish(flits), outbox.finish(credits);
  }
  outbox.deliver(post, 1, kDomain, first);
  uint32_t flits = 0, credits = 0;
  for (uint32_t link = 0; link != kLinks; ++link) {
    const uint32_t peer = post.ends()[first + link].peer;
    EXPECT_NE(kDomain, post.ends()[peer].domain);
    EXPECT_EQ(first + link, post.ends()[peer].peer);
    uint32_t due = 0;
    for (const FlitMessage& m : post.flits(1, peer, kDomain)) {
      EXPECT_EQ(link, m.due * 5 % kLinks);
      EXPECT_LE(due, m.due);
      due = m.due;
      ++flits;
    }
    for (const CreditMessage& m : post.credits(1, peer, kDomain)) {
      EXPECT_EQ(link, m.due * 3u % kLinks);
      ++credits;
    }
  }
  EXPECT_EQ(kMessages, flits);
  EXPECT_EQ(kMessages, credits);
}

TEST(NetworkParts, TableWordsAreWhatWasSet) {
  TableWords words(200'000);
  EXPECT_EQ(0u, words[7]);
  for (size_t i = 0; i < 65'535; ++i) words.set(i, ~i);
  for (size_t i = 0; i < 65'535; ++i) ASSERT_EQ(~i, words[i]);
  words.set(70'000, ~uint64_t{5});
  EXPECT_EQ(~uint64_t{5}, words[70'000]);
  EXPECT_THROW(words.set(70'001, 1), std::logic_error);  // 0 and 65,535 others are there
}

/// The gap without the guide: step by step.
uint32_t plain_gap(double probability, Random& random) {
  std::array<uint64_t, 65> more;
  double left = 1;
  for (uint64_t& m : more) {
    m = static_cast<uint64_t>(left * 0x1.0p63);
    left *= 1 - probability;
  }
  uint32_t gap = 1;
  for (;;) {
    const uint64_t u = random.next() >> 1;
    uint32_t steps = 0;
    while (steps < 64 && u < more[steps + 1]) ++steps;
    gap += steps;
    if (steps != 64) return gap;
  }
}

TEST(NetworkParts, GapsAreThoseOfTheProcess) {
  for (double load : {1.0, 0.9, 0.5, 0.1, 0.01, 0.001}) {
    const GeometricGap gap(load);
    Random a(1), b(1);
    for (int i = 0; i < 20'000; ++i) ASSERT_EQ(plain_gap(load, a), gap.draw(b)) << load;
  }
}

TEST(NetworkParts, PoolTellsWhatComesNext) {
  for (int threads : {1, 2, 3}) {
    WorkerPool pool(threads);
    for (int count : {0, 1, 2, 73}) {
      std::vector<std::atomic<int>> done(static_cast<size_t>(count));
      std::vector<int> promised(static_cast<size_t>(threads), WorkerPool::kNone);
      pool.run(count, [&](const WorkerPool::Task& t) {
        int& next = promised[static_cast<size_t>(t.thread)];
        if (next != WorkerPool::kNone) {
          EXPECT_EQ(next, t.number);
        }
        next = t.next;
        ++done[static_cast<size_t>(t.number)];
      });
      for (const auto& d : done) EXPECT_EQ(1, d);
    }
  }
}

/// All pieces are done, whoever fails; the first error is told, once, and the pool works on as a new one.
TEST(NetworkParts, PoolTellsTheFirstErrorOnce) {
  for (const int threads : {1, 3}) {
    WorkerPool pool(threads);
    std::atomic<int> done = 0;
    const auto fail = [&done](const WorkerPool::Task& t) {
      ++done;
      if (t.number == 2 || t.number == 5) throw Error("piece " + std::to_string(t.number));
    };
    const std::string error = error_text([&] { pool.run(8, fail); });
    EXPECT_TRUE(error == "piece 2" || (threads != 1 && error == "piece 5")) << error;
    EXPECT_EQ(done, 8) << threads;
    EXPECT_EQ(error_text([&] { pool.run(8, [&done](const WorkerPool::Task&) { ++done; }); }), "") << threads;
    EXPECT_EQ(error_text([&] {
                pool.run_steps(
                    1, [&done](int, int) { ++done; }, [](int) {});
              }),
              "")
        << threads;
    EXPECT_EQ(done, 16 + threads);
  }
}

}  // namespace
}  // namespace odonata::network
