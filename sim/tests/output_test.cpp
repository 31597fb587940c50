// SPDX-License-Identifier: Apache-2.0
// One writer for all outputs: regular files whole or not at all, devices and pipes in place, and nothing that was not
// written passes.
#include <sys/stat.h>

#include <regex>
#include <set>
#include <thread>

#include "models/common/error.h"
#include "sim/cosim/wave_texts.h"
#include "sim/tests/run_program.h"

namespace odonata::cli {
namespace {

struct Writer {
  const char* name;
  const char* arguments;  ///< @ stands for the output
  const char* begins;     ///< what the output begins with
  int exit_code = 0;
};
void PrintTo(const Writer& w, std::ostream* out) { *out << w.arguments; }

constexpr Writer kWriters[] = {
    {"CosimRecord", "cosim --size tiny --traffic corner --transactions 200 --record @", "odonata-trace 1\n"},
    {"CosimTrace", "cosim --size tiny --traffic corner --transactions 200 --trace @", ""},
    {"CosimSystemcTrace", "cosim --size tiny --traffic corner --transactions 200 --device systemc --trace @", "$date"},
    {"CosimPlantTrace", "cosim --size tiny --plant gb-gc-swap --artifacts /tmp --trace @", "", 1},
    {"NetCheckpoint", "net --size tiny --warmup 0 --cycles 300 --checkpoint-every 200 --checkpoint @", "ODCHECK5"},
    {"NetRecord", "net --size tiny --warmup 0 --cycles 300 --at 1.2.0 --record @", "odonata-trace 1\n"},
    {"NetPage", "net --size tiny --warmup 0 --cycles 300 --page @", "<!DOCTYPE html>"},
    {"NetTrace", "net --size tiny --warmup 0 --cycles 300 --timeline 100 --trace @", "{\"displayTimeUnit\""},
    {"NetJson", "net --size tiny --warmup 0 --cycles 300 --json @", "{\n"},
    {"MeshTrace", "mesh-trace --generate --mesh 4x4 --cycles 2000 --out @", "ODTRACE2"},
    {"RouteJson", "route --size tiny --from 0,0,0 --to 1,1,1 --json @", "{\n"},
    {"FaultPage", "fault --size tiny --fail global:G0-G2 --html @", "<!DOCTYPE html>"},
    {"FaultTrace", "fault --size tiny --fail global:G0-G2 --trace @", "{\""},
    {"CongestionPage", "congestion --size tiny --cycles 20000 --page @", "<!"},
    {"SweepMarkdown", "sweep sim/scenarios/sweep_tiny.toml --no-run --out @.store --markdown @", "", 1},
};

class WriterTest : public ProgramTest, public testing::WithParamInterface<Writer> {
 protected:
  Ran run_into(const std::string& output) const {
    std::string arguments = GetParam().arguments;
    for (size_t at; (at = arguments.find("@.store")) != std::string::npos;) arguments.replace(at, 7, path("store"));
    for (size_t at; (at = arguments.find('@')) != std::string::npos;) arguments.replace(at, 1, output);
    return run(arguments);
  }
};

TEST_P(WriterTest, ARegularFileIsWrittenWhole) {
  const Ran ran = run_into(file("result", "old"));
  EXPECT_EQ(ran.exit_code, GetParam().exit_code) << ran.err;
  const std::string text = read_text(path("result"));
  EXPECT_GT(text.size(), 20u);
  EXPECT_EQ(text.rfind(GetParam().begins, 0), 0u) << text.substr(0, 100);
}

TEST_P(WriterTest, APipeStaysAPipe) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::string text;
  std::thread reader([&] {
    do {  // a checkpoint comes more than once
      text += read_text(pipe);
    } while (text.rfind("stop") != text.size() - 4);
  });
  const Ran ran = run_into(pipe);
  std::ofstream(pipe) << "stop";  // the reader waits for a writer, whatever the program did
  reader.join();
  EXPECT_EQ(ran.exit_code, GetParam().exit_code) << ran.err;
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  EXPECT_GT(text.size(), 24u);
  EXPECT_EQ(text.rfind(GetParam().begins, 0), 0u) << text.substr(0, 100);
}

TEST_P(WriterTest, AFullDeviceIsNoticed) {
  const Ran ran = run_into("/dev/full");
  EXPECT_EQ(ran.exit_code, 2) << ran.out;
  EXPECT_NE(ran.err.find("odonata: error: output '/dev/full' cannot be written: No space left on device"),
            std::string::npos)
      << ran.err;
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST_P(WriterTest, AFolderIsRefusedBeforeTheWork) { expect_refused(run_into(path("")), "it is a directory"); }

INSTANTIATE_TEST_SUITE_P(Outputs, WriterTest, testing::ValuesIn(kWriters),
                         [](const auto& info) { return info.param.name; });

using Output = ProgramTest;

/// To others it is the standard output; a file of that name is wanted by nobody who has not said so.
TEST_F(Output, AMinusAloneIsNoFile) {
  const std::string fault = "fault --size tiny --fail global:G0-G1 --json ";
  expect_refused(run(fault + "-"),
                 "output '-' cannot be written: the standard output is /dev/stdout, a file of that name ./-");
  EXPECT_NE(run(fault + "/dev/stdout").out.find("\"verdict\": \"pass\""), std::string::npos);
}

TEST_F(Output, AFullDiskLeavesTheOldFile) {
  const std::string old = file("result", "old"), err = path("err");
  // The shell's limit of a file's size stands for the full disk: blocks of 512 bytes.
  for (const char* option : {"--record ", "--json "}) {
    const std::string command =
        "ulimit -f 2; exec " ODONATA_PROGRAM " cosim --size tiny --traffic corner --transactions 200 " + (option + old);
    const int status = std::system(("(" + command + ") >/dev/null 2>" + err).c_str());
    EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 2) << option;
    EXPECT_NE(read_text(err).find("cannot be written: File too large"), std::string::npos) << option << read_text(err);
    EXPECT_EQ(read_text(old), "old") << option;
    std::filesystem::remove(err);
    EXPECT_EQ(files(), 1) << option << "nothing else is left";
  }
}

// Writers of waveforms tell nobody that they could not write: there has to be room before and while they do.
TEST_F(Output, AWaveformWithoutRoomIsNoWaveform) {
  const std::string err = path("err"), fst = file("x.fst", "old"), vcd = file("x.vcd", "old");
  const auto traced = [&](const std::string& limit, const std::string& more) {
    const std::string command = "ulimit -f " + limit + "; exec " ODONATA_PROGRAM " cosim --size tiny " + more;
    const int status = std::system(("(" + command + ") >/dev/null 2>" + err).c_str());
    EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 2) << more;
    return read_text(err);
  };
  const std::string run = "--traffic corner --transactions 200 --trace " + fst;
  EXPECT_TRUE(std::regex_search(
      traced("2", run), std::regex("x.fst' cannot be written: limit of a file's size \\(ulimit -f\\): room for 0 MiB "
                                   "more, expected 2[0-9], for its writer does not tell when there is none")))
      << read_text(err);
  // Room for 160 MiB and 50 blocks of 512 bytes: it is there in the beginning, and then not.
  const std::string longer = "--traffic corner --transactions 20000 --device systemc --trace " + vcd;
  EXPECT_NE(traced("327730", longer).find("room for 159 MiB more"), std::string::npos) << read_text(err);
  EXPECT_EQ(read_text(fst) + read_text(vcd), "oldold");
  std::filesystem::remove(err);
  EXPECT_EQ(files(), 2) << "nothing else is left";
}

