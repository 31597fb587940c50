// SPDX-License-Identifier: Apache-2.0
// `odonata mesh-trace`: makes trace files from text, generates a sample, shows what a trace holds.
#include <fmt/format.h>

#include <memory>

#include "models/arb_request/mesh.h"
#include "models/common/error.h"
#include "models/traffic/packet_trace.h"
#include "sim/commands.h"
#include "sim/common/options.h"
#include "sim/common/output.h"
#include "sim/common/program.h"

namespace odonata::cli {

namespace {

struct TraceOptions {
  std::string mesh = "8x8", text, show, out, json;
  bool generate = false;
  uint64_t nodes = 0, cycles = 20'000, seed = 1;
  double load = 0.1;
};

traffic::PacketTrace from_text_file(const std::string& path, int nodes) {
  try {
    traffic::PacketTrace trace = traffic::from_text(read_text(path), nodes);
    trace.note = "converted from " + path;
    return trace;
  } catch (const Error& e) {
    throw Error(path + ": " + e.what());
  }
}

double load_of(const traffic::PacketTrace& t) {
  return static_cast<double>(t.flits()) / t.nodes / std::max(1u, t.cycles());
}

/// What a trace holds, as a table and for machines.
void show(const traffic::PacketTrace& t, size_t bytes, const JsonFile& json) {
  Json out = result_head("mesh-trace");
  out.update({{"nodes", t.nodes},
              {"packets", t.packets.size()},
              {"flits", t.flits()},
              {"cycles", t.cycles()},
              {"load", load_of(t)},
              {"bytes", bytes},
              {"note", t.note},
              {"verdict", "pass"},
              {"headline", fmt::format("{} of {}", counted(t.packets.size(), "packet"), counted(t.nodes, "node"))}});
  json.write(out);
  Table table({"quantity", "value"});
  table.add({"nodes", std::to_string(t.nodes)});
  table.add({"packets", std::to_string(t.packets.size())});
  table.add({"flits", std::to_string(t.flits())});
  table.add({"cycles", std::to_string(t.cycles())});
  table.add({"load (flits a node and cycle)", fmt::format("{:.4f}", load_of(t))});
  table.add({"bytes a packet", fmt::format("{:.2f}", static_cast<double>(bytes) /
                                                         static_cast<double>(std::max<size_t>(t.packets.size(), 1)))});
  fmt::print("{}{}\n", table.text(), t.note.empty() ? "" : "note: " + t.note + "\n");
}

void run_trace(const TraceOptions& o) {
  if (!o.text.empty() + !o.show.empty() + o.generate != 1)
    throw Error("one of --from-text, --generate and --show is needed");
  if (o.show.empty() && o.out.empty()) throw Error("--out FILE is needed");
  const JsonFile json(o.json);
  if (!o.show.empty()) {
    const std::string bytes = read_text(o.show);
    try {
      return show(traffic::decode(bytes), bytes.size(), json);
    } catch (const Error& e) {
      throw Error("--show " + o.show + ": " + e.what());
    }
  }
  const int nodes = o.nodes != 0 ? static_cast<int>(o.nodes) : arb_request::Mesh::parse(o.mesh).routers();
  const OutputFile file(o.out);
  const traffic::PacketTrace trace =
      o.generate ? traffic::generate_sample(nodes, static_cast<uint32_t>(o.cycles), o.load, o.seed)
                 : from_text_file(o.text, nodes);
  const std::string bytes = traffic::encode(trace);
  file.write(bytes);
  show(trace, bytes.size(), json);
}

constexpr const char* kExamples =
    "  odonata mesh-trace --generate --mesh 8x8 --cycles 20000 --load 0.1 --out out/sample.odtrace\n"
    "  odonata mesh-trace --from-text netrace.txt --mesh 8x8 --out out/app.odtrace\n"
    "  odonata mesh-trace --from-text packets.txt --nodes 5256 --out out/app.odtrace             (of --size paper)\n"
    "  odonata net --mesh 8x8 --routing d2ra --traffic trace:out/sample.odtrace\n"
    "The format: docs/mesh.md §5.\n";

}  // namespace

void add_mesh_trace_command(CLI::App& app) {
  Command command = add_command(app, "mesh-trace", "Make and show traces of application traffic", kExamples);
  auto o = std::make_shared<TraceOptions>();
  command.add_option("--mesh", o->mesh, "the mesh whose routers are the trace's nodes");
  add_number(command, "--nodes", o->nodes, "of a network of another kind, in the place of --mesh", 1, 65'536);
  command.add_option("--from-text", o->text, "convert this text (cycle source dest flits, or netrace's printout)")
      .type_name("FILE");
  command.add_flag("--generate", o->generate,
                   "generate a sample with PARSEC-like bursts (it says that it is generated)");
  command.add_option("--show", o->show, "show what a trace holds").type_name("FILE");
  command.add_option("--out", o->out, "the trace").type_name("FILE");
  add_number(command, "--cycles", o->cycles, "of the generated sample", 1, 1'000'000'000);
  add_fraction(command, "--load", o->load, "of the generated sample, flits a node and cycle");
  add_seed(command, o->seed);
  add_json(command, o->json);
  command.callback([o, command] {
    if (!o->show.empty()) {
      command.refuse({"--mesh", "--nodes", "--out", "--cycles", "--load", "--seed"}, "--show does nothing else");
    } else if (!o->text.empty()) {
      command.refuse({"--cycles", "--load", "--seed"}, "of --generate");
    }
    if (o->nodes != 0) command.refuse({"--mesh"}, "--nodes says how many");
    run_trace(*o);
  });
}

}  // namespace odonata::cli
