// SPDX-License-Identifier: Apache-2.0
#include "sim/network/mpi/mpi_exchange.h"

#include <mpi.h>

#include "models/common/error.h"
#include "sim/network/mpi/launch.h"

namespace odonata::network {

namespace {

class MpiExchange final : public Exchange {
 public:
  MpiExchange() {
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    MPI_Comm_rank(MPI_COMM_WORLD, &own_);
  }
  int ranks() const override { return ranks_; }
  int own() const override { return own_; }

  /// One message to and from each peer; the nearest in number first, so that not all write to the same one.
  void swap(const std::vector<int>& peers, const std::vector<Bytes>& to, std::vector<Bytes>& from) override {
    requests_.clear();
    size_t next = 0;
    while (next != peers.size() && peers[next] < own_) ++next;
    for (size_t i = 0; i != peers.size(); ++i) {
      const int rank = peers[(next + i) % peers.size()];
      const Bytes& data = to[static_cast<size_t>(rank)];
      requests_.emplace_back();
      MPI_Isend(data.data(), count_of(data.size()), MPI_BYTE, rank, 0, MPI_COMM_WORLD, &requests_.back());
    }
    for (size_t i = peers.size(); i-- != 0;) {
      const int rank = peers[(next + i) % peers.size()];
      MPI_Message message;
      MPI_Status status;
      int size = 0;
      MPI_Mprobe(rank, 0, MPI_COMM_WORLD, &message, &status);
      MPI_Get_count(&status, MPI_BYTE, &size);
      Bytes& data = from[static_cast<size_t>(rank)];
      data.resize(static_cast<size_t>(size));
      MPI_Mrecv(data.data(), size, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(count_of(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }
  void sum(std::span<uint64_t> values) override {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), count_of(values.size()), MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  }
  void largest(std::span<uint64_t> values) override {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), count_of(values.size()), MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  }
  std::vector<Bytes> gather(const Bytes& own) override {
    const auto ranks = static_cast<size_t>(ranks_);
    std::vector<int> sizes(ranks), starts(ranks);
    const int size = count_of(own.size());
    MPI_Allgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, MPI_COMM_WORLD);
    size_t sum = 0;
    for (size_t r = 0; r != ranks; ++r) {
      starts[r] = count_of(sum);
      sum += static_cast<size_t>(sizes[r]);
    }
    Bytes all(sum);
    MPI_Allgatherv(own.data(), size, MPI_BYTE, all.data(), sizes.data(), starts.data(), MPI_BYTE, MPI_COMM_WORLD);
    std::vector<Bytes> out;
    for (size_t r = 0; r != ranks; ++r) out.emplace_back(all.begin() + starts[r], all.begin() + starts[r] + sizes[r]);
    return out;
  }

 private:
  static int count_of(size_t n) {
    if (n > INT32_MAX) throw Error("a message between ranks has more than 2 GiB: use more ranks");
    return static_cast<int>(n);
  }
  int ranks_ = 1, own_ = 0;
  std::vector<MPI_Request> requests_;
};

}  // namespace

std::unique_ptr<Exchange> join_ranks() {
  if (launched_ranks() == 1) return nullptr;
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  auto out = std::make_unique<MpiExchange>();
  if (out->ranks() > 1) return out;
  MPI_Finalize();
  throw Error("started as " + std::to_string(launched_ranks()) +
              " processes that do not find each other; with Slurm: srun --mpi=pmix");
}

void leave_ranks() { MPI_Finalize(); }

}  // namespace odonata::network
