// SPDX-License-Identifier: Apache-2.0
// odonata._odonata.Network: a run of the network engine in this process. Docstrings are in odonata/__init__.py.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "models/common/error.h"
#include "tb/harness/files.h"
#include "sim/net_command/net_command.h"
#include "sim/net_command/net_options.h"
#include "sim/python/network.h"
#include "sim/python/turn.h"

namespace py = pybind11;

namespace odonata::python {

namespace {

/// A delivered packet as a row of a structured array: packed addresses, cycles, links taken, flits.
struct Row {
  uint32_t source, dest, born, cycle;
  uint8_t hops, flits;
};

class Network {
 public:
  Network(const network::Settings& settings, bool record)
      : config_(cli::make_config(settings)), simulation_(network::make_simulation(config_)) {
    network::check_unused(config_, settings);
    if (!record) return;
    simulation_->on_delivery([this](const network::Delivery& d) {
      rows_.push_back({d.flit.source, d.flit.dest, d.flit.born, d.cycle, d.flit.hops, d.flit.length});
    });
  }

  /// Windows until `cycles` more have passed (0: to the end). Returns false when the run is over. Other Python threads
  /// go on, and may ask this object between two windows; Ctrl-C stops there, too.
  bool advance(uint64_t cycles) {
    const uint64_t start = now(), target = cycles == 0 || cycles > UINT64_MAX - start ? UINT64_MAX : start + cycles;
    while (go_on_ && now_ < target) {
      {
        const Turn turn(turns_);
        const py::gil_scoped_release others_run;
        go_on_ = simulation_->advance();
        now_ = simulation_->now();
      }
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
    return go_on_;
  }
  uint64_t now() const { return now_; }

  /// The JSON of `odonata net`, verdict excepted.
  std::string result() {
    cli::Json out = cli::net_head(config_);
    {
      const Turn turn(turns_);
      const py::gil_scoped_release others_run;
      out.update(cli::to_json(config_, simulation_->result()));
    }
    return out.dump();
  }
  /// What was delivered since the last call.
  py::array_t<Row> take_deliveries() {
    const Turn turn(turns_);
    py::array_t<Row> out(static_cast<py::ssize_t>(rows_.size()), rows_.data());
    rows_.clear();
    return out;
  }

  void save(const std::string& path) {
    if (path.empty()) throw Error("save: expected the name of a file");
    const Turn turn(turns_);
    OutputFile(path).write_with([this](std::ostream& to) { simulation_->save(to); });
  }
  void load(const std::string& path) {
    const Turn turn(turns_);
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) throw Error("load " + path + ": cannot be read: a directory");
    std::ifstream from(path, std::ios::binary);
    if (!from) throw Error("load " + path + ": cannot be read: " + std::strerror(errno));
    simulation_->load(from);
    rows_.clear();
    now_ = simulation_->now();
    go_on_ = true;
  }

 private:
  TurnQueue turns_;
  network::Config config_;
  std::unique_ptr<network::Simulation> simulation_;
  std::vector<Row> rows_;
  std::atomic<uint64_t> now_ = 0;
  std::atomic<bool> go_on_ = true;
};

}  // namespace

void add_network(py::module_& m) {
  PYBIND11_NUMPY_DTYPE(Row, source, dest, born, cycle, hops, flits);
  py::class_<Network>(m, "Network")
      .def(py::init<network::Settings, bool>())
      .def("advance", &Network::advance)
      .def("now", &Network::now)
      .def("result", &Network::result)
      .def("take_deliveries", &Network::take_deliveries)
      .def("save", &Network::save)
      .def("load", &Network::load);
}

}  // namespace odonata::python
