// SPDX-License-Identifier: Apache-2.0
#include "models/workload/motif.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "models/common/error.h"
#include "models/common/joined.h"
#include "models/common/random.h"
#include "models/workload/script.h"

namespace odonata::workload {

namespace {

constexpr uint64_t kMostRanks = 1'048'576, kMostOps = 1ull << 28;  // of one iteration, all ranks: about 10 GB

/// The values of a motif's parameters, by name.
class Values {
 public:
  Values(const Motif& motif, std::string_view given) : motif_(motif.name) {
    for (const MotifParameter& p : motif.parameters) values_[p.name] = p.value;
    if (given.ends_with(',')) throw Error(motif_ + ": '" + std::string(given) + "' ends with a comma");
    while (!given.empty()) {
      const size_t end = std::min(given.find(','), given.size());
      const std::string_view one = given.substr(0, end);
      given.remove_prefix(std::min(end + 1, given.size()));
      const size_t equals = one.find('=');
      const std::string name(one.substr(0, equals));
      if (equals == std::string_view::npos || values_.count(name) == 0)
        throw Error(motif_ + ": '" + std::string(one) + "', expected NAME=VALUE with one of " +
                    joined(motif.parameters, &MotifParameter::name));
      if (!given_.insert(name).second) throw Error(motif_ + ": " + name + " is given twice");
      values_[name] = std::string(one.substr(equals + 1));
    }
  }
  uint64_t number(const std::string& name, uint64_t least, uint64_t most = static_cast<uint64_t>(INT64_MAX)) const {
    return number(name, values_.at(name), least, most);
  }
  uint32_t count(const std::string& name, uint32_t least = 1, uint32_t most = kMostRanks) const {
    return static_cast<uint32_t>(number(name, least, most));
  }
  /// Of `size` of nz, whole ones; one at least.
  uint64_t blocks(const std::string& size) const {
    const uint64_t nz = number("nz", 1), of = number(size, 1);
    if (nz < of)
      throw Error(motif_ + ": nz: " + std::to_string(nz) + ", expected " + size + " = " + std::to_string(of) +
                  " at least: there is no whole block");
    return nz / of;
  }
  const std::string& word(const std::string& name) const { return values_.at(name); }
  /// "2x2x3": at least one number of 1 or more.
  std::vector<uint32_t> grid(const std::string& name) const {
    std::vector<uint32_t> out;
    for (std::string_view text = values_.at(name);;) {
      const size_t end = std::min(text.find('x'), text.size());
      out.push_back(static_cast<uint32_t>(number(name, std::string(text.substr(0, end)), 1, kMostRanks)));
      if (end == text.size()) return out;
      text.remove_prefix(end + 1);
    }
  }
  [[noreturn]] void refuse(const std::string& name, const std::string& expected) const {
    throw Error(motif_ + ": " + name + " is '" + values_.at(name) + "', expected " + expected);
  }
  /// Ranks of a grid.
  uint32_t ranks(const std::vector<uint32_t>& grid, const std::string& what) const {
    uint64_t n = 1;
    for (const uint32_t g : grid) {
      n *= g;
      if (n > kMostRanks) throw Error(motif_ + ": " + what + " has more than " + std::to_string(kMostRanks) + " ranks");
    }
    return static_cast<uint32_t>(n);
  }
  /// Refuses what would not fit into memory: about so many operations.
  void check_ops(uint64_t ranks, uint64_t ops_of_rank) const {
    if (ops_of_rank > kMostOps / std::max<uint64_t>(ranks, 1))
      throw Error(motif_ + ": more than " + std::to_string(kMostOps) + " operations an iteration");
  }

 private:
  uint64_t number(const std::string& name, const std::string& text, uint64_t least, uint64_t most) const {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) {
      throw Error(motif_ + ": " + name + " is '" + text + "', expected a number " + std::to_string(least) + ".." +
                  std::to_string(most));
    }
    return value;
  }

