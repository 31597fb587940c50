// SPDX-License-Identifier: Apache-2.0
#include "tb/harness/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace odonata::cosim {

Axis number_axis(std::string name, int n, int first) {
  Axis axis{std::move(name), {}};
  for (int i = 0; i < n; ++i) axis.values.push_back(std::to_string(first + i));
  return axis;
}

int Coverage::reason(const std::string& text) {
  if (text.empty()) return -1;
  const auto at = std::find(reasons_.begin(), reasons_.end(), text);
  if (at == reasons_.end()) {
    reasons_.push_back(text);
    return static_cast<int>(reasons_.size()) - 1;
  }
  return static_cast<int>(at - reasons_.begin());
}

std::vector<int> Coverage::values_of(const Group& group, int bin) {
  std::vector<int> value(group.axes.size());
  int rest = bin - group.first;
  for (size_t k = group.axes.size(); k-- > 0;) {
    const int n = static_cast<int>(group.axes[k].values.size());
    value[k] = rest % n;
    rest /= n;
  }
  return value;
}

int Coverage::declare(std::string group, std::vector<Axis> axes, const ReachRule& unreachable) {
  Group g{std::move(group), std::move(axes), num_bins(), 1};
  for (const Axis& axis : g.axes) g.size *= static_cast<int>(axis.values.size());
  for (int bin = g.first; bin < g.first + g.size; ++bin)
    why_.push_back(unreachable ? reason(unreachable(values_of(g, bin))) : -1);
  count_.resize(why_.size());
  groups_.push_back(std::move(g));
  return groups_.back().first;
}

const Coverage::Group& Coverage::group_of(int bin) const {
  const auto after = [](int b, const Group& g) { return b < g.first; };
  return *(std::upper_bound(groups_.begin(), groups_.end(), bin, after) - 1);
}

std::string Coverage::name(int bin) const {
  const Group& g = group_of(bin);
  const std::vector<int> value = values_of(g, bin);
  std::string out = g.name + ":";
  for (size_t k = 0; k < value.size(); ++k) out += ' ' + g.axes[k].name + '=' + g.axes[k].values[value[k]];
  return out;
}

void Coverage::merge(const Coverage& other) {
  if (other.count_.size() != count_.size())
    throw std::logic_error("coverage of different declarations cannot be merged");
  for (size_t i = 0; i < count_.size(); ++i) count_[i] += other.count_[i];
}

void Coverage::clear() { std::fill(count_.begin(), count_.end(), 0); }

Coverage::Summary Coverage::summarise(int first, int size) const {
  Summary out;
  for (int bin = first; bin < first + size; ++bin) {
    out.hits += count_[bin];
    if (!reachable(bin)) {
      ++out.unreachable;
      continue;
    }
    ++out.bins;
    out.reached += count_[bin] > 0;
  }
  return out;
}

double Coverage::percent() const {
  const Summary all = summarise(0, num_bins());
  return all.bins == 0 ? 0 : 100.0 * all.reached / all.bins;
}

std::vector<int> Coverage::unreached() const {
  std::vector<int> out;
  for (int bin = 0; bin < num_bins(); ++bin) {
    if (reachable(bin) && count_[bin] == 0) out.push_back(bin);
  }
  return out;
}

std::vector<int> Coverage::contradicted() const {
  std::vector<int> out;
  for (int bin = 0; bin < num_bins(); ++bin) {
    if (!reachable(bin) && count_[bin] > 0) out.push_back(bin);
  }
  return out;
}

std::string Coverage::errors() const {
  std::string out;
  for (int bin : contradicted()) {
    out += fmt::format("coverage: '{}' was hit {} times, but is declared unreachable: {}\n", name(bin), count_[bin],
                       justification(bin));
  }
  return out;
}

nlohmann::json Coverage::to_json() const {
  const Summary all = summarise(0, num_bins());
  nlohmann::json out{
      {"percent", percent()}, {"bins", all.bins}, {"reached", all.reached}, {"unreachable", all.unreachable}};
  for (const char* key : {"groups", "unreached", "contradicted", "justifications"}) out[key] = nlohmann::json::array();
  for (const Group& g : groups_) {
    const Summary s = summarise(g.first, g.size);
    out["groups"].push_back(
        {{"name", g.name}, {"bins", s.bins}, {"reached", s.reached}, {"unreachable", s.unreachable}, {"hits", s.hits}});
  }
  for (int bin : unreached()) out["unreached"].push_back(name(bin));
  for (int bin : contradicted()) {
    out["contradicted"].push_back({{"bin", name(bin)}, {"justification", justification(bin)}, {"hits", count_[bin]}});
  }
  for (size_t k = 0; k < reasons_.size(); ++k) {
    out["justifications"].push_back(
        {{"text", reasons_[k]}, {"bins", std::count(why_.begin(), why_.end(), static_cast<int>(k))}});
  }
  return out;
}

std::string Coverage::to_text(int max_names) const {
  std::string out =
      fmt::format("{:<34} {:>8} {:>8} {:>12} {:>14}\n", "coverage group", "reached", "of", "unreachable", "hits");
  const auto line = [&out](const std::string& name, const Summary& s) {
    out += fmt::format("{:<34} {:>8} {:>8} {:>12} {:>14}\n", name, s.reached, s.bins, s.unreachable, s.hits);
  };
  for (const Group& g : groups_) line(g.name, summarise(g.first, g.size));
  line("total", summarise(0, num_bins()));
  const std::vector<int> missing = unreached();
  for (size_t i = 0; i < missing.size() && static_cast<int>(i) < max_names; ++i)
    out += "not reached  " + name(missing[i]) + "\n";
  if (static_cast<int>(missing.size()) > max_names)
    out += fmt::format("not reached  ... and {} more\n", missing.size() - max_names);
  return out + errors();
}

}  // namespace odonata::cosim
