// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/common/error.h"
#include "models/common/frame.h"
#include "models/common/random.h"
#include "models/traffic/packet_trace.h"
#include "tb/common/error_text.h"

namespace odonata::traffic {
namespace {

TEST(PacketTrace, EncodedAndDecodedIsTheSame) {
  const PacketTrace trace = generate_sample(64, 20'000, 0.05, 3);
  ASSERT_GT(trace.packets.size(), 1000u);
  const std::string bytes = encode(trace);
  const PacketTrace again = decode(bytes);
  EXPECT_EQ(again.packets, trace.packets);
  EXPECT_EQ(again.nodes, 64);
  EXPECT_NE(again.note.find("generated"), std::string::npos);
  EXPECT_LT(bytes.size(), trace.packets.size() * 5);  // text takes about 14 bytes a packet
}

TEST(PacketTrace, TheSampleHasTheLoadAskedFor) {
  const PacketTrace trace = generate_sample(64, 100'000, 0.1, 1);
  EXPECT_NEAR(static_cast<double>(trace.flits()) / 64 / 100'000, 0.1, 0.01);
  EXPECT_EQ(trace.packets, generate_sample(64, 100'000, 0.1, 1).packets);
  EXPECT_NE(trace.packets, generate_sample(64, 100'000, 0.1, 2).packets);
}

TEST(PacketTrace, TheLargestValuesAreTaken) {
  PacketTrace trace;
  trace.nodes = 65'536;
  trace.note = "limits";
  trace.packets = {{0, 0, 65'535, 1}, {1, 7, 65'535, 2}, {2'000'000'000, 65'535, 0, 64}};
  EXPECT_EQ(decode(encode(trace)).packets, trace.packets);
  EXPECT_NO_THROW(trace.normalise());
  const auto refused = [&](auto change) {
    PacketTrace other = trace;
    change(other);
    EXPECT_THROW(other.normalise(), Error);
  };
  refused([](PacketTrace& t) { t.packets[2].cycle += 1; });
  refused([](PacketTrace& t) { t.packets[2].flits = 65; });
  refused([](PacketTrace& t) { t.packets[2].flits = 0; });
  refused([](PacketTrace& t) { t.packets[2].source = 65'536; });
  refused([](PacketTrace& t) { t.packets[2].dest = 65'536; });
  refused([](PacketTrace& t) { t.packets.push_back(t.packets[2]); });  // pushed to the cycle after the last one
  refused([](PacketTrace& t) { t.nodes = 65'537; });
  refused([](PacketTrace& t) { t.nodes = 0; });
}

TEST(PacketTrace, BrokenFilesAreRefused) {
  const std::string bytes = encode(generate_sample(16, 500, 0.3, 1));
  for (size_t size = 0; size < bytes.size(); ++size) EXPECT_THROW(decode(bytes.substr(0, size)), Error) << size;
  EXPECT_EQ(error_text([&] { decode(bytes + "x"); }), "trace: damaged, length and CRC do not fit");
  const std::string content(unframe("trace", "ODTRACE2", bytes));
  EXPECT_EQ(error_text([&] { decode(frame("ODTRACE2", content + "x")); }), "trace: 1 bytes after the last packet");
  Random random(1);
  for (int i = 0; i < 2000; ++i) {  // behind a right CRC anything goes, but only an Error may come out
    std::string broken = content;
    broken[random.below(static_cast<uint32_t>(content.size()))] = static_cast<char>(random.below(256));
    try {
      decode(frame("ODTRACE2", broken));
    } catch (const Error&) {
    }
  }
}

/// Behind a right CRC: what an encoder of this program never writes.
TEST(PacketTrace, WhatNoTraceMayHoldIsRefused) {
  const auto why = [](const std::string& packets) {
    return error_text([&] { decode(frame("ODTRACE2", std::string("\x04\x02\0", 3) + packets)); });
  };
  const auto packet = [](const std::string& cycle, char source) { return cycle + source + "\1\1"; };
  const std::string half("\x80\x94\xeb\xdc\x03", 5);  // 1,000,000,000 cycles
  EXPECT_EQ(why(packet(half, 0) + packet(half, 1)), "");
  EXPECT_EQ(why(packet("\1", 0) + packet(std::string(1, '\0'), 0)), "trace: a node sends two packets in a cycle");
  EXPECT_EQ(why(packet(half, 0) + packet("\x81\x94\xeb\xdc\x03", 1)), "trace: a cycle above 2000000000");
  EXPECT_EQ(why(packet(std::string(10, '\xff') + '\1', 0)), "trace: a number of cycle has more than 64 bits");
}

/// Behind a right CRC.
TEST(PacketTrace, AContentThatIsCutOffNamesWhatIsMissing) {
  const std::string content("\x04\x01\x02hi\x05\x01\x02\x03", 9);
  const auto why = [&](size_t size) { return error_text([&] { decode(frame("ODTRACE2", content.substr(0, size))); }); };
  const char* const missing[] = {"nodes", "packets", "note", "the note", "the note",
                                 "cycle", "source",  "dest", "flits"};
  for (size_t size = 2; size < 9; ++size) EXPECT_EQ(why(size), std::string("trace: ends inside ") + missing[size]);
  EXPECT_EQ(why(9), "");
}

/// The earlier one goes first, whatever their order in the list.
TEST(PacketTrace, PacketsOfANodeKeepTheirCycles) {
  const std::vector<TracePacket> expected{{3, 1, 2, 1}, {9, 1, 3, 2}, {10, 1, 0, 4}};
  EXPECT_EQ(from_text("9 1 3 2\n3 1 2 1\n9 1 0 4\n", 4).packets, expected);
}

/// A miss is a request and an answer with the line; one in ten misses in the home, too, and goes on to a memory.
TEST(PacketTrace, EveryRequestOfASampleHasItsAnswer) {
  const PacketTrace trace = generate_sample(64, 20'000, 0.1, 1);
  size_t requests = 0, to_memory = 0, from_memory = 0;
  for (const TracePacket& p : trace.packets) {
    const auto memory = [](uint32_t node) { return node == 0 || node == 63; };
    requests += p.flits == 1;
    to_memory += p.flits == 1 && memory(p.dest);
    from_memory += p.flits == 5 && memory(p.source);
  }
  EXPECT_EQ(2 * requests, trace.packets.size());
  EXPECT_EQ(to_memory, from_memory);
}

TEST(PacketTrace, ASampleOfWhatCannotBeIsRefused) {
  EXPECT_NO_THROW(generate_sample(4, 10, 1, 1));
  for (const int nodes : {3, 65'537})
    EXPECT_EQ(error_text([=] { generate_sample(nodes, 10, 0.1, 1); }), "a generated trace needs 4..65536 nodes")
        << nodes;
  EXPECT_EQ(error_text([] { generate_sample(4, 10, 1.5, 1); }), "load is 1.500000, expected 0..1");
  EXPECT_EQ(error_text([] { generate_sample(4, 10, -0.5, 1); }), "load is -0.500000, expected 0..1");
}

TEST(PacketTrace, EveryFlippedBitIsNoticed) {
  PacketTrace trace;
  trace.nodes = 4;
  trace.note = "small";
  trace.packets = {{0, 1, 2, 1}, {3, 0, 3, 5}, {3, 1, 0, 2}};
  const std::string bytes = encode(trace);
  ASSERT_EQ(decode(bytes).packets, trace.packets);
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string broken = bytes;
    broken[bit / 8] = static_cast<char>(broken[bit / 8] ^ (1 << bit % 8));
    EXPECT_THROW(decode(broken), Error) << "byte " << bit / 8 << " bit " << bit % 8;
  }
}

TEST(PacketTrace, WithoutPacketsIsRefused) {
  PacketTrace trace;
  trace.nodes = 4;
  EXPECT_EQ(error_text([&] { encode(trace); }), "trace: it would hold no packet");
  trace.nodes = 0;
  EXPECT_EQ(error_text([&] { trace.normalise(); }), "trace: 0 nodes, expected 1..65536");
  for (const int nodes : {1, 65'536}) {
    trace.nodes = nodes;
    EXPECT_EQ(error_text([&] { trace.normalise(); }), "") << nodes;
  }
  EXPECT_EQ(error_text([] { decode(frame("ODTRACE2", std::string("\x04\0\0", 3))); }), "trace: it holds no packet");
}

TEST(PacketTrace, TextInBothForms) {
  const PacketTrace trace = from_text(
      "# a comment\n"
      "5\t0 \t3\t5\n"
      "  ID:0 CYC:2 SRC:1 DST:2 ADR:0x00ff TYP:ReadReq NDEP:0\n"
      "\n"
      "ID:1 CYC:2 SRC:1 DST:0 ADR:0x00ff TYP:ReadResp NDEP:1 0   # the same node in the same cycle\n",
      4);
  const std::vector<TracePacket> expected{{2, 1, 2, 1}, {3, 1, 0, 5}, {5, 0, 3, 5}};
  EXPECT_EQ(trace.packets, expected);
  EXPECT_EQ(from_text("CYC:2000000000 SRC:0 DST:1 TYP:ReadReq\n", 2).packets[0].cycle, 2'000'000'000u);
}

// netrace: with a cache line 72 bytes, five flits of 16; without 8 bytes, one.
TEST(PacketTrace, EveryTypeOfNetraceHasItsFlits) {
  const auto flits = [](const std::string& type) {
    return from_text("CYC:1 SRC:0 DST:1 TYP:" + type + "\n", 2).packets[0].flits;
  };
  for (const char* type :
       {"ReadResp", "ReadRespWithInvalidate", "WriteReq", "Writeback", "ReadExResp", "DowngradeResp"})
    EXPECT_EQ(flits(type), 5) << type;
  for (const char* type : {"ReadReq", "ReadExReq", "WriteResp", "UpgradeReq", "UpgradeResp", "DowngradeReq",
                           "BadAddressError", "InvalidateReq", "InvalidateResp"})
    EXPECT_EQ(flits(type), 1) << type;
  for (const char* type : {"readresp", "Nonsense", ""})
    EXPECT_EQ(error_text([&] { flits(type); }),
              "line 1: TYP is '" + std::string(type) + "', expected a type of netrace, such as ReadReq or ReadResp");
}

TEST(PacketTrace, BadTextNamesTheLine) {
  EXPECT_EQ(error_text([] { from_text("1 2 3 1\n1 2 4 1\n", 4); }), "line 2: dest is '4', expected a number 0..3");
  EXPECT_EQ(error_text([] { from_text("# packets\n\n1 2 3 1 # one\n \t\r\n1 2 4 1\n", 4); }),
            "line 5: dest is '4', expected a number 0..3")
      << "empty lines and comments count";
  EXPECT_EQ(error_text([] { from_text("1 2 3\n", 4); }), "line 1: flits is '', expected a number 1..64");
  EXPECT_EQ(error_text([] { from_text("1 2 3 0\n", 4); }), "line 1: flits is '0', expected a number 1..64");
  EXPECT_EQ(error_text([] { from_text("1x 2 3 1\n", 4); }), "line 1: cycle is '1x', expected a number 0..2000000000");
  EXPECT_EQ(error_text([] { from_text("CYC:1 SRC:2 TYP:ReadReq\n", 4); }),
            "line 1: a field of CYC:, SRC:, DST:, TYP: is missing");
  for (const char* field : {"CYC:1", "SRC:2", "DST:2", "TYP:ReadReq"})
    EXPECT_EQ(error_text([&] { from_text(std::string("CYC:1 SRC:2 DST:3 TYP:ReadResp ") + field, 4); }),
              "line 1: " + std::string(field, 4) + " comes twice");
  EXPECT_EQ(error_text([] { from_text("1 2 3 1 9\n", 4); }), "line 1: more than four numbers");
  for (const char* line : {"CYC:1 DST:2 TYP:ReadReq", "SRC:1 DST:2 TYP:ReadReq", "CYC:1 SRC:1 DST:2"})
    EXPECT_EQ(error_text([&] { from_text(line, 4); }), "line 1: a field of CYC:, SRC:, DST:, TYP: is missing") << line;
  EXPECT_EQ(error_text([] { from_text("99999999999999999999 2 3 1\n", 4); }),
            "line 1: cycle is '99999999999999999999', expected a number 0..2000000000");
}

}  // namespace
}  // namespace odonata::traffic
