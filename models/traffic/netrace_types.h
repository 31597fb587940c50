// SPDX-License-Identifier: Apache-2.0
// The types of packets in traces of netrace: their numbers in its files, their names in its printout (docs/mesh.md §5,
// docs/workloads.md §5).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace odonata::traffic {

struct NetraceType {
  uint8_t number;
  std::string_view name;
  bool line;  ///< with a cache line: 72 bytes, else 8
};

inline constexpr std::array<NetraceType, 15> kNetraceTypes{{
    {1, "ReadReq", false},
    {2, "ReadResp", true},
    {3, "ReadRespWithInvalidate", true},
    {4, "WriteReq", true},
    {5, "WriteResp", false},
    {6, "Writeback", true},
    {13, "UpgradeReq", false},
    {14, "UpgradeResp", false},
    {15, "ReadExReq", false},
    {16, "ReadExResp", true},
    {25, "BadAddressError", false},
    {27, "InvalidateReq", false},
    {28, "InvalidateResp", false},
    {29, "DowngradeReq", false},
    {30, "DowngradeResp", true},
}};

}  // namespace odonata::traffic
