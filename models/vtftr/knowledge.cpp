// SPDX-License-Identifier: Apache-2.0
#include "models/vtftr/knowledge.h"

#include <cmath>
#include <vector>

namespace odonata::vtftr {

FaultSet::FaultSet(const FatTree& tree, std::span<const LeafId> faults)
    : row_(static_cast<size_t>(tree.rows())), column_(static_cast<size_t>(tree.columns())) {
  for (const LeafId& leaf : faults) set(leaf);
}

void FaultSet::set(LeafId leaf, bool dead) {
  if (leaf.x < 0 || leaf.x >= columns() || leaf.y < 0 || leaf.y >= rows()) {
    throw Error("leaf:" + std::to_string(leaf.x) + "," + std::to_string(leaf.y) +
                " is outside the grid, expected column 0.." + std::to_string(columns() - 1) + " and row 0.." +
                std::to_string(rows() - 1));
  }
  LineMap &row = row_[static_cast<size_t>(leaf.y)], &column = column_[static_cast<size_t>(leaf.x)];
  dead ? row.set(leaf.x) : row.clear(leaf.x);
  dead ? column.set(leaf.y) : column.clear(leaf.y);
}

LineMap FaultSet::faulty_columns() const {
  LineMap all;
  for (const LineMap& row : row_) all = all | row;
  return all;
}

LineMap FaultSet::faulty_rows() const {
  LineMap all;
  for (const LineMap& column : column_) all = all | column;
  return all;
}

int FaultSet::count() const {
  int n = 0;
  for (const LineMap& row : row_) n += row.count();
  return n;
}

Knowledge::Knowledge(const FaultSet& known) : known_(known) {
  mask_[kRow] = known.faulty_columns();
  mask_[kColumn] = known.faulty_rows();
  column_first_ = mask_[kRow].count() == known.columns() && mask_[kColumn].count() < known.rows();
}

namespace {

double log_choose(double n, double k) { return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1); }

/// C(n, k) for all n up to `most`, modulo 2^64.
std::vector<uint64_t> choose_of_all(int most, int k) {
  std::vector<uint64_t> row(static_cast<size_t>(k) + 1), out;
  row[0] = 1;
  for (int n = 0; n <= most; ++n) {
    out.push_back(row.back());
    for (size_t i = row.size() - 1; i > 0; --i) row[i] += row[i - 1];
  }
  return out;
}

/// Adds (-1)^(i+j) term(i, j, left) over the lines that are left out of the grid; `left` leaves remain.
template <class Sum, class Term>
Sum sum_over_lines(int columns, int rows, int faults, Term&& term) {
  Sum sum = 0;
  for (int i = 0; i <= columns; ++i) {
    for (int j = 0; j <= rows; ++j) {
      const int left = (columns - i) * (rows - j);
      if (left < faults) continue;
      (i + j) % 2 ? sum -= term(i, j, left) : sum += term(i, j, left);
    }
  }
  return sum;
}

}  // namespace

/// Sets are counted exactly, modulo 2^64, where their number is below that.
double tolerated_share(int columns, int rows, int faults) {
  constexpr double kLogOfMost = 44;  // of 2^63.5
  const int leaves = columns * rows;
  if (log_choose(leaves, faults) > kLogOfMost) {
    return 1 - sum_over_lines<double>(columns, rows, faults, [&](int i, int j, int left) {
             return std::exp(log_choose(columns, i) + log_choose(rows, j) + log_choose(left, faults) -
                             log_choose(leaves, faults));
           });
  }
  const std::vector<uint64_t> sets = choose_of_all(leaves, faults);
  const auto choose = [](int n, int k) { return choose_of_all(n, k).back(); };
  const uint64_t covering = sum_over_lines<uint64_t>(columns, rows, faults, [&](int i, int j, int left) {
    return choose(columns, i) * choose(rows, j) * sets[static_cast<size_t>(left)];
  });
  return static_cast<double>(sets.back() - covering) / static_cast<double>(sets.back());
}

}  // namespace odonata::vtftr
