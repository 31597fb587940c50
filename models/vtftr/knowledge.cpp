// SPDX-License-Identifier: Apache-2.0
#include "models/vtftr/knowledge.h"

#include <cmath>

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

double tolerated_share(int columns, int rows, int faults) {
  const auto log_choose = [](double n, double k) {
    return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
  };
  const int leaves = columns * rows;
  double covering = 0;
  for (int i = 0; i <= columns; ++i) {
    for (int j = 0; j <= rows; ++j) {
      const int left = (columns - i) * (rows - j);
      if (left < faults) continue;
      const double share = std::exp(log_choose(columns, i) + log_choose(rows, j) + log_choose(left, faults) -
                                    log_choose(leaves, faults));
      covering += (i + j) % 2 ? -share : share;
    }
  }
  return 1 - covering;
}

}  // namespace odonata::vtftr
