// SPDX-License-Identifier: Apache-2.0
// The constants of a SystemVerilog package, for tests that compare them with those of the models.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "models/common/split.h"

namespace odonata::test {

inline std::string text_of(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.is_open()) << path << ": tests run in the source folder";
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The localparams of a SystemVerilog package, which are integers, sized literals, names, sums and products, and the
/// names that its enums give to values.
class Package {
 public:
  explicit Package(const std::string& path) {
    const std::string text = std::regex_replace(text_of(path), std::regex("//[^\n]*"), "");
    const std::regex declaration(R"(localparam\s+(?:int|logic(?:\s*\[[^\]]*\])?)\s+(\w+)\s*=\s*([^;]+);)");
    for (std::sregex_iterator m(text.begin(), text.end(), declaration), end; m != end; ++m)
      values_[(*m)[1]] = sum((*m)[2]);
    const std::regex enumeration(R"(typedef\s+enum\s+logic(?:\s*\[[^\]]*\])?\s*\{([^}]*)\})"),
        item(R"((\w+)\s*=\s*([^,\s]+))");
    for (std::sregex_iterator e(text.begin(), text.end(), enumeration), end; e != end; ++e) {
      const std::string items = (*e)[1];
      for (std::sregex_iterator m(items.begin(), items.end(), item); m != end; ++m) values_[(*m)[1]] = sum((*m)[2]);
    }
  }
  uint64_t operator[](const std::string& name) {
    used_.insert(name);
    const auto found = values_.find(name);
    EXPECT_NE(found, values_.end()) << name << " is not in the package";
    return found == values_.end() ? ~0ull : found->second;
  }
  /// Constants that nobody asked for.
  std::vector<std::string> unused() const {
    std::vector<std::string> out;
    for (const auto& [name, value] : values_) {
      if (!used_.contains(name)) out.push_back(name);
    }
    return out;
  }

 private:
  uint64_t sum(const std::string& expression) const {
    uint64_t total = 0;
    for (const std::string_view term : split(expression, '+')) {
      uint64_t product = 1;
      for (const std::string_view factor : split(term, '*')) product *= atom(std::string(factor));
      total += product;
    }
    return total;
  }
  uint64_t atom(std::string text) const {
    std::erase_if(text, [](char c) { return c == ' ' || c == '_' || c == '\n'; });
    const size_t quote = text.find('\'');
    if (quote != std::string::npos)
      return std::stoull(text.substr(quote + 2), nullptr,
                         text[quote + 1] == 'h'   ? 16
                         : text[quote + 1] == 'b' ? 2
                                                  : 10);
    if (std::isdigit(static_cast<unsigned char>(text[0]))) return std::stoull(text);
    const auto found = values_.find(text);
    EXPECT_NE(found, values_.end()) << text << ": expected a constant declared above";
    return found == values_.end() ? ~0ull : found->second;
  }
  std::map<std::string, uint64_t> values_;
  mutable std::set<std::string> used_;
};

}  // namespace odonata::test
