// SPDX-License-Identifier: Apache-2.0
#include "sim/vectors/vector_set.h"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "models/common/error.h"
#include "models/common/frame.h"
#include "tb/units.h"

namespace odonata::cli {

using cosim::Pin;
using cosim::UnitPins;

namespace {

constexpr const char* kDragonfly = "dragonfly";  // of a unit that is part of one: its size

/// Bits side by side, the first pin lowest, as hexadecimal digits.
class Line {
 public:
  explicit Line(int bits) : words_(static_cast<size_t>(bits) / 64 + 2), bits_(bits) {}
  void add(const Pin& pin, const uint64_t* words) {
    for (int done = 0; done < pin.bits; done += 64) put(std::min(64, pin.bits - done), words[pin.at + done / 64]);
  }
  void put(int bits, uint64_t value) {
    cosim::put_bits(words_.data(), at_, bits, value);
    at_ += bits;
  }
  std::string text() const {
    std::string out;
    for (int digit = (bits_ + 3) / 4 - 1; digit >= 0; --digit)
      out += "0123456789abcdef"[cosim::get_bits(words_.data(), 4 * digit, 4)];
    return out + "\n";
  }

 private:
  std::vector<uint64_t> words_;
  int bits_, at_ = 0;
};

int bits_of(const std::vector<Pin>& pins) {
  int bits = 0;
  for (const Pin& pin : pins) bits += pin.bits;
  return bits;
}

Json pins_json(const std::vector<Pin>& pins, int at) {
  Json out = Json::array();
  for (const Pin& pin : pins) {
    out.push_back({{"name", pin.name}, {"bits", pin.bits}, {"at", at}, {"text", pin.text}});
    at += pin.bits;
  }
  return out;
}

std::string crc_text(const std::string& text) { return fmt::format("{:08x}", crc32(text)); }

Json description(const VectorRequest& request, const UnitPins& pins, const VectorLines& lines) {
  const cosim::CampaignRequest& c = request.campaign;
  Json out = pins.size == kDragonfly ? result_head("vectors", c.dragonfly) : result_head("vectors");
  out["block"] = request.block;
  out["text"] = pins.text;
  out["top"] = pins.top;
  out["sources"] = "rtl/" + pins.family + "/" + pins.family + ".f";
  for (const auto& [name, value] : pins.parameters) out["parameters"][name] = value;
  out["traffic"] = c.traffic;
  const bool loaded = cosim::find_unit(cosim::described_units(), request.block).uses_load(c);
  out["load"] = loaded ? Json(c.load) : Json();
  out["seed"] = c.seed;
  out["set"] = c.parameters;
  out["cycles"] = lines.cycles;
  out["stimulus"] = {{"file", "stimulus.hex"},
                     {"bits", 1 + bits_of(pins.inputs)},
                     {"crc32", crc_text(lines.stimulus)},
                     {"pins", pins_json(pins.inputs, 1)}};
  const Json reset{{"name", "rst_ni"}, {"bits", 1}, {"at", 0}, {"text", "reset, active low"}};
  out["stimulus"]["pins"].insert(out["stimulus"]["pins"].begin(), reset);
  out["expected"] = {{"file", "expected.hex"},
                     {"bits", bits_of(pins.outputs)},
                     {"crc32", crc_text(lines.expected)},
                     {"pins", pins_json(pins.outputs, 0)}};
  return out;
}

}  // namespace

VectorLines vector_lines(const cosim::WordBench& bench, uint64_t cycles) {
  const UnitPins& pins = bench.pins();
  const int in_bits = 1 + bits_of(pins.inputs), out_bits = bits_of(pins.outputs);
  VectorLines lines;
  bench.play(cycles, [&](bool rst_n, const uint64_t* in, const uint64_t* out) {
    Line asked(in_bits), shown(out_bits);
    asked.put(1, rst_n);
    for (const Pin& pin : pins.inputs) asked.add(pin, in);
    for (const Pin& pin : pins.outputs) shown.add(pin, out);
    lines.stimulus += asked.text();
    lines.expected += shown.text();
    ++lines.cycles;
  });
  return lines;
}

void write_vector_set(const cosim::WordBench& bench, const VectorRequest& request, const VectorLines& lines,
                      const std::string& folder) {
  if (lines.cycles == 0) throw Error("vectors: " + request.block + ": there is no cycle in this stimulus");
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(folder + ": cannot be made: " + error.message());
  const OutputFile stimulus(folder + "/stimulus.hex"), expected(folder + "/expected.hex"),
      replay(folder + "/replay.sv");
  const JsonFile meta(folder + "/vectors.json");
  stimulus.write(lines.stimulus);
  expected.write(lines.expected);
  replay.write(replay_bench(bench.pins(), lines.cycles, crc_text(lines.expected)));
  meta.write(description(request, bench.pins(), lines));
}

namespace {

/// The set in a folder, read back and checked.
struct VectorSet {
  VectorRequest request;
  std::string unit;  ///< the block, or the part of it that the set is for
  std::string crc;
  std::vector<std::string> expected;
  int bits = 0;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (!line.empty()) out.push_back(line);
  }
  return out;
}

VectorSet read_set(const std::string& folder) {
  const std::string name = folder + "/vectors.json";
  VectorSet set;
  std::string stimulus_crc;
  bool of_dragonfly = false;
  try {
    const Json j = Json::parse(read_text(name));
    set.request.block = j.at("block");
    cosim::CampaignRequest& c = set.request.campaign;
    of_dragonfly = j.contains(kDragonfly);
    if (of_dragonfly) {
      const Json& d = j.at(kDragonfly);
      c.dragonfly = Dragonfly({d.at("p"), d.at("a"), d.at("h"), d.at("g")},
                              d.at("arrangement") == "absolute" ? Arrangement::absolute : Arrangement::direct);
    }
    c.traffic = j.at("traffic");
    if (const Json& load = j.at("load"); !load.is_null()) c.load = load;
    c.seed = j.at("seed");
    c.parameters = j.at("set").get<std::map<std::string, std::string>>();
    set.request.cycles = j.at("cycles");
    set.crc = j.at("expected").at("crc32");
    stimulus_crc = j.at("stimulus").at("crc32");
    set.bits = j.at("expected").at("bits");
  } catch (const nlohmann::json::exception& e) {
    throw Error(name + ": no description of vectors: " + e.what());
  }
  const auto checked = [&folder](const std::string& file, const std::string& crc) {
    std::string text = read_text(folder + "/" + file);
    if (crc_text(text) != crc)
      throw Error(folder + "/" + file + ": CRC-32 " + crc_text(text) + ", expected " + crc + " as in vectors.json");
    return text;
  };
  set.expected = lines_of(checked("expected.hex", set.crc));
  if (may_exist(folder + "/stimulus.hex")) checked("stimulus.hex", stimulus_crc);
  if (set.expected.size() != set.request.cycles)
    throw Error(
        fmt::format("{}: cycles: {}, expected {} as in expected.hex", name, set.request.cycles, set.expected.size()));
  const auto bench = cosim::find_unit(cosim::described_units(), set.request.block).open(set.request.campaign);
  if (bench->pins().size == kDragonfly && !of_dragonfly)
    throw Error(name + ": no description of vectors: expected \"dragonfly\", the size of " + set.request.block);
  set.unit = bench->pins().unit;
  return set;
}

/// A pin of a line, in hexadecimal digits; a digit is x or z when one of the line's that it comes from is.
std::string value_of(const std::string& line, int at, int bits) {
  std::string out;
  for (int digit = 0; digit < (bits + 3) / 4; ++digit) {
    unsigned value = 0;
    char unknown = 0;
    for (int bit = 4 * digit; bit < std::min(4 * digit + 4, bits); ++bit) {
      const char from = line[line.size() - 1 - static_cast<size_t>(at + bit) / 4];
      if (from == 'x' || from == 'z') unknown = from;
      const auto number = static_cast<unsigned>(from <= '9' ? from - '0' : from - 'a' + 10);
      value |= (number >> ((at + bit) % 4) & 1) << (bit % 4);
    }
    out.insert(out.begin(), unknown != 0 ? unknown : "0123456789abcdef"[value]);
  }
  return out;
}

/// Whether an unknown digit of a pin is one of the pins beside it, too, so that either may be the unknown one.
bool is_shared(const std::string& line, int at, int bits, int all) {
  const auto unknown = [&line](int bit) {
    const char digit = line[line.size() - 1 - static_cast<size_t>(bit) / 4];
    return digit == 'x' || digit == 'z';
  };
  const int end = at + bits;
  return (at % 4 != 0 && unknown(at)) || (end % 4 != 0 && end < all && unknown(end - 1));
}

/// What differs in a cycle, with the reasons of the golden unit.
std::vector<std::string> explain(const VectorSet& set, size_t cycle, const std::string& got) {
  const auto bench = cosim::find_unit(cosim::described_units(), set.request.block).open(set.request.campaign);
  const UnitPins& pins = bench->pins();
  const auto golden = bench->golden();
  std::vector<uint64_t> out(static_cast<size_t>(pins.output_words()));
  bench->play(cycle + 1, [&](bool rst_n, const uint64_t* in, const uint64_t*) { golden->step(rst_n, in, out.data()); });
  std::vector<std::string> words;
  int at = 0;
  for (const Pin& pin : pins.outputs) {
    const std::string should = value_of(set.expected[cycle], at, pin.bits), is = value_of(got, at, pin.bits);
    if (should != is)
      words.push_back(
          fmt::format("cycle {}: {}: expected {}, got {}{}", cycle, pin.name, should, is,
                      is_shared(got, at, pin.bits, set.bits) ? ", or a pin beside it that shares the digit" : ""));
    at += pin.bits;
  }
  for (const std::string& line : golden->describe()) words.push_back("  " + line);
  return words;
}

}  // namespace

