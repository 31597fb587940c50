// SPDX-License-Identifier: Apache-2.0
// The Python module's compiled part, odonata._odonata: golden units and devices by named pins. Docstrings are in
// odonata/__init__.py.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstring>

#include "models/common/error.h"
#include "models/common/joined.h"
#include "models/common/version.h"
#include "sim/python/network.h"
#include "sim/python/turn.h"
#include "tb/harness/device_library.h"
#include "tb/route_compute/port_configuration.h"
#include "tb/units.h"

namespace py = pybind11;

namespace odonata::python {

namespace {

using cosim::Pin;
using cosim::UnitPins;
using Array = py::array_t<uint64_t, py::array::c_style | py::array::forcecast>;

cosim::CampaignRequest request_of(const std::string& size, const std::string& dragonfly,
                                  const std::map<std::string, std::string>& set) {
  cosim::CampaignRequest request;
  if (!size.empty() && !dragonfly.empty()) throw Error("size and dragonfly: expected one of them");
  if (!size.empty()) request.dragonfly_given = "size=" + size;
  if (!dragonfly.empty()) request.dragonfly_given = "dragonfly=" + dragonfly;
  request.dragonfly = dragonfly.empty() ? Dragonfly::named(size.empty() ? "tiny" : size) : Dragonfly::parse(dragonfly);
  request.parameters = set;
  request.traffic = "corner";  // every unit knows it
  return request;
}

const Pin kReset{"rst_ni", 1, 0, "", false};

const Pin& pin_of(const std::vector<Pin>& pins, const std::string& unit, const std::string& name) {
  for (const Pin& pin : pins)
    if (pin.name == name) return pin;
  throw Error(unit + " has no input pin '" + name + "', expected one of " + joined(pins, &Pin::name) + " or rst_ni");
}

/// A Python integer of any size into words.
void put_integer(const Pin& pin, const py::handle& value, uint64_t* words) {
  if (PyIndex_Check(value.ptr()) == 0)
    throw Error(pin.name + ": " + py::repr(value).cast<std::string>() + " is no integer");
  const py::int_ number(py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr())));
  const int bytes = 8 * pin.words();
  if (PyObject_RichCompareBool(number.ptr(), py::int_(0).ptr(), Py_LT) == 1 ||
      number.attr("bit_length")().cast<int>() > pin.bits)
    throw Error(pin.name + ": " + py::str(value).cast<std::string>() + " does not fit into " +
                std::to_string(pin.bits) + " bits");
  const std::string text = number.attr("to_bytes")(bytes, "little").cast<std::string>();
  std::memcpy(words + pin.at, text.data(), text.size());
}

py::object get_integer(const Pin& pin, const uint64_t* words) {
  if (pin.words() == 1) return py::int_(words[pin.at]);
  const py::bytes text(reinterpret_cast<const char*>(words + pin.at), static_cast<size_t>(8 * pin.words()));
  return py::module_::import("builtins").attr("int").attr("from_bytes")(text, "little");
}

/// An array a pin: a value a cycle, or a row of words a cycle for pins of more than 64 bits.
class Column {
 public:
  Column(const Pin& pin, const py::object& values, py::ssize_t cycles) : pin_(pin), array_(integers(pin, values)) {
    const bool shaped = pin.words() == 1 ? array_.ndim() == 1 : array_.ndim() == 2 && array_.shape(1) == pin.words();
    if (!shaped || array_.shape(0) != cycles)
      throw Error(pin.name + ": expected an array of " + std::to_string(cycles) +
                  (pin.words() == 1 ? "" : " x " + std::to_string(pin.words())) + " values");
    data_ = array_.data();
    const uint64_t high = ~low_mask(pin.bits % 64 == 0 ? 64 : pin.bits % 64);
    for (py::ssize_t k = pin.words() - 1; k < array_.size(); k += pin.words()) {
      if ((data_[k] & high) != 0)
        throw Error(pin.name + ": " + std::to_string(data_[k]) + " in cycle " + std::to_string(k / pin.words()) +
                    " does not fit into " + std::to_string(pin.bits) + " bits");
    }
  }
  void put(py::ssize_t cycle, uint64_t* words) const {
    std::memcpy(words + pin_.at, data_ + cycle * pin_.words(), sizeof(uint64_t) * static_cast<size_t>(pin_.words()));
  }

