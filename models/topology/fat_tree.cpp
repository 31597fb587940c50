// SPDX-License-Identifier: Apache-2.0
#include "models/topology/fat_tree.h"

#include <charconv>
#include <utility>
#include <vector>

namespace odonata {

namespace {

void check(bool good, const std::string& what) {
  if (!good) throw Error("fat-tree: " + what);
}

}  // namespace

FatTree::FatTree(std::span<const int> sizes, int p, int u) : dimensions_(static_cast<int>(sizes.size())), p_(p), u_(u) {
  check(dimensions_ >= 2 && dimensions_ <= kMaxDimensions, std::to_string(dimensions_) + " dimensions, expected 2..4");
  for (int d = 0; d < dimensions_; ++d) {
    const int n = sizes[static_cast<size_t>(d)];
    check(n >= 2 && n <= kMaxLine,
          "size " + std::to_string(n) + " of dimension " + std::to_string(d) + ", expected 2..128");
    size_[d] = n;
    stride_[d] = num_leaves_;
    check(num_leaves_ <= (1 << 24) / n, "more than 16777216 leaf switches");
    num_leaves_ *= n;
  }
  check(p >= 1 && p <= kMaxNodes, std::to_string(p) + " nodes a leaf, expected 1..32");
  check(u >= 1 && u <= p && p % u == 0,
        std::to_string(u) + " rails, expected a divisor of the " + std::to_string(p) + " nodes of a leaf");
  check(leaf_ports() <= kMaxPorts, "a leaf has " + std::to_string(leaf_ports()) + " ports, expected at most 127");
}

namespace {

FatTree of_numbers(std::string_view text, const Error& bad) {
  std::vector<int> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    int value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || (next != end && *next != ',')) throw bad;
    numbers.push_back(value);
    if (next == end) break;
    at = next + 1;
  }
  if (numbers.size() < 4 || numbers.size() > 2 + FatTree::kMaxDimensions) throw bad;
  return {std::span(numbers).first(numbers.size() - 2), numbers[numbers.size() - 2], numbers.back()};
}

constexpr std::pair<std::string_view, std::string_view> kNamed[] = {
    {"tiny", "4,4,2,2"}, {"small", "8,8,8,8"}, {"paper", "16,16,16,16"}, {"full", "72,72,24,24"}};

}  // namespace

FatTree FatTree::parse(std::string_view text) {
  for (const auto& [name, numbers] : kNamed) {
    if (name == text) text = numbers;
  }
  return of_numbers(text,
                    Error("fat-tree '" + std::string(text) +
                          "', expected columns,rows,nodes,rails such as 16,16,16,16 (more dimensions: more sizes in "
                          "front), or tiny, small, paper, full"));
}

FatTree FatTree::named(std::string_view name) {
  for (const auto& [known, numbers] : kNamed) {
    if (known == name) return parse(numbers);
  }
  throw Error("fat-tree size '" + std::string(name) + "', expected tiny, small, paper or full");
}

std::string FatTree::name() const {
  std::string text = "fat-tree ";
  for (int d = 0; d < dimensions_; ++d) text += (d ? "x" : "") + std::to_string(size_[d]);
  return text + ", " + std::to_string(p_) + " nodes and " + std::to_string(u_) + " rails a leaf";
}

int FatTree::num_roots() const {
  int roots = 0;
  for (int d = 0; d < dimensions_; ++d) roots += num_lines(d) * u_;
  return roots;
}

int FatTree::leaf(const Point& at) const {
  int leaf = 0;
  for (int d = 0; d < dimensions_; ++d) leaf += at[d] * stride_[d];
  return leaf;
}

FatTree::Point FatTree::point(int leaf) const {
  Point at{};
  for (int d = 0; d < dimensions_; ++d) at[d] = leaf / stride_[d] % size_[d];
  return at;
}

FatTree::LeafPort FatTree::leaf_port(int port) const {
  if (port < p_) return {port, -1, -1};
  return {-1, (port - p_) / u_, (port - p_) % u_};
}

int FatTree::line(int leaf, int dimension) const {
  const int stride = stride_[dimension];
  return leaf / (stride * size_[dimension]) * stride + leaf % stride;
}

int FatTree::leaf_of_line(int dimension, int line, int at) const {
  const int stride = stride_[dimension];
  return line / stride * stride * size_[dimension] + line % stride + at * stride;
}

}  // namespace odonata
