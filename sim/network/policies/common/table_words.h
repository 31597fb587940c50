// SPDX-License-Identifier: Apache-2.0
// The words of a routing table as numbers of 16 bits into a list of the different ones: a group's tables repeat few
// words very often, and are read at random places (docs/network.md §3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "models/common/state_check.h"

namespace odonata::network {

class TableWords {
 public:
  explicit TableWords(size_t size) : numbers_(size), words_(1) {}

  size_t size() const { return numbers_.size(); }
  /// (*this)[i] is words()[numbers()[i]]; both until the next set().
  const uint16_t* numbers() const { return numbers_.data(); }
  const uint64_t* words() const { return words_.data(); }
  uint64_t operator[](size_t i) const { return words_[numbers_[i]]; }
  /// Throws logic_error when there are more than 65,536 different words.
  void set(size_t i, uint64_t word) {
    if (number_of_.size() != words_.size()) {  // at first, and after a visit
      for (size_t n = 0; n != words_.size(); ++n) number_of_[words_[n]] = static_cast<uint16_t>(n);
    }
    const auto [found, fresh] = number_of_.try_emplace(word, static_cast<uint16_t>(words_.size()));
    if (fresh && words_.size() > UINT16_MAX)
      throw std::logic_error("network: more than 65,536 different words in the tables of a group");
    if (fresh) words_.push_back(word);
    numbers_[i] = found->second;
  }
  size_t bytes() const {
    return numbers_.size() * sizeof(uint16_t) +
           words_.size() * (sizeof(uint64_t) + sizeof(std::pair<uint64_t, uint16_t>));
  }
  /// Saves or restores the state: visit(container).
  template <class Visit>
  void visit_state(Visit&& visit) {
    visit(words_);
    expect_state(!words_.empty() && words_.size() <= size_t{UINT16_MAX} + 1, "words of a table");
    visit_below(visit, numbers_, words_.size(), "numbers of words in a table");
    number_of_.clear();  // the words may be others now, be they as many or not
  }

 private:
  std::vector<uint16_t> numbers_;
  std::vector<uint64_t> words_;  // the first one is 0
  std::unordered_map<uint64_t, uint16_t> number_of_;
};

}  // namespace odonata::network