TEST_F(Output, AMismatchIsToldThoughAFileOfItHasNoRoom) {
  for (const char* option : {"--record", "--json", "--mismatch-trace"}) {
    const Ran ran = run(std::string("cosim --size tiny --plant gb-gc-swap --transactions 100000 ") + "--artifacts " +
                        path("a") + " " + option + " /dev/full");
    EXPECT_EQ(ran.exit_code, 2) << option << ran.err;
    EXPECT_NE(ran.out.find("Mismatch"), std::string::npos) << option << ran.out;
    EXPECT_NE(ran.err.find("'/dev/full' cannot be written"), std::string::npos) << option << ran.err;
  }
}

TEST_F(Output, EveryFileOfAMismatchWithoutRoomIsTold) {
  const Ran ran = run("cosim --size tiny --plant gb-gc-swap --transactions 100000 --artifacts " + path("a") +
                      " --record /dev/full --json /dev/full --mismatch-trace /dev/full");
  EXPECT_EQ(ran.exit_code, 2) << ran.err;
  EXPECT_NE(ran.out.find("Mismatch"), std::string::npos) << ran.out;
  size_t told = 0;
  for (size_t at = 0; (at = ran.err.find(" cannot be written", at)) != std::string::npos; ++at) ++told;
  EXPECT_EQ(told, 3u) << ran.err;
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
}

