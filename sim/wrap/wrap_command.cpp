// SPDX-License-Identifier: Apache-2.0
// `odonata wrap`: RTL of somebody else becomes a device for --device-lib.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <regex>
#include <set>
#include <sstream>

#include "models/common/error.h"
#include "models/common/split.h"
#include "sim/commands.h"
#include "sim/common/options.h"
#include "sim/common/output.h"
#include "sim/cosim/blocks.h"
#include "sim/wrap/plugin_text.h"
#include "sim/wrap/ports.h"
#include "sim/wrap/run_tool.h"
#include "tb/harness/device_library.h"

namespace odonata::cli {

namespace {

namespace fs = std::filesystem;
using cosim::RtlParameters;
using cosim::UnitPins;

struct WrapOptions {
  DragonflyOptions dragonfly;
  std::string block = "route_compute", top, files, map, out, keep, dims;
  std::vector<std::string> set;
  bool waves = false;
};

/// A folder of its own for the tools; it goes away unless --keep names it.
class WorkFolder {
 public:
  explicit WorkFolder(const std::string& keep) : keep_(!keep.empty()) {
    std::error_code error;
    const fs::path temporary = keep_ ? "" : fs::temp_directory_path(error);
    if (error) throw Error("TMPDIR: expected a folder for temporary files");
    path_ = keep_ ? fs::absolute(keep).string() : (temporary / "odonata-wrap-XXXXXX").string();
    if (path_.find_first_of(" \t") != std::string::npos)
      throw Error(path_ + ": make cannot work in a folder with a blank in its name, expected another one in " +
                  (keep_ ? "--keep" : "TMPDIR"));
    if (keep_ ? !fs::is_directory(path_, error) && !fs::create_directories(path_, error)
              : mkdtemp(path_.data()) == nullptr)
      throw Error(path_ + ": cannot be made");
  }
  ~WorkFolder() {
    std::error_code ignored;
    if (!keep_) fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  bool keep_;
  std::string path_;
};

/// A path of a list: relative to the list's folder, to the present one, or to where the project's RTL is (rtl/...): it
/// was installed beside the program, or the program was built in build/NAME of the project.
std::string found_from(const std::string& list, const std::string& word) {
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  for (const fs::path& place :
       {fs::absolute(list).parent_path(), fs::current_path(), program / "../share/odonata", program / "../../.."}) {
    if (const fs::path found = place / word; fs::exists(found, unknown)) return found.lexically_normal().string();
  }
  throw Error(fmt::format("{}: there is no file {} beside the list, here or with the project's RTL", list, word));
}

/// Adds the files of a list, as paths that hold from anywhere. "-f LIST" takes another list in; words with - or + are
/// options of Verilator.
void add_file_list(const std::string& path, std::vector<std::string>& out, int depth = 0) {
  if (depth > 8) throw Error(path + ": lists inside lists, more than 8 deep");
  std::istringstream lines(read_text(path));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#") || line.starts_with("//")) continue;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      if (word == "-f" && words >> word) {
        add_file_list(found_from(path, word), out, depth + 1);
      } else {
        out.push_back(word.starts_with("-") || word.starts_with("+") ? word : found_from(path, word));
      }
    }
  }
}

std::vector<std::string> read_file_list(const std::string& path) {
  std::vector<std::string> out;
  add_file_list(path, out);
  if (out.empty()) throw Error(path + ": no file is named, expected the RTL's sources");
  return out;
}

std::string without_comments(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool line = text.compare(i, 2, "//") == 0;
    if (line || text.compare(i, 2, "/*") == 0) {
      const size_t end = text.find(line ? "\n" : "*/", i + 2);
      if (end == std::string::npos) break;
      i = end + (line ? 0 : 1);
      out += line ? '\n' : ' ';
    } else {
      out += text[i];
    }
  }
  return out;
}

/// What stands in the parentheses that open at `open`.
std::string in_parentheses(const std::string& text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return text.substr(open + 1, i - open - 1);
  }
  return "";
}