  std::string motif_;
  std::map<std::string, std::string> values_;
  std::set<std::string> given_;
};

std::vector<uint32_t> all_ranks(uint32_t n) {
  std::vector<uint32_t> out(n);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

/// Lets every rank write its script.
void write(Job& job, uint32_t ranks, const std::function<void(uint32_t, Script&)>& of_rank) {
  job.ranks.resize(ranks);
  for (uint32_t r = 0; r < ranks; ++r) {
    Script script(job.ranks[r]);
    of_rank(r, script);
    script.wait();
    job.ranks[r].ops.shrink_to_fit();
    job.ranks[r].needs.shrink_to_fit();
  }
}

/// One sweep over a grid of px x py ranks from a corner: from behind in x and y, a calculation, on in x and y; `blocks`
/// times.
struct Sweep {
  uint32_t px, py;
  uint64_t bytes_x, bytes_y, blocks, ns;
  void run(Script& script, uint32_t rank, bool from_high_x, bool from_high_y) const {
    const uint32_t x = rank % px, y = rank / px;
    const bool behind_x = from_high_x ? x + 1 < px : x > 0, on_x = from_high_x ? x > 0 : x + 1 < px;
    const bool behind_y = from_high_y ? y + 1 < py : y > 0, on_y = from_high_y ? y > 0 : y + 1 < py;
    const uint32_t high_x = rank + 1, low_x = rank - 1, high_y = rank + px, low_y = rank - px;
    for (uint64_t k = 0; k < blocks; ++k) {
      if (behind_x) script.recv(from_high_x ? high_x : low_x, bytes_x);
      if (behind_y) script.recv(from_high_y ? high_y : low_y, bytes_y);
      script.calc(ns);
      if (on_x) script.send(from_high_x ? low_x : high_x, bytes_x);
      if (on_y) script.send(from_high_y ? low_y : high_y, bytes_y);
    }
  }
};

void make_lu(Job& job, const Values& v) {
  const uint64_t block = v.number("nzblock", 1), nx = v.number("nx", 1), ny = v.number("ny", 1);
  const Sweep sweep{v.count("px"),
                    v.count("py"),
                    multiply_63(nx, block, "lu: bytes of a message"),
                    multiply_63(ny, block, "lu: bytes of a message"),
                    v.blocks("nzblock"),
                    v.number("compute", 0)};
  const uint32_t n = v.ranks({sweep.px, sweep.py}, "px x py");
  v.check_ops(n, sweep.blocks > kMostOps ? kMostOps : 10 * sweep.blocks);
  job.phases = {"forward", "backward"};
  write(job, n, [&](uint32_t r, Script& script) {
    for (const bool back : {false, true}) {
      script.phase(back ? 1 : 0);
      sweep.run(script, r, back, back);
    }
  });
}

void make_sweep3d(Job& job, const Values& v) {
  const uint64_t kba = v.number("kba", 1),
                 word = multiply_63(multiply_63(kba, 8, "sweep3d: bytes"), v.number("fields", 1), "sweep3d: bytes");
  const Sweep sweep{v.count("px"),
                    v.count("py"),
                    multiply_63(v.number("nx", 1), word, "sweep3d: bytes of a message"),
                    multiply_63(v.number("ny", 1), word, "sweep3d: bytes of a message"),
                    v.blocks("kba"),
                    v.number("compute", 0)};
  const uint32_t n = v.ranks({sweep.px, sweep.py}, "px x py");
  v.check_ops(n, sweep.blocks > kMostOps ? kMostOps : 20 * sweep.blocks);
  job.phases = {"corner 0,0", "corner P,0", "corner P,P", "corner 0,P"};
  write(job, n, [&](uint32_t r, Script& script) {
    constexpr std::array<std::array<bool, 2>, 4> kHigh{{{false, false}, {true, false}, {true, true}, {false, true}}};
    for (uint8_t corner = 0; corner < 4; ++corner) {
      script.phase(corner);
      sweep.run(script, r, kHigh[corner][0], kHigh[corner][1]);
    }
  });
}

void make_fft3d(Job& job, const Values& v) {
  const uint64_t size = v.number("n", 2, 1'000'000), half = size / 2 + 1;
  const uint32_t n = v.count("ranks"), rows = v.count("rows");
  if (n % rows != 0) v.refuse("rows", "a divisor of ranks");
  const uint32_t columns = n / rows;
  const bool barrier = v.number("barrier", 0, 1) != 0;
  v.check_ops(n, 4 * (uint64_t{rows} + columns) + 20);
  const uint64_t ns = multiply_63(size, size * size / n, "fft3d: ns of a calculation");
  job.phases = {"column", "row", "row back", "column back", "barrier"};
  const std::vector<uint32_t> all = all_ranks(n);
  write(job, n, [&](uint32_t r, Script& script) {
    const uint32_t row = r % rows, column = r / rows;
    std::vector<uint32_t> in_column(rows), in_row(columns);
    for (uint32_t i = 0; i < rows; ++i) in_column[i] = column * rows + i;
    for (uint32_t i = 0; i < columns; ++i) in_row[i] = row + i * rows;
    constexpr uint64_t kBytes = 2 * sizeof(double);
    // What `a` of a column sends to `b`: b's part of the half spectrum for a's rows; in a row: a's part for b's planes.
    const auto of_column = [&](uint32_t a, uint32_t b) {
      return kBytes * part_of(half, rows, b) * part_of(size, rows, a) * part_of(size, columns, column);
    };
    const auto of_row = [&](uint32_t a, uint32_t b) {
      return kBytes * part_of(half, rows, row) * part_of(size, columns, b) * part_of(size, columns, a);
    };
    const auto exchange = [&](uint8_t phase, bool in_columns) {
      script.phase(phase);
      script.calc(ns);
      in_columns ? alltoallv_ring(script, in_column, row, of_column) : alltoallv_ring(script, in_row, column, of_row);
    };
    const auto finish = [&](uint8_t phase) {
      script.phase(phase);
      script.calc(ns);
      script.phase(4);
      if (barrier) barrier_tree(script, all, r);
    };
    exchange(0, true);
    exchange(1, false);
    finish(1);
    exchange(2, false);
    exchange(3, true);
    finish(3);
  });
}

/// Coordinates of a rank, first dimension fastest.
std::vector<uint32_t> coordinates(uint32_t rank, const std::vector<uint32_t>& grid) {
  std::vector<uint32_t> out;
  for (const uint32_t g : grid) {
    out.push_back(rank % g);
    rank /= g;
  }
  return out;
}

/// The rank one step away in dimension d, -1 at the border.
int64_t neighbour(uint32_t rank, const std::vector<uint32_t>& grid, size_t d, int step) {
  uint32_t stride = 1;
  for (size_t i = 0; i < d; ++i) stride *= grid[i];
  const uint32_t at = rank / stride % grid[d];
  if (step < 0 ? at == 0 : at + 1 == grid[d]) return -1;
  return static_cast<int64_t>(rank) + step * static_cast<int64_t>(stride);
}

/// Three factors of n as equal as can be, the largest first: least sum, then least largest.
std::vector<uint32_t> near_cube(uint32_t n) {
  std::vector<uint32_t> best{n, 1, 1};
  const auto sum = [](const std::vector<uint32_t>& g) { return uint64_t{g[0]} + g[1] + g[2]; };
  for (uint32_t z = 1; uint64_t{z} * z * z <= n; ++z) {
    if (n % z != 0) continue;
    for (uint32_t y = z; uint64_t{y} * y <= n / z; ++y) {
      if (n / z % y != 0) continue;
      const std::vector<uint32_t> grid{n / z / y, y, z};
      if (sum(grid) < sum(best)) best = grid;
    }
  }
  return best;
}

std::vector<uint32_t> cube_of(const Values& v) {
  std::vector<uint32_t> grid = v.grid("grid");
  if (grid.size() == 1) grid = near_cube(grid[0]);
  if (grid.size() != 3) v.refuse("grid", "XxYxZ, or a number of ranks");
  return grid;
}

void make_halo3d(Job& job, const Values& v) {
  const std::vector<uint32_t> grid = cube_of(v);
  const uint64_t bytes = v.number("bytes", 0), ns = v.number("compute", 0);
  job.phases = {"x", "y", "z"};
  write(job, v.ranks(grid, "grid"), [&](uint32_t r, Script& script) {
    for (uint8_t d = 0; d < 3; ++d) {
      script.phase(d);
      if (d == 0) script.calc(ns);
      for (const int step : {-1, 1}) {
        if (const int64_t peer = neighbour(r, grid, d, step); peer >= 0)
          script.irecv(static_cast<uint32_t>(peer), bytes);
      }
      for (const int step : {-1, 1}) {
        if (const int64_t peer = neighbour(r, grid, d, step); peer >= 0)
          script.send(static_cast<uint32_t>(peer), bytes);
      }
      script.wait();
    }
  });
}

/// All 26 neighbours at once, then wait. `bytes(order)`: order 1 face, 2 edge, 3 corner.
void halo26(Script& script, uint32_t rank, const std::vector<uint32_t>& grid,
            const std::function<uint64_t(int)>& bytes) {
  const std::vector<uint32_t> at = coordinates(rank, grid);
  const auto each = [&](auto see) {
    for (int z = -1; z <= 1; ++z) {
      for (int y = -1; y <= 1; ++y) {
        for (int x = -1; x <= 1; ++x) {
          const std::array<int, 3> step{x, y, z};
          int64_t peer = 0, stride = 1;
          bool inside = true;
          for (size_t d = 0; d < 3; ++d) {
            const int64_t c = static_cast<int64_t>(at[d]) + step[d];
            inside = inside && c >= 0 && c < static_cast<int64_t>(grid[d]);
            peer += c * stride;
            stride *= grid[d];
          }
          const int order = (x != 0) + (y != 0) + (z != 0);
          if (inside && order != 0) see(static_cast<uint32_t>(peer), bytes(order));
        }
      }
    }
  };
  each([&](uint32_t peer, uint64_t b) { script.irecv(peer, b); });
  each([&](uint32_t peer, uint64_t b) { script.isend(peer, b); });
  script.wait();
}

void make_halo3d26(Job& job, const Values& v) {
  const std::vector<uint32_t> grid = cube_of(v);
  const uint64_t n = v.number("n", 1, 1'000'000),
                 unit = multiply_63(v.number("fields", 1), v.number("word", 1), "halo3d26: bytes"),
                 ns = v.number("compute", 0);
  const uint64_t edge = multiply_63(unit, n, "halo3d26: bytes"), face = multiply_63(edge, n, "halo3d26: bytes");
  write(job, v.ranks(grid, "grid"), [&](uint32_t r, Script& script) {
    script.calc(ns);
    halo26(script, r, grid, [&](int order) { return order == 1 ? face : order == 2 ? edge : unit; });
  });
}

void make_stencil(Job& job, const Values& v) {
  const std::vector<uint32_t> grid = v.grid("grid");
  const uint64_t bytes = v.number("bytes", 0), ns = v.number("compute", 0);
  job.phases = {"up", "down"};
  write(job, v.ranks(grid, "grid"), [&](uint32_t r, Script& script) {
    script.calc(ns);
    for (const int step : {1, -1}) {
      script.phase(step == 1 ? 0 : 1);
      const auto each = [&](int way, auto see) {
        for (size_t d = 0; d < grid.size(); ++d) {
          if (const int64_t peer = neighbour(r, grid, d, way); peer >= 0) see(static_cast<uint32_t>(peer));
        }
      };
      each(-step, [&](uint32_t peer) { script.irecv(peer, bytes); });
      each(step, [&](uint32_t peer) { script.send(peer, bytes); });
    }
    script.wait();
  });
}

void make_dl(Job& job, const Values& v) {
  const uint32_t n = v.count("ranks");
  const uint64_t bytes = v.number("bytes", 0), ns = v.number("compute", 0);
  const std::string& kind = v.word("algorithm");
  const std::vector<uint32_t> all = all_ranks(n);
  if (kind != "tree" && kind != "ring" && kind != "halving") v.refuse("algorithm", "tree, ring or halving");
  if (kind == "halving" && (n & (n - 1)) != 0) v.refuse("ranks", "a power of two for halving");
  if (kind == "ring") v.check_ops(n, 4 * uint64_t{n});
  job.phases = {kind};
  write(job, n, [&](uint32_t r, Script& script) {
    script.calc(ns);
    if (kind == "tree") allreduce_tree(script, all, r, bytes);
    if (kind == "ring") allreduce_ring(script, all, r, bytes);
    if (kind == "halving") allreduce_halving(script, all, r, bytes);
  });
}

void make_lulesh(Job& job, const Values& v) {
  const std::vector<uint32_t> grid = cube_of(v);
  const uint32_t n = v.ranks(grid, "grid");
  const std::vector<uint32_t> flat = v.grid("sweep");
  if (flat.size() != 2 || v.ranks(flat, "sweep") != n) v.refuse("sweep", "PxQ with as many ranks as grid");
  const Sweep sweep{flat[0], flat[1], v.number("line", 0), v.number("line", 0), v.number("kba", 0), 0};
  v.check_ops(n, sweep.blocks > kMostOps ? kMostOps : 4 * sweep.blocks + 64);
  const uint64_t small = v.number("small", 0), halo = v.number("halo", 0), ns = v.number("compute", 0);
  const std::vector<uint32_t> all = all_ranks(n);
  job.phases = {"broadcast", "reduce", "halo", "sweep"};
  write(job, n, [&](uint32_t r, Script& script) {
    script.calc(ns);
    script.phase(0);
    broadcast_tree(script, all, r, small);
    script.phase(1);
    reduce_tree(script, all, r, small);
    script.phase(2);
    halo26(script, r, grid, [halo](int) { return halo; });
    script.phase(3);
    sweep.run(script, r, false, false);
  });
}

void make_random(Job& job, const Values& v) {
  const uint32_t n = v.count("ranks", 2);
  const uint64_t bytes = v.number("bytes", 0), rounds = v.number("rounds", 1, kMostOps);
  v.check_ops(n, 2 * rounds);
  // In every round each rank sends to another and receives from another: a permutation of one cycle (Sattolo 1986).
  std::vector<std::vector<uint32_t>> to(rounds, all_ranks(n));
  Random random(mix_seed(v.number("seed", 0), 0x72616E64));
  for (auto& p : to) {
    for (uint32_t i = n - 1; i != 0; --i) std::swap(p[i], p[random.below(i)]);
  }
  std::vector<std::vector<uint32_t>> from(rounds, std::vector<uint32_t>(n));
  for (size_t k = 0; k < rounds; ++k) {
    for (uint32_t r = 0; r < n; ++r) from[k][to[k][r]] = r;
  }
  write(job, n, [&](uint32_t r, Script& script) {
    for (size_t k = 0; k < rounds; ++k) {
      script.irecv(from[k][r], bytes);
      script.isend(to[k][r], bytes);
      script.wait();
    }
  });
}

struct Maker {
  Motif motif;
  void (*make)(Job&, const Values&);
};

const std::vector<Maker>& makers() {
  static const std::vector<Maker> kAll = [] {
    const MotifParameter compute{"compute", "0", "ns before an iteration"};
    const auto it = [](const char* n) { return MotifParameter{"it", n, "iterations"}; };
    std::vector<Maker> all;
    all.push_back({{"lu",
                    "wavefronts of NAS LU over px x py ranks, there and back",
                    {{"px", "22", "ranks in x"},
                     {"py", "24", "ranks in y"},
                     {"nx", "1500", "points"},
                     {"ny", "1500", "points"},
                     {"nz", "1500", "points"},
                     {"nzblock", "10", "of nz, a message; nx * nzblock bytes in x, ny * nzblock in y"},
                     {"compute", "1", "ns a block"},
                     it("3")}},
                   make_lu});
    all.push_back({{"sweep3d",
                    "wavefronts from four corners",
                    {{"px", "22", "ranks in x"},
                     {"py", "24", "ranks in y"},
                     {"nx", "100", "points of a rank"},
                     {"ny", "100", "points of a rank"},
                     {"nz", "100", "points of a rank"},
                     {"kba", "10", "of nz, a message; nx * kba * 8 * fields bytes in x"},
                     {"fields", "1", "variables of a point"},
                     {"compute", "0", "ns a block"},
                     it("1")}},
                   make_sweep3d});
    all.push_back({{"fft3d",
                    "transposes of a pencil FFT: rings within columns and rows of ranks, there and back",
                    {{"n", "400", "points in each dimension"},
                     {"ranks", "528", ""},
                     {"rows", "22", "ranks of a column"},
                     {"barrier", "1", "0: none after a transform"},
                     it("8")}},
                   make_fft3d});
    all.push_back(
        {{"halo3d",
          "six faces, axis after axis",
          {{"grid", "11x8x6", "ranks, or their number"}, {"bytes", "576000", "of a face"}, compute, it("30")}},
         make_halo3d});
    all.push_back({{"halo3d26",
                    "faces, edges and corners at once",
                    {{"grid", "11x8x6", "ranks, or their number"},
                     {"n", "100", "points of a rank in each dimension"},
                     {"fields", "1", "variables of a point"},
                     {"word", "8", "bytes of a variable"},
                     compute,
                     it("10")}},
                   make_halo3d26});
    all.push_back({{"stencil",
                    "both neighbours in every dimension of any grid",
                    {{"grid", "2x2x3x4x11", "ranks"}, {"bytes", "2800000", "of a message"}, compute, it("1")}},
                   make_stencil});
    all.push_back({{"dl",
                    "allreduce of deep learning",
                    {{"ranks", "528", ""},
                     {"bytes", "1152000", "reduced"},
                     {"algorithm", "tree", "tree, ring or halving"},
                     compute,
                     it("8")}},
                   make_dl});
    all.push_back({{"lulesh",
                    "broadcast, reduce, 26 neighbours, a sweep",
                    {{"grid", "8x8x8", "ranks, or their number"},
                     {"sweep", "16x32", "the same ranks in a plane"},
                     {"kba", "100", "steps of the sweep"},
                     {"small", "240", "bytes of broadcast and reduce"},
                     {"halo", "74814", "bytes to each of the 26 neighbours"},
                     {"line", "7457", "bytes of a step of the sweep"},
                     compute,
                     it("12")}},
                   make_lulesh});
    all.push_back({{"random",
                    "in every round each rank sends to another one",
                    {{"ranks", "528", ""},
                     {"bytes", "384", "of a message"},
                     {"rounds", "7200", "messages of a rank"},
                     {"seed", "1", ""},
                     it("1")}},
                   make_random});
    return all;
  }();
  return kAll;
}

}  // namespace

const std::vector<Motif>& motifs() {
  static const std::vector<Motif> kAll = [] {
    std::vector<Motif> out;
    for (const Maker& m : makers()) out.push_back(m.motif);
    return out;
  }();
  return kAll;
}

Job make_motif(std::string_view text) {
  const size_t colon = std::min(text.find(':'), text.size());
  const std::string name(text.substr(0, colon));
  const auto& all = makers();
  const auto found = std::find_if(all.begin(), all.end(), [&name](const Maker& m) { return m.motif.name == name; });
  if (found == all.end())
    throw Error("workload '" + name + "' is unknown, expected one of " +
                joined(all, [](const Maker& m) { return m.motif.name; }) + ", or a file");
  const Values values(found->motif, text.substr(std::min(colon + 1, text.size())));
  Job job;
  job.name = name;
  job.iterations = values.count("it", 1, 1'000'000'000);
  found->make(job, values);
  totals(job);  // refuses what has more than 63 bits
  return job;
}

}  // namespace odonata::workload