/// Whoever reads stops early: the files are there.
TEST_F(Output, FilesOfAMismatchAreWrittenThoughNobodyReads) {
  const std::string command = ODONATA_PROGRAM
                              " cosim --size tiny --plant gb-gc-swap --transactions 100000 --artifacts " +
                              path("a") + " --json " + path("r.json") + " --mismatch-trace " + path("t.json");
  [[maybe_unused]] const int status = std::system((command + " 2>/dev/null | true").c_str());
  EXPECT_EQ(Json::parse(read_text(path("r.json")))["verdict"], "fail");
  EXPECT_GT(read_text(path("t.json")).size(), 100u);
}

TEST_F(Output, AWaveformHasAPlainName) {
  const std::string command = "cd " + path("") +
                              " && " ODONATA_PROGRAM
                              " cosim --size tiny --traffic corner --transactions 100 --trace x.fst >/dev/null 2>err";
  EXPECT_EQ(std::system(command.c_str()), 0) << read_text(path("err"));
  EXPECT_GT(read_text(path("x.fst")).size(), 1000u);
  std::filesystem::remove(path("err"));
  EXPECT_EQ(files(), 1) << "nothing else is left";
}

/// A block of LZ4 that is literals only.
std::string literals(const std::string& in) {
  if (in.size() < 15) return static_cast<char>(in.size() << 4) + in;
  return '\xF0' + std::string((in.size() - 15) / 255, '\xFF') + static_cast<char>((in.size() - 15) % 255) + in;
}

std::string big_endian(size_t value) {
  std::string out(8, '\0');
  for (size_t i = 8; i-- > 0; value >>= 8) out[i] = static_cast<char>(value);
  return out;
}

/// FST: the list of signals, with tables of texts in front, is packed once, whatever its length.
TEST(Waveform, AListOfSignalsOfAnyLengthIsPacked) {
  const std::string head = '\0' + big_endian(16) + std::string(8, '\0'), tail = '\2' + big_endian(16) + big_endian(7);
  std::set<size_t> rests;  // of lengths
  for (size_t bytes = 1; bytes <= 300; ++bytes) {
    const std::string list(bytes, '\xFF'), once = literals(list), twice = big_endian(once.size()) + literals(once);
    const std::string out =
        with_texts(head + '\7' + big_endian(16 + twice.size()) + big_endian(bytes) + twice + tail, "credit_monitor");
    ASSERT_TRUE(out.starts_with(head + '\6') && out.ends_with(list + tail)) << bytes;
    const std::string body = out.substr(head.size() + 17, out.size() - tail.size() - head.size() - 17);
    size_t length = bytes;
    while (length < body.size() && literals(body.substr(body.size() - length)) != body) ++length;
    ASSERT_LT(length, body.size()) << bytes;
    EXPECT_EQ(out.substr(head.size() + 1, 16), big_endian(16 + body.size()) + big_endian(length)) << bytes;
    rests.insert(length % 255);
  }
  EXPECT_EQ(rests.size(), 255u);
}

/// A table lists its texts, then the values that they stand for.
TEST(Waveform, ATableHasTextsAndValues) {
  const std::string list = literals("\xFF"), head = '\0' + big_endian(16) + std::string(8, '\0');
  const std::string out =
      with_texts(head + '\6' + big_endian(16 + list.size()) + big_endian(1) + list, "route_compute");
  EXPECT_NE(out.find(" 4 ZoneN ZoneB ZoneG ZoneInvalid 00 01 10 11"), std::string::npos) << out;
}