VectorVerdict check_result(const std::string& result, const std::string& folder) {
  std::error_code ignored;
  if (std::filesystem::equivalent(result, folder + "/expected.hex", ignored))
    throw Error("--check " + result + ": that is what is expected, not what a simulator wrote");
  std::vector<std::string> lines = lines_of(read_text(result));
  const VectorSet set = read_set(folder);
  if (!lines.empty() && lines.front().starts_with("//")) {
    const std::string mark = "// " + set.unit + " " + set.crc;
    if (lines.front() != mark)
      throw Error(fmt::format("{}:1: '{}', expected '{}': a result of other vectors", result, lines.front(), mark));
    lines.erase(lines.begin());
  }
  if (lines.size() != set.expected.size())
    throw Error(fmt::format("{}: {} cycles, expected {}", result, lines.size(), set.expected.size()));
  const size_t digits = static_cast<size_t>(set.bits + 3) / 4;
  VectorVerdict verdict;
  for (size_t k = 0; k < lines.size(); ++k) {
    std::string line = lines[k];
    for (char& c : line) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (line.size() != digits || line.find_first_not_of("0123456789abcdefxz") != std::string::npos)
      throw Error(
          fmt::format("{}: cycle {}: '{}', expected {} hexadecimal digits", result, k, lines[k].substr(0, 40), digits));
    ++verdict.cycles;
    if (line == set.expected[k]) continue;
    verdict.words = explain(set, k, line);
    break;
  }
  return verdict;
}

}  // namespace odonata::cli
