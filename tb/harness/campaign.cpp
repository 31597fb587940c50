// SPDX-License-Identifier: Apache-2.0
#include "tb/harness/campaign.h"

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>

#include "models/common/error.h"
#include "models/common/shell_word.h"

namespace odonata::cosim::detail {

std::vector<std::string> mismatch_words(const Mismatch& m) {
  std::vector<std::string> out;
  for (const Difference& d : m.differences) {
    out.push_back("Mismatch in cycle " + std::to_string(m.cycle) + ": " + d.probe + ", from " + d.stage +
                  ": expected 0x" + to_hex(d.expected) + ", got 0x" + to_hex(d.got) +
                  (d.note.empty() ? "" : " (" + d.note + ")"));
  }
  for (const std::string& reason : m.reasons) out.push_back("  " + reason);
  return out;
}

std::string device_words(const CampaignRequest& request) {
  const std::string rest = (request.reference == "golden" ? "" : " --reference " + request.reference) +
                           (request.plant.empty() ? "" : " --plant " + request.plant);
  if (request.device_lib.empty()) return (request.device == "rtl" ? "" : " --device " + request.device) + rest;
  return " --device-lib " + quoted(request.device_lib) +
         (request.latency.empty() ? "" : " --latency " + request.latency) +
         (request.interval.empty() ? "" : " --interval " + request.interval) + rest;
}

nlohmann::json mismatch_json(const Mismatch& m) {
  nlohmann::json differences = nlohmann::json::array();
  for (const Difference& d : m.differences) {
    differences.push_back({{"probe", d.probe},
                           {"stage", d.stage},
                           {"expected", "0x" + to_hex(d.expected)},
                           {"got", "0x" + to_hex(d.got)},
                           {"note", d.note}});
  }
  return {{"cycle", m.cycle}, {"differences", differences}, {"reasons", m.reasons}};
}

void expect_whole_waveform(const std::string& path, const std::string& target) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  const auto refuse = [&](const char* what) {
    throw Error("output '" + target + "' cannot be written: the waveform " + what);
  };
  if (!file || fseeko(file.get(), 0, SEEK_END) != 0) return refuse("is not there");
  const off_t size = ftello(file.get());
  // Blocks: a kind (a byte), a length (8 bytes, the highest first, counted with itself), the rest.
  unsigned kinds = 0;
  std::array<unsigned char, 9> head{};
  for (off_t at = 0; at < size;) {
    if (fseeko(file.get(), at, SEEK_SET) != 0 || std::fread(head.data(), 1, head.size(), file.get()) != head.size())
      return refuse("has no end");
    if (at == 0 && head[0] != 0) return;  // no FST
    uint64_t length = 0;
    for (size_t i = 1; i < head.size(); ++i) length = length << 8 | head[i];
    if (length < 8 || length > static_cast<uint64_t>(size - at - 1)) return refuse("has a block without an end");
    kinds |= head[0] < 16 ? 1u << head[0] : 0;
    at += 1 + static_cast<off_t>(length);
  }
  constexpr unsigned kHeader = 1u << 0, kGeometry = 1u << 3, kHierarchy = 1u << 4 | 1u << 6 | 1u << 7,
                     kChanges = 1u << 1 | 1u << 5 | 1u << 8;
  if ((kinds & kHeader) == 0 || (kinds & kGeometry) == 0 || (kinds & kHierarchy) == 0 || (kinds & kChanges) == 0)
    refuse("lacks a block");
}

}  // namespace odonata::cosim::detail