 private:
  /// As 64-bit words; numpy would cut fractions off and turn negative numbers into large ones.
  static Array integers(const Pin& pin, const py::object& values) {
    const py::array given = py::array::ensure(values);
    if (!given) throw Error(pin.name + ": expected an array of integers");
    const char kind = given.dtype().kind();
    if (kind != 'i' && kind != 'u' && kind != 'b' && given.size() != 0)
      throw Error(pin.name + ": expected an array of integers, got " + py::str(given.dtype()).cast<std::string>());
    if (kind == 'i' && given.size() != 0) {
      const auto least = given.attr("min")().cast<int64_t>();
      if (least < 0)
        throw Error(pin.name + ": " + std::to_string(least) + " does not fit into " + std::to_string(pin.bits) +
                    " bits");
    }
    return Array::ensure(given);
  }

  const Pin& pin_;
  Array array_;
  const uint64_t* data_ = nullptr;
};

/// Arrays for the pins, filled cycle by cycle.
class Columns {
 public:
  Columns(const std::vector<Pin>& pins, py::ssize_t cycles) : pins_(pins) {
    for (const Pin& pin : pins) {
      std::vector<py::ssize_t> shape{cycles};
      if (pin.words() > 1) shape.push_back(pin.words());
      arrays_.emplace_back(shape);
      data_.push_back(arrays_.back().mutable_data());
    }
  }
  void put(py::ssize_t cycle, const uint64_t* words) {
    for (size_t k = 0; k < pins_.size(); ++k)
      std::memcpy(data_[k] + cycle * pins_[k].words(), words + pins_[k].at,
                  sizeof(uint64_t) * static_cast<size_t>(pins_[k].words()));
  }
  py::dict dict() const {
    py::dict out;
    for (size_t k = 0; k < pins_.size(); ++k) out[py::str(pins_[k].name)] = arrays_[k];
    return out;
  }

 private:
  const std::vector<Pin>& pins_;
  std::vector<Array> arrays_;
  std::vector<uint64_t*> data_;
};

/// A golden unit, or a device from a library with the same pins.
class Unit {
 public:
  Unit(const std::string& block, const std::string& size, const std::string& dragonfly, const std::string& library,
       const std::map<std::string, std::string>& set)
      : block_(block),
        request_(request_of(size, dragonfly, set)),
        bench_(cosim::find_unit(cosim::described_units(), block).open(request_)),
        library_(library) {
    restart();
  }
  void restart() {
    const Turn turn(turns_);
    device_ = library_.empty() ? bench_->golden() : cosim::DeviceLibrary(library_, pins()).make();
    in_.assign(static_cast<size_t>(pins().input_words()), 0);
    out_.assign(static_cast<size_t>(pins().output_words()), 0);
  }
  py::dict step(const py::kwargs& values) {
    uint64_t rst_n = 1;
    std::vector<uint64_t> in(in_.size()), words(out_.size());
    for (const auto& [key, value] : values) {
      const auto name = key.cast<std::string>();
      name == kReset.name ? put_integer(kReset, value, &rst_n)
                          : put_integer(pin_of(pins().inputs, block_, name), value, in.data());
    }
    {
      const Turn turn(turns_);
      device_->step(rst_n != 0, in.data(), words.data());
    }
    py::dict out;
    for (const Pin& pin : pins().outputs) out[py::str(pin.name)] = get_integer(pin, words.data());
    return out;
  }
  std::vector<std::string> explain() {
    const Turn turn(turns_);
    return device_->describe();
  }
  /// Arrays for run(), each as long as the first.
  struct Batch {
    py::ssize_t cycles = 0;
    std::vector<Column> columns, reset;
  };
  Batch batch_of(const py::dict& inputs) const {
    if (inputs.empty()) throw Error(block_ + ": run() of nothing, expected an array a pin");
    const auto [first, values] = *inputs.begin();
    if (!py::hasattr(values, "__len__")) throw Error(first.cast<std::string>() + ": expected an array of integers");
    Batch batch;
    batch.cycles = py::len(values);
    for (const auto& [key, values] : inputs) {
      const std::string name = key.cast<std::string>();
      const bool is_reset = name == kReset.name;
      (is_reset ? batch.reset : batch.columns)
          .emplace_back(is_reset ? kReset : pin_of(pins().inputs, block_, name),
                        py::reinterpret_borrow<py::object>(values), batch.cycles);
    }
    return batch;
  }
  /// Throws Error for what run() would not take.
  void check(const py::dict& inputs) const { batch_of(inputs); }
  py::dict run(const py::dict& inputs) {
    const Batch batch = batch_of(inputs);
    Columns outputs(pins().outputs, batch.cycles);
    {
      const Turn turn(turns_);
      const py::gil_scoped_release others_run;
      SignalWatch signals;
      std::fill(in_.begin(), in_.end(), 0);
      uint64_t rst_n = 1;
      for (py::ssize_t cycle = 0; cycle < batch.cycles; ++cycle) {
        for (const Column& column : batch.columns) column.put(cycle, in_.data());
        if (!batch.reset.empty()) batch.reset.front().put(cycle, &rst_n);
        device_->step(rst_n != 0, in_.data(), out_.data());
        outputs.put(cycle, out_.data());
        signals.look();
      }
    }
    return outputs.dict();
  }
  /// Stimulus and the golden unit's answers.
  py::tuple stimulus(uint64_t cycles, const std::string& traffic, double load, uint64_t seed) const {
    cosim::CampaignRequest request = request_;
    request.traffic = traffic;
    request.load = load;
    request.seed = seed;
    const auto bench = cosim::find_unit(cosim::described_units(), block_).open(request);
    Columns inputs(pins().inputs, static_cast<py::ssize_t>(cycles)),
        outputs(pins().outputs, static_cast<py::ssize_t>(cycles));
    Array reset(static_cast<py::ssize_t>(cycles));
    uint64_t* rst_n = reset.mutable_data();
    py::ssize_t at = 0;
    {
      const py::gil_scoped_release others_run;
      SignalWatch signals;
      bench->play(cycles, [&](bool level, const uint64_t* in, const uint64_t* out) {
        rst_n[at] = level;
        inputs.put(at, in);
        outputs.put(at++, out);
        signals.look();
      });
    }
    if (static_cast<uint64_t>(at) != cycles)
      throw Error(block_ + ": the stimulus ends after " + std::to_string(at) + " cycles");
    py::dict in = inputs.dict();
    in["rst_ni"] = reset;
    return py::make_tuple(in, outputs.dict());
  }
  py::dict bits(bool outputs) const {
    py::dict out;
    for (const Pin& pin : outputs ? pins().outputs : pins().inputs) out[py::str(pin.name)] = pin.bits;
    return out;
  }
  std::map<std::string, int> parameters() const { return {pins().parameters.begin(), pins().parameters.end()}; }