// What was found is told before the waveform that was asked for is missed.
TEST_F(Output, AMismatchIsToldWithoutItsWaveform) {
  const std::string err = path("err"), out = path("out");
  const std::string command = "ulimit -f 2000; exec " ODONATA_PROGRAM
                              " cosim --size tiny --plant gb-gc-swap --artifacts " +
                              path("a") + " --trace " + path("x.fst") + " --json " + path("r.json");
  const int status = std::system(("(" + command + ") >" + out + " 2>" + err).c_str());
  EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 2);
  EXPECT_NE(read_text(err).find("x.fst' cannot be written: limit of a file's size"), std::string::npos);
  EXPECT_NE(read_text(out).find("Mismatch in cycle "), std::string::npos) << read_text(out);
  EXPECT_NE(read_text(out).find("No waveform: output '"), std::string::npos) << read_text(out);
  EXPECT_EQ(Json::parse(read_text(path("r.json")))["verdict"], "fail");
  EXPECT_FALSE(std::filesystem::exists(path("x.fst")));
}

TEST_F(Output, TooLittleMemoryIsNoFailedCheck) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer answers this itself";
  const std::string err = path("err");
  const int status = std::system(
      ("(ulimit -v 300000; exec " ODONATA_PROGRAM " net --size full --cycles 10) >/dev/null 2>" + err).c_str());
  EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 2);
  EXPECT_EQ(read_text(err), "odonata: error: the memory is not enough for this\n");
}

TEST_F(Output, StandardOutputThatCannotBeWrittenIsAnError) {
  const std::vector<std::string> commands = {
      "--help",
      "--version",
      "route --help",
      "route --size tiny --from 0,0,0 --to 1,1,1",
      "pipeline --size tiny --levels golden --requests 100",
      "cosim --size tiny --traffic corner --transactions 100",
      "cosim --list-plants",
      "fault --size tiny --fail global:G0-G2",
      "fault-timing --size tiny",
      "congestion --size tiny --cycles 20000",
      "arb --dims 2 --scheme d2ra --at 1,1 --to 2,2 --credits x+=1,y+=2",
      "arb-timing --dims 2 --packets 100",
      "deadlock --mesh 2x2 --slots 1 --packets 2",
      "net --size tiny --warmup 0 --cycles 300",
      "crosscheck --cycles 300",
      "mesh-trace --generate --mesh 4x4 --cycles 2000 --out " + path("t"),
      "sweep sim/scenarios/sweep_tiny.toml --no-run --out " + path("s"),
      "report --in " + file("r.json", "{\"command\": \"x\"}") + " --out " + path("r.html"),
  };
  for (const std::string& command : commands) {
    const Ran ran = run(command, "/dev/full");
    EXPECT_EQ(ran.exit_code, 2) << command;
    EXPECT_NE(ran.err.find("odonata: error: standard output cannot be written: No space left on device\n"),
              std::string::npos)
        << command << ran.err;
  }
}

TEST_F(Output, AReaderThatWentAwayIsNoError) {
  const std::string err = path("err");
  const int status = std::system(
      ("bash -c 'set -o pipefail; " ODONATA_PROGRAM " cosim --list-plants 2>" + err + " | true; exit ${PIPESTATUS[0]}'")
          .c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  EXPECT_TRUE(code == 0 || code == 141) << code;
  EXPECT_EQ(read_text(err), "");
}

TEST_F(Output, StreamsTellWhatTheyCouldNotWrite) {
  const OutputFile full("/dev/full");
  EXPECT_THROW(full.write("x"), Error);
  EXPECT_THROW(full.write(std::string(1 << 20, 'x')), Error);
  const OutputFile good(path("good"));
  EXPECT_THROW(good.write_with([](std::ostream&) { throw Error("no content"); }), Error);
  EXPECT_EQ(files(), 0) << "nothing is left of what failed";
  good.write_with([](std::ostream& to) {
    for (int i = 0; i < 100'000; ++i) to << i << '\n';
  });
  const std::string text = read_text(path("good"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 100'000);
  EXPECT_NE(text.find("\n65536\n"), std::string::npos);
  OutputFile("").write("nobody wants it");
}

}  // namespace
}  // namespace odonata::cli
