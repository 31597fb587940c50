// SPDX-License-Identifier: Apache-2.0
#include "models/workload/goal.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "models/common/error.h"

namespace odonata::workload {

namespace {

/// The operations of all iterations of a rank, in a line each.
void write_rank(const Job& job, const Rank& rank, const std::function<void(std::string_view)>& to) {
  std::vector<bool> waited_for(rank.ops.size());
  for (const Need& n : rank.needs) waited_for[n.op] = waited_for[n.op] || n.started == 0;
  uint64_t base = 0;
  std::vector<uint64_t> last;  // operations of the iteration before that nobody waits for
  const auto label = [](uint64_t i) { return "l" + std::to_string(i + 1); };
  for (uint32_t it = 0; it < job.iterations; ++it, base += rank.ops.size()) {
    std::string out;
    const bool join = last.size() > 1;  // a calculation of no time collects them
    if (join) {
      out += label(base) + ": calc 0\n";
      for (const uint64_t l : last) out += label(base) + " requires " + label(l) + "\n";
      last = {base++};
    }
    for (uint32_t i = 0; i < rank.ops.size(); ++i) {
      const Op& o = rank.ops[i];
      out += label(base + i) + ": ";
      if (o.kind == OpKind::calc) {
        out += "calc " + std::to_string(o.amount);
      } else {
        const bool sends = o.kind == OpKind::send;
        out += (sends ? "send " : "recv ") + std::to_string(o.amount) + (sends ? "b to " : "b from ") +
               std::to_string(o.peer) + " tag " + std::to_string(o.tag);
      }
      if (o.cpu != 0) out += " cpu " + std::to_string(o.cpu);
      if (o.nic != 0) out += " nic " + std::to_string(o.nic);
      out += "\n";
      for (uint32_t k = o.first_need; k != o.first_need + o.needs; ++k) {
        out += label(base + i) + (rank.needs[k].started != 0 ? " irequires " : " requires ") +
               label(base + rank.needs[k].op) + "\n";
      }
      if (o.needs == 0) {
        for (const uint64_t l : last) out += label(base + i) + " requires " + label(l) + "\n";
      }
      if (out.size() > 65'536) to(out), out.clear();
    }
    to(out);
    if (!rank.ops.empty()) last.clear();
    for (uint32_t i = 0; i < rank.ops.size(); ++i) {
      if (!waited_for[i]) last.push_back(base + i);
    }
  }
}

/// Words, with the lines they are on. A word is a run of characters without blanks; ':', '{', '}' and ';' stand alone.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) { next(); }
  std::string_view word() const { return word_; }
  bool at_end() const { return word_.empty(); }
  int line() const { return word_line_; }
  std::string_view take() {
    const std::string_view out = word_;
    next();
    return out;
  }
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error("line " + std::to_string(word_line_) + ": " + why);
  }
  void expect(std::string_view what) {
    if (word_ != what) refuse(shown() + ", expected '" + std::string(what) + "'");
    next();
  }
  uint64_t number(const std::string& what, uint64_t most, std::string_view unit = {}) {
    std::string_view word = word_;
    if (!unit.empty() && word.size() > unit.size() && word.ends_with(unit)) word.remove_suffix(unit.size());
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value > most) {
      refuse(what + " is " + shown() + ", expected a number 0.." + std::to_string(most));
    }
    next();
    return value;
  }
  std::string shown() const { return at_end() ? "the end of the file" : "'" + std::string(word_.substr(0, 40)) + "'"; }

 private:
  static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
  static bool alone(char c) { return c == ':' || c == '{' || c == '}' || c == ';'; }
  bool comment() const { return text_[at_] == '#' || text_.substr(at_, 2) == "//" || text_.substr(at_, 2) == "/*"; }
  void next() {
    do skip();
    while (at_ < text_.size() && text_[at_] == ';' && ++at_ != 0);
    word_line_ = line_;
    const size_t from = at_;
    if (at_ < text_.size() && alone(text_[at_])) {
      ++at_;
    } else {
      while (at_ < text_.size() && !blank(text_[at_]) && !alone(text_[at_]) && !comment()) ++at_;
    }
    word_ = text_.substr(from, at_ - from);
  }
  /// Blanks and comments: "/* */", and "//" or "#" up to the end of the line.
  void skip() {
    while (at_ < text_.size()) {
      if (blank(text_[at_])) {
        line_ += text_[at_++] == '\n';
      } else if (!comment()) {
        return;
      } else if (text_.substr(at_, 2) != "/*") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        const size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) throw Error("line " + std::to_string(line_) + ": a comment without an end");
        line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                             text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
        at_ = end + 2;
      }
    }
  }

  std::string_view text_, word_;
  size_t at_ = 0;
  int line_ = 1, word_line_ = 1;
};

constexpr uint64_t kMostRanks = 16'777'216, kMost32 = ~uint32_t{0}, kMost63 = INT64_MAX;