 private:
  const UnitPins& pins() const { return bench_->pins(); }
  TurnQueue turns_;
  std::string block_;
  cosim::CampaignRequest request_;
  std::unique_ptr<cosim::WordBench> bench_;
  std::string library_;
  std::unique_ptr<cosim::WordDevice> device_;
  std::vector<uint64_t> in_, out_;
};

}  // namespace

PYBIND11_MODULE(_odonata, m) {
  py::register_exception<Error>(m, "Error");
  m.def("version", &version_text);
  m.def("configuration", [](const std::string& size, const std::string& dragonfly, int group, int router, int port) {
    std::vector<std::pair<uint32_t, uint64_t>> out;
    const Dragonfly d = dragonfly.empty() ? Dragonfly::named(size) : Dragonfly::parse(dragonfly);
    for (const auto& write : cosim::port_configuration(d, {group, router}, port))
      out.emplace_back(write.address / 8, write.data);
    return out;
  });
  m.def("has_dragonfly", [](const std::string& block) {
    return cosim::find_unit(cosim::described_units(), block).open(request_of("", "", {}))->pins().size == "dragonfly";
  });
  m.def("blocks", [] {
    std::vector<std::string> names;
    for (const cosim::Unit& unit : cosim::described_units()) names.push_back(unit.name);
    return names;
  });
  py::class_<Unit>(m, "Unit")
      .def(py::init<std::string, std::string, std::string, std::string, std::map<std::string, std::string>>())
      .def("restart", &Unit::restart)
      .def("step", &Unit::step)
      .def("explain", &Unit::explain)
      .def("run", &Unit::run)
      .def("check", &Unit::check)
      .def("stimulus", &Unit::stimulus)
      .def("bits", &Unit::bits)
      .def("parameters", &Unit::parameters);
  add_network(m);
}

}  // namespace odonata::python

// libsystemc, which SystemC modules of the units need, refers to it.
extern "C" __attribute__((visibility("default"))) int sc_main(int, char**);
extern "C" int sc_main(int, char**) { return 1; }
