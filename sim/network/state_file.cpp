// SPDX-License-Identifier: Apache-2.0
#include "sim/network/state_file.h"

#include <cstring>

namespace odonata::network {

namespace {

constexpr char kMagic[] = "odonata network checkpoint 1\n";

/// Fletcher-like sum over 8-byte words; order matters.
uint64_t add_to_sum(uint64_t sum, const void* data, size_t bytes) {
  const char* at = static_cast<const char*>(data);
  for (; bytes >= 8; bytes -= 8, at += 8) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    sum = (sum ^ word) * 0x9E3779B97F4A7C15ull;
  }
  for (; bytes != 0; --bytes, ++at) sum = (sum ^ static_cast<unsigned char>(*at)) * 0x9E3779B97F4A7C15ull;
  return sum;
}

}  // namespace

StateWriter::StateWriter(std::ostream& to, const std::string& configuration) : to_(to) {
  write(kMagic, sizeof kMagic);
  (*this)(std::vector<char>(configuration.begin(), configuration.end()));
}

void StateWriter::write(const void* data, size_t bytes) {
  sum_ = add_to_sum(sum_, data, bytes);
  to_.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
}

void StateWriter::finish() {
  const uint64_t sum = sum_;
  to_.write(reinterpret_cast<const char*>(&sum), sizeof sum);
  to_.flush();
  if (!to_) throw Error("checkpoint: could not be written");
}

StateReader::StateReader(std::istream& from, const std::string& configuration) : from_(from) {
  char magic[sizeof kMagic] = {};
  from_.read(magic, sizeof magic);
  if (!from_ || std::memcmp(magic, kMagic, sizeof magic) != 0) throw Error("checkpoint: not a checkpoint of the network engine");
  sum_ = add_to_sum(sum_, magic, sizeof magic);
  std::vector<char> stored;
  (*this)(stored);
  if (std::string(stored.begin(), stored.end()) != configuration) {
    throw Error("checkpoint: made with another configuration: " + std::string(stored.begin(), stored.end()));
  }
}

void StateReader::read(void* data, size_t bytes) {
  from_.read(static_cast<char*>(data), static_cast<std::streamsize>(bytes));
  if (!from_) throw Error("checkpoint: ends early");
  sum_ = add_to_sum(sum_, data, bytes);
}

void StateReader::finish() {
  uint64_t sum = 0;
  from_.read(reinterpret_cast<char*>(&sum), sizeof sum);
  if (!from_ || sum != sum_) throw Error("checkpoint: damaged");
}

}  // namespace odonata::network