/// The block of a rank.
class Block {
 public:
  Block(Words& words, uint64_t ranks) : words_(words), ranks_(ranks) {}
  Rank read() {
    words_.expect("{");
    while (words_.word() != "}") statement();
    words_.expect("}");
    Rank out;
    for (size_t i = 0; i < ops_.size(); ++i) {
      std::vector<Need> needs;
      for (const Wait& w : waits_[i]) {
        const auto found = labels_.find(w.label);
        if (found == labels_.end())
          throw Error("line " + std::to_string(w.line) + ": no operation is called '" + std::string(w.label) + "'");
        needs.push_back({found->second, w.started});
      }
      out.add(ops_[i], needs);
    }
    return out;
  }

 private:
  struct Wait {
    std::string_view label;
    int line;
    uint32_t started;
  };
  void statement() {
    const int line = words_.line();
    const std::string_view first = words_.word();
    if (first.empty()) words_.refuse("the end of the file, expected '}'");
    if (first == "send" || first == "recv" || first == "calc") return operation();
    if (first == ":" || first == "{") words_.refuse(words_.shown() + ", expected an operation");
    words_.take();
    if (words_.word() == ":") {
      words_.take();
      if (!labels_.emplace(first, static_cast<uint32_t>(ops_.size())).second) {
        throw Error("line " + std::to_string(line) + ": '" + std::string(first) + "' comes twice");
      }
      return operation();
    }
    const auto found = labels_.find(first);
    if (words_.word() != "requires" && words_.word() != "irequires")
      words_.refuse(words_.shown() + ", expected ':', requires or irequires");
    if (found == labels_.end())
      throw Error("line " + std::to_string(line) + ": no operation before it is called '" + std::string(first) + "'");
    const uint32_t started = words_.take() == "irequires" ? 1 : 0;
    if (words_.at_end() || words_.word() == "}") words_.refuse(words_.shown() + ", expected a label");
    const int label_line = words_.line();
    waits_[found->second].push_back({words_.take(), label_line, started});
  }
  void operation() {
    Op op;
    const std::string_view kind = words_.take();
    if (kind == "calc") {
      op.amount = words_.number("ns", kMost63);
    } else if (kind == "send" || kind == "recv") {
      op.kind = kind == "send" ? OpKind::send : OpKind::recv;
      op.amount = words_.number("size", kMost63, "b");
      words_.expect(kind == "send" ? "to" : "from");
      op.peer = static_cast<uint32_t>(words_.number("rank", ranks_ - 1));
    } else {
      words_.refuse("'" + std::string(kind.substr(0, 40)) + "', expected send, recv or calc");
    }
    for (unsigned seen = 0;;) {
      const std::string_view name = words_.word();
      const unsigned bit = name == "tag" && op.kind != OpKind::calc ? 1 : name == "cpu" ? 2 : name == "nic" ? 4 : 0;
      if (bit == 0) break;
      if ((seen & bit) != 0) words_.refuse("'" + std::string(name) + "' twice");
      seen |= bit;
      words_.take();
      if (bit == 1) op.tag = static_cast<uint32_t>(words_.number("tag", kMost32));
      if (bit == 2) op.cpu = static_cast<uint16_t>(words_.number("cpu", 65'535));
      if (bit == 4) op.nic = static_cast<uint16_t>(words_.number("nic", 65'535));
    }
    ops_.push_back(op);
    waits_.emplace_back();
  }

  Words& words_;
  uint64_t ranks_;
  std::vector<Op> ops_;
  std::vector<std::vector<Wait>> waits_;
  std::unordered_map<std::string_view, uint32_t> labels_;
};

}  // namespace

void write_goal(const Job& job, const std::function<void(std::string_view)>& to) {
  for (const Rank& r : job.ranks) {
    if ((r.ops.size() + 1) * job.iterations >= (1ull << 31))
      throw Error("GOAL: a rank would have more than 2147483647 operations");
  }
  std::string head = job.name + (job.note.empty() ? "" : ", " + job.note);
  for (size_t end; (end = head.find("*/")) != std::string::npos;) head.insert(end + 1, " ");  // ends the comment
  to("/* " + head + "; written by odonata */\nnum_ranks " + std::to_string(job.ranks.size()) + "\n");
  for (size_t r = 0; r < job.ranks.size(); ++r) {
    to("\nrank " + std::to_string(r) + " {\n");
    write_rank(job, job.ranks[r], to);
    to("}\n");
  }
}

Job read_goal(std::string_view text) {
  Words words(text);
  words.expect("num_ranks");
  const uint64_t n = words.number("num_ranks", kMostRanks);
  if (n == 0) words.refuse("num_ranks is 0");
  constexpr size_t kLeast = 7;  // characters of a rank: "rank0{}"
  if (n > text.size() / kLeast)
    words.refuse("num_ranks is " + std::to_string(n) + ", the file is too short for so many");
  Job job;
  job.name = "goal";
  job.ranks.resize(n);
  std::vector<bool> seen(n);
  while (!words.at_end()) {
    words.expect("rank");
    const int line = words.line();
    const uint64_t r = words.number("rank", n - 1);
    if (seen[r]) throw Error("line " + std::to_string(line) + ": rank " + std::to_string(r) + " comes twice");
    seen[r] = true;
    job.ranks[r] = Block(words, n).read();
  }
  const auto missing = std::find(seen.begin(), seen.end(), false);
  if (missing != seen.end())
    words.refuse("the end of the file, rank " + std::to_string(missing - seen.begin()) + " is missing");
  totals(job);
  return job;
}

}  // namespace odonata::workload
