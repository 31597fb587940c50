// SPDX-License-Identifier: Apache-2.0
#include "hw/fault/table_ram.h"

namespace odonata::fault {

MarkRam::MarkRam(const std::string& name, size_t rows)
    : level_a_(name + ".level_a", rows), lost_(name + ".lost", rows), partial_(name + ".partial", rows) {}

Marks MarkRam::read(uint32_t index) {
  Marks m;
  m.a = static_cast<Level>(level_a_.read(index));
  m.lost_b = lost_.read(index);
  m.partial_b = partial_.read(index);
  return m;
}

void MarkRam::write(uint32_t index, const Marks& m) {
  level_a_.write(index, static_cast<uint64_t>(m.a));
  lost_.write(index, m.lost_b);
  partial_.write(index, m.partial_b);
}

void MarkRam::clock(bool enable) {
  level_a_.clock(enable);
  lost_.clock(enable);
  partial_.clock(enable);
}

Marks MarkRam::peek(uint32_t index) const {
  Marks m;
  m.a = static_cast<Level>(level_a_.peek(index));
  m.lost_b = lost_.peek(index);
  m.partial_b = partial_.peek(index);
  return m;
}

void MarkRam::poke(uint32_t index, const Marks& m) {
  level_a_.poke(index, static_cast<uint64_t>(m.a));
  lost_.poke(index, m.lost_b);
  partial_.poke(index, m.partial_b);
}

OwnTableRam::OwnTableRam(const std::string& name, int rows, int banks) {
  const auto words = static_cast<size_t>((rows + banks - 1) / banks);
  for (int k = 0; k < banks; ++k) banks_.push_back(std::make_unique<Bank>(name + ".bank" + std::to_string(k), words));
}

RowWord OwnTableRam::read(int row) {
  Bank& b = bank(row);
  return {{b.options_a.read(index(row)), b.options_b.read(index(row))}, b.marks.read(index(row))};
}

void OwnTableRam::write(int row, const RowWord& word) {
  Bank& b = bank(row);
  b.options_a.write(index(row), word.configured.a);
  b.options_b.write(index(row), word.configured.b);
  b.marks.write(index(row), word.marks);
}

void OwnTableRam::clock(bool enable) {
  for (const auto& b : banks_) {
    b->options_a.clock(enable);
    b->options_b.clock(enable);
    b->marks.clock(enable);
  }
}

RowWord OwnTableRam::peek(int row) const {
  const Bank& b = *banks_[row % banks_.size()];
  return {{b.options_a.peek(index(row)), b.options_b.peek(index(row))}, b.marks.peek(index(row))};
}

void OwnTableRam::poke(int row, const RowWord& word) {
  Bank& b = bank(row);
  b.options_a.poke(index(row), word.configured.a);
  b.options_b.poke(index(row), word.configured.b);
  b.marks.poke(index(row), word.marks);
}

}  // namespace odonata::fault