/// What stands between the commas that are in no bracket.
std::vector<std::string> items_of(const std::string& list) {
  std::vector<std::string> out(1);
  int depth = 0;
  for (const char c : list) {
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    if (c == ',' && depth == 0)
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

/// The names in a list of parameters, with a default or without; the word `parameter` or `localparam` holds until the
/// next one.
void add_parameters(const std::string& list, std::set<std::string>& out) {
  static const std::regex kKind("\\b(localparam|parameter)\\b"), kName("(\\w+)\\s*(?:\\[[^\\]]*\\]\\s*)*$");
  bool fixed = false;
  for (const std::string& item : items_of(list)) {
    const std::string head = item.substr(0, item.find('='));
    std::smatch m;
    if (std::regex_search(head, m, kKind)) fixed = m[1] == "localparam";
    if (std::regex_search(head, m, kName) && !fixed) out.insert(m[1]);
  }
}

/// The parameters of a module that may be set from outside: those in `#( )`; where there is none, those of its body.
/// Verilator lists them, too, but only of a module whose defaults can be elaborated.
std::set<std::string> parameters_of(const std::string& source, const std::string& top) {
  const std::string text = without_comments(source);
  const std::regex head("\\bmodule\\s+(?:automatic\\s+)?" + top +
                        "\\b(?:\\s*(?:import\\b[^;]*;|`[^\n]*))*\\s*(#\\s*\\()?");
  std::smatch found;
  if (!std::regex_search(text, found, head)) return {};
  std::set<std::string> out;
  const auto end = static_cast<size_t>(found.position() + found.length());
  if (found[1].matched) {
    add_parameters(in_parentheses(text, end - 1), out);
    return out;
  }
  const std::string body = text.substr(end, text.find("endmodule", end) - end);
  for (const std::string_view part : split(body, ';')) {
    const std::string statement(part);
    static const std::regex kStatement("^\\s*parameter\\b");
    if (std::regex_search(statement, kStatement)) add_parameters(statement, out);
  }
  return out;
}

/// Those parameters of the unit that the top has, too; a top without parameters has its size in itself.
RtlParameters parameters_to_set(const std::vector<std::string>& files, const std::string& top, const UnitPins& pins) {
  std::set<std::string> known;
  for (const std::string& file : files) {
    if (!file.starts_with("-") && !file.starts_with("+")) known.merge(parameters_of(read_text(file), top));
  }
  RtlParameters out;
  for (const auto& [name, value] : pins.parameters) {
    if (known.count(name) != 0) out[name] = value;
  }
  return out;
}

/// The first error that a tool reports.
std::string first_error(const std::string& log) {
  const std::string text = fs::exists(log) ? read_text(log) : "";
  static const std::regex kError("(?:%Error[-A-Z]*: |error: |Error \\d+)[^\n]*");
  std::smatch found;
  if (std::regex_search(text, found, kError)) return found[0];
  return "without a message";
}

void run_step(const std::vector<std::string>& words, const WorkFolder& work) {
  const int code = run_tool(words, work.path(), work.file("log"));
  if (code == 127) throw Error(fmt::format("wrap: {} cannot be run, expected it to be installed", words.front()));
  if (code != 0)
    throw Error(fmt::format("wrap: {} failed: {} (--keep DIR keeps its whole output)", words.front(),
                            first_error(work.file("log"))));
}

std::string pins_header(const UnitPins& pins, const PinMap& map, const std::vector<Port>& ports,
                        const std::vector<Match>& matches) {
  const auto in_model = [&ports](const std::string& name) {
    return std::find_if(ports.begin(), ports.end(), [&](const Port& p) { return p.name == name; })->model;
  };
  std::string table, drive, sample, parameters;
  int in = 0, out = 0;
  for (const Match& m : matches) {
    table += fmt::format("    {{\"{}\", {}, {}}},\n", m.pin.name, m.pin.bits, m.port.output ? 1 : 0);
    int& at = m.port.output ? out : in;
    (m.port.output ? sample : drive) +=
        fmt::format("  {}(m.{}, words + {});\n", m.port.output ? "sample" : "drive", m.port.model, at);
    at += m.pin.words();
  }
  for (const auto& [name, value] : map.tied) drive += fmt::format("  m.{} = {};\n", in_model(name), value);
  for (const auto& [name, value] : pins.parameters) parameters += fmt::format("    {{\"{}\", {}}},\n", name, value);
  return fmt::format(
      "// Written by odonata wrap.\n#define OWN_CLOCK(m) (m).{}\n#define OWN_RESET(m, rst_n) (m).{} = {}(rst_n)\n"
      "constexpr const char* kUnit = \"{}\";\nconstexpr odonata_pin kPins[] = {{\n{}}};\nconstexpr odonata_parameter "
      "kParameters[] = {{\n{}}};\n"
      "void own_drive(Vown& m, const uint64_t* words) {{\n{}}}\nvoid own_sample(Vown& m, uint64_t* words) {{\n{}}}\n",
      in_model(map.clock), in_model(map.reset), map.reset_high ? "!" : "", pins.unit, table, parameters, drive, sample);
}

/// From the sources to a model in C++.
std::vector<Port> verilate(const WrapOptions& options, const std::vector<std::string>& files,
                           const RtlParameters& parameters, const WorkFolder& work) {
  std::vector<std::string> words{"verilator",   "--cc",       "--exe",    "plugin.cpp",  "--top-module",
                                 options.top,   "--prefix",   "Vown",     "--Mdir",      "model",
                                 "-O3",         "-Wno-fatal", "--assert", "--x-assign",  "fast",
                                 "--x-initial", "fast",       "-o",       "../plugin.so"};
  for (const char* flags :
       {"-fPIC -fvisibility=hidden -std=c++17 -w -I.. -DVL_USER_FINISH -DVL_USER_STOP -DVL_USER_FATAL"}) {
    words.insert(words.end(), {"-CFLAGS", flags});
  }
  words.insert(words.end(), {"-LDFLAGS", "-shared -Wl,--exclude-libs,ALL"});
  if (options.waves) words.insert(words.end(), {"--trace-fst", "-CFLAGS", "-DODONATA_WAVES"});
  for (const auto& [name, value] : parameters) words.push_back(fmt::format("-G{}={}", name, value));
  words.insert(words.end(), files.begin(), files.end());
  OutputFile(work.file("plugin.cpp")).write(kPluginSource);
  OutputFile(work.file("odonata_device.h")).write(kDeviceHeader);
  run_step(words, work);
  return ports_of_model(read_text(work.file("model/Vown.h")));
}

void run_wrap(const WrapOptions& options, const std::string& given) {
  if (!std::regex_match(options.top, std::regex("[A-Za-z_][A-Za-z0-9_]*")))
    throw Error("--top '" + options.top + "': expected the name of a module");
  cosim::CampaignRequest request = request_of(options.dragonfly.make(), given, options.set, options.dims);
  const auto bench = cosim::find_unit(cosim::described_units(), options.block).open(request);
  const UnitPins& pins = bench->pins();
  const PinMap map = options.map.empty() ? PinMap() : read_pin_map(options.map, pins);
  const OutputFile output(options.out.empty() ? options.top + ".so" : options.out);
  const WorkFolder work(options.keep);
  const std::vector<std::string> files = read_file_list(options.files);
  const RtlParameters set = parameters_to_set(files, options.top, pins);
  const std::vector<Port> ports = verilate(options, files, set, work);
  const std::vector<Match> matches = match_ports(options.top, ports, pins, map);
  OutputFile(work.file("plugin_pins.h")).write(pins_header(pins, map, ports, matches));
  std::vector<std::string> make{"make",    "-C",           "model",        "-f",
                                "Vown.mk", "OPT_FAST=-O2", "OPT_SLOW=-O0", "OPT_GLOBAL=-O1"};
  if (has_tool("ccache")) make.emplace_back("OBJCACHE=ccache");
  run_step(make, work);
  output.write(read_text(work.file("plugin.so")));
  const cosim::DeviceLibrary loaded(output.path(), pins);
  fmt::print("{}: {} as {}, {} pins", output.path(), options.top, pins.unit, matches.size());
  for (const auto& [name, value] : set) fmt::print(", {}={}", name, value);
  fmt::print("\n");
  for (const auto& [name, value] : pins.parameters) {
    if (set.count(name) == 0) fmt::print("no parameter of {}: {} ({} here)\n", options.top, name, value);
  }
  for (const int k : loaded.absent())
    fmt::print("without {}: not compared\n", pins.outputs[static_cast<size_t>(k)].name);
}

constexpr const char* kExamples =
    "  odonata wrap --block route_compute --size tiny --top my_rc --files my.f -o my_rc.so\n"
    "  odonata wrap --block route_compute --size full --top my_rc --files my.f --map pins.toml --waves\n"
    "  odonata cosim --block route_compute --size tiny --device-lib ./my_rc.so\n"
    "my.f names the sources, a line each; pins.toml renames pins: [pins] req_valid_i = \"go\", rst_ni = \"!reset\"; "
    "[tie] scan = 0.\n"
    "Exit code 0: the library was written; 2: the RTL does not compile or its ports are not the unit's.\n";

}  // namespace

void add_wrap_command(CLI::App& app) {
  Command command = add_command(app, "wrap", "Make a device of your own RTL, for --device-lib", kExamples);
  auto options = std::make_shared<WrapOptions>();
  add_choice(command, "--block", options->block, block_names(cosim::described_units()), "the unit that the RTL is");
  add_dragonfly_options(command, options->dragonfly);
  command.add_option("--top", options->top, "the RTL's module").type_name("MODULE").required();
  command.add_option("--files", options->files, "list of the RTL's sources, a line each, with options of Verilator")
      .type_name("FILE")
      .required();
  command.add_option("--map", options->map, "TOML file with other names of pins").type_name("FILE");
  command.add_option("-o,--out", options->out, "the library; default: MODULE.so").type_name("FILE");
  command.add_flag("--waves", options->waves, "the library can write waveforms (slower)");
  command.add_option("--keep", options->keep, "keep what the tools make and say in this folder").type_name("DIR");
  add_choice(command, "--dims", options->dims, {"", "2", "3", "4"}, "arb_request: dimensions of the mesh");
  command.add_option("--set", options->set, "a parameter that only this block knows, such as part=logic")
      .type_name("KEY=VALUE");
  command.callback([options, command] { run_wrap(*options, given_dragonfly(command, options->dragonfly)); });
}

}  // namespace odonata::cli
