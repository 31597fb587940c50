// SPDX-License-Identifier: Apache-2.0
// Ranks without MPI: each is a thread of this process with a part of the network of its own.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <barrier>
#include <cstdio>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "sim/network/exchange.h"
#include "tb/harness/files.h"

namespace odonata::network {

/// What the ranks of a run share.
class ThreadRanks {
 public:
  explicit ThreadRanks(int ranks)
      : ranks_(ranks), all_(ranks), box_(static_cast<size_t>(ranks), Row(static_cast<size_t>(ranks))) {}

  /// Runs work(exchange) on every rank; what each of them threw ("": nothing). All have to throw at the same place, or
  /// none.
  std::vector<std::string> run(const std::function<void(Exchange&)>& work) {
    std::vector<std::string> errors(static_cast<size_t>(ranks_));
    std::vector<std::thread> threads;
    for (int r = 0; r < ranks_; ++r) {
      threads.emplace_back([&, r] {
        One own(*this, r);
        try {
          work(own);
        } catch (const std::exception& e) {
          errors[static_cast<size_t>(r)] = e.what();
        }
      });
    }
    for (std::thread& t : threads) t.join();
    return errors;
  }

 private:
  using Row = std::vector<Exchange::Bytes>;

  class One final : public Exchange {
   public:
    One(ThreadRanks& shared, int own) : shared_(shared), own_(own) {}
    int ranks() const override { return shared_.ranks_; }
    int own() const override { return own_; }
    void swap(const std::vector<int>& peers, const std::vector<Bytes>& to, std::vector<Bytes>& from) override {
      for (const int r : peers) box(own_, r) = to[static_cast<size_t>(r)];
      shared_.all_.arrive_and_wait();
      for (const int r : peers) from[static_cast<size_t>(r)] = box(r, own_);
      shared_.all_.arrive_and_wait();
    }
    void sum(std::span<uint64_t> values) override {
      combine(values, [](uint64_t a, uint64_t b) { return a + b; });
    }
    void largest(std::span<uint64_t> values) override {
      combine(values, [](uint64_t a, uint64_t b) { return std::max(a, b); });
    }
    std::vector<Bytes> gather(const Bytes& own) override {
      box(own_, own_) = own;
      shared_.all_.arrive_and_wait();
      std::vector<Bytes> out;
      for (int r = 0; r < ranks(); ++r) out.push_back(box(r, r));
      shared_.all_.arrive_and_wait();
      return out;
    }

   private:
    Bytes& box(int from, int to) { return shared_.box_[static_cast<size_t>(from)][static_cast<size_t>(to)]; }
    template <class Operation>
    void combine(std::span<uint64_t> values, Operation operation) {
      const auto bytes = std::as_bytes(values);
      const std::vector<Bytes> all = gather({bytes.begin(), bytes.end()});
      for (size_t r = 0; r < all.size(); ++r) {
        const auto* theirs = reinterpret_cast<const uint64_t*>(all[r].data());
        for (size_t i = 0; i < values.size(); ++i) values[i] = r == 0 ? theirs[i] : operation(values[i], theirs[i]);
      }
    }
    ThreadRanks& shared_;
    int own_;
  };

  int ranks_;
  std::barrier<> all_;
  std::vector<Row> box_;  // from, to
};

/// The checkpoint of several ranks: save(exchange, stream) on every one, its stream one of its own to the one file.
inline std::string saved_by(int ranks, const std::function<void(Exchange&, std::ostream&)>& save) {
  const std::string path = testing::TempDir() + "odonata_state_" + std::to_string(getpid());
  OutputFile(path).write("");
  const auto errors = ThreadRanks(ranks).run([&](Exchange& exchange) {
    FilePart part(path);
    save(exchange, part.stream());
    part.close();
  });
  for (const std::string& error : errors) EXPECT_EQ(error, "");
  std::string out = read_text(path);
  std::remove(path.c_str());
  return out;
}

}  // namespace odonata::network
