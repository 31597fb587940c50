// SPDX-License-Identifier: Apache-2.0
// The TLM-2.0 sockets of a fault plane (docs/fault.md §6.4): configuration and counters, link events, messages in and
// out, refusals. The same for the SystemC router and for Verilated RTL behind the same sockets.
#include <gtest/gtest.h>

#include <array>
#include <span>

#include "hw/fault/fault_plane.h"
#include "tb/fault/router_block.h"

namespace odonata::fault {
namespace {

using tlm::tlm_response_status;

/// Stands at all sockets of a plane; `script` runs in a thread.
class Environment : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Environment, hw::kBusWidth> config{"config"}, links{"links"};
  std::vector<std::unique_ptr<tlm_utils::simple_initiator_socket<Environment, hw::kBusWidth>>> to;
  std::vector<std::unique_ptr<tlm_utils::simple_target_socket_tagged<Environment, hw::kBusWidth>>> from;
  std::vector<std::pair<int, uint32_t>> received;  ///< port, message
  std::function<void(Environment&)> script;
  bool done = false;

  Environment(const sc_core::sc_module_name& name, FaultPlane& plane) : sc_module(name) {
    config.bind(plane.config_socket);
    links.bind(plane.link_socket);
    for (int k = 0; k < plane.dragonfly().num_ports(); ++k) {
      to.push_back(std::make_unique<tlm_utils::simple_initiator_socket<Environment, hw::kBusWidth>>(
          ("to_" + std::to_string(k)).c_str()));
      to.back()->bind(plane.in(k));
      from.push_back(std::make_unique<tlm_utils::simple_target_socket_tagged<Environment, hw::kBusWidth>>(
          ("from_" + std::to_string(k)).c_str()));
      from.back()->register_b_transport(this, &Environment::take, k);
      plane.out_socket(k).bind(*from.back());
    }
    SC_HAS_PROCESS(Environment);
    SC_THREAD(thread);
  }
  template <class Socket>
  tlm_response_status access(Socket& socket, tlm::tlm_command command, uint64_t address, uint64_t& word) {
    sc_core::sc_time delay;
    return access(socket, command, address, word, delay);
  }
  template <class Socket>
  tlm_response_status access(Socket& socket, tlm::tlm_command command, uint64_t address, uint64_t& word,
                             sc_core::sc_time& delay) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
    payload.set_data_length(hw::kWordBytes);
    payload.set_streaming_width(hw::kWordBytes);
    socket->b_transport(payload, delay);
    return payload.get_response_status();
  }
  tlm_response_status write(uint64_t address, uint64_t word) {
    return access(config, tlm::TLM_WRITE_COMMAND, address, word);
  }
  uint64_t read(uint64_t address) {
    uint64_t word = 0;
    EXPECT_EQ(access(config, tlm::TLM_READ_COMMAND, address, word), tlm::TLM_OK_RESPONSE) << address;
    return word;
  }
  /// Words without time; how many bytes were.
  unsigned debug(tlm::tlm_command command, uint64_t address, std::span<uint64_t> words) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(words.data()));
    payload.set_data_length(static_cast<unsigned>(words.size_bytes()));
    return config->transport_dbg(payload);
  }
  tlm_response_status send(int port, const Message& message) {
    uint64_t word = encode_message(message);
    return access(*to[port], tlm::TLM_WRITE_COMMAND, 0, word);
  }

 private:
  void thread() {
    wait(3.2, sc_core::SC_NS);
    script(*this);
    done = true;
  }
  void take(int port, tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    received.emplace_back(port, static_cast<uint32_t>(hw::load_word(payload)));
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

class FaultPlaneSockets : public ::testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<FaultPlane> make(hw::Tick& tick, const char* name = "plane") const {
    if (std::string(GetParam()) == "rtl")
      return std::make_unique<DeviceFaultPlane>(name, tick, d_, cosim::make_fault_router_rtl(d_));
    return std::make_unique<StructuralFaultPlane>(name, tick, d_, config_);
  }
  const Dragonfly d_ = Dragonfly::named("tiny");
  const FaultRouterConfig config_ = cosim::router_config(d_, cosim::RouterVariant::plain);
  const RouterId own_{2, 1};
};

/// Configured over the bus, a plane does what the specification says: a link goes down, FDs leave, counters count; a
/// message comes in and is served.
TEST_P(FaultPlaneSockets, ConfigurationEventsMessagesCounters) {
  hw::Tick tick("clock");
  const auto plane = make(tick);
  Environment env("environment", *plane);
  env.script = [&](Environment& e) {
    plane->set_reset(false);
    EXPECT_EQ(e.read(plane_map::kId), plane_map::kIdWord);
    EXPECT_EQ(e.read(plane_map::kSize), 2u | 4u << 8 | 2u << 16 | 8u << 24);
    EXPECT_EQ(e.write(plane_map::kOwn, 2u | 1u << 16), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(e.write(plane_map::kMode, 1), tlm::TLM_OK_RESPONSE);
    for (int row = 0; row < num_rows(d_); ++row) {
      const RowConfig config = row_config(d_, own_, entry_of_row(d_, row), Mode::safe);
      for (int port = 0; port < d_.num_ports(); ++port) {
        const Options o = config.at(d_, port);
        ASSERT_EQ(e.write(plane_map::options(d_, port, row, false), o.a), tlm::TLM_OK_RESPONSE);
        // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): what it refers to goes on
        const sc_core::sc_time before = sc_core::sc_time_stamp();
        ASSERT_EQ(e.write(plane_map::options(d_, port, row, true), o.b), tlm::TLM_OK_RESPONSE);
        EXPECT_GE(sc_core::sc_time_stamp() - before, tick.period()) << "the write takes the cycles of its handshake";
        EXPECT_EQ(e.read(plane_map::options(d_, port, row, true)), o.b);
      }
    }
    uint64_t up = ~(1ull << d_.global_port(1));        // to group 3
    plane->set_route_reads(low_mask(d_.num_ports()));  // the travel waits for the RAM
    EXPECT_EQ(e.access(e.links, tlm::TLM_WRITE_COMMAND, 0, up), tlm::TLM_OK_RESPONSE);
    wait(20, sc_core::SC_NS);
    plane->set_route_reads(0);
    wait(200, sc_core::SC_NS);
    EXPECT_EQ(e.read(plane_map::kServed), 1u);
    EXPECT_GT(e.received.size(), 0u);
    uint64_t counted = 0;
    for (int port = 0; port < d_.num_ports(); ++port)
      counted += e.read(plane_map::kCounters + 32u * static_cast<uint32_t>(port));
    EXPECT_EQ(counted, e.received.size());
    // Each of a port's four counters stands in a word of its own.
    int unlike = 0;
    for (int port = 0; port < d_.num_ports(); ++port) {
      const PortOutputs& unit = plane->out().unit[static_cast<size_t>(port)];
      const uint16_t counters[] = {unit.fd_count, unit.fr_count, unit.wait_ram, unit.wait_queue};
      unlike += unit.wait_ram != unit.wait_queue;
      for (uint32_t k = 0; k < 4; ++k)
        EXPECT_EQ(e.read(plane_map::kCounters + 32u * static_cast<uint32_t>(port) + 8 * k), counters[k]) << port;
    }
    EXPECT_GT(unlike, 0);
    EXPECT_EQ(e.send(d_.first_local(), {Kind::diagnosis, MessageClass::d, 1, 5, 0, 0}), tlm::TLM_OK_RESPONSE);
    wait(100, sc_core::SC_NS);
    EXPECT_EQ(e.read(plane_map::kServed), 2u);
    EXPECT_EQ(e.read(plane_map::kBusy), 0u);
    plane->set_reset(true);
    wait(10, sc_core::SC_NS);
    EXPECT_EQ(e.read(plane_map::kServed), 0u);
  };
  sc_core::sc_start(5000, sc_core::SC_NS);
  EXPECT_TRUE(env.done);
}

/// Rows can be written without time while the plane is in reset, and are then those of a plane that was loaded; all
/// registers can be read so at any time.
TEST_P(FaultPlaneSockets, RowsWithoutTime) {
  hw::Tick tick("clock");
  const auto plane = make(tick), loaded = make(tick, "loaded");
  loaded->load(own_, Mode::safe, Recovery::per_entry);
  Environment env("environment", *plane), reference("reference", *loaded);
  const auto link_goes_down = [&](Environment& e, FaultPlane& p) {
    p.set_reset(false);
    uint64_t up = ~(1ull << d_.global_port(1));
    EXPECT_EQ(e.access(e.links, tlm::TLM_WRITE_COMMAND, 0, up), tlm::TLM_OK_RESPONSE);
    wait(300, sc_core::SC_NS);
    EXPECT_EQ(e.read(plane_map::kServed), 1u);
  };
  reference.script = [&](Environment& e) { link_goes_down(e, *loaded); };
  env.script = [&](Environment& e) {
    std::array<uint64_t, 2> words{2u | 1u << 16, 0};
    EXPECT_EQ(e.debug(tlm::TLM_WRITE_COMMAND, plane_map::kOwn, std::span(words).first(1)), 0u) << "rows alone";
    EXPECT_EQ(e.write(plane_map::kOwn, words[0]), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(e.write(plane_map::kMode, 1), tlm::TLM_OK_RESPONSE);
    for (int row = 0; row < num_rows(d_); ++row) {
      const RowConfig config = row_config(d_, own_, entry_of_row(d_, row), Mode::safe);
      for (int port = 0; port < d_.num_ports(); ++port) {
        words = {config.at(d_, port).a, config.at(d_, port).b};
        const std::array<uint64_t, 2> written = words;
        const uint64_t address = plane_map::options(d_, port, row, false);
        ASSERT_EQ(e.debug(tlm::TLM_WRITE_COMMAND, address, words), 16u);
        words = {};
        ASSERT_EQ(e.debug(tlm::TLM_READ_COMMAND, address, words), 16u);
        ASSERT_EQ(words, written) << "port " << port << " row " << row;
      }
    }
    link_goes_down(e, *plane);
    words = {};
    EXPECT_EQ(e.debug(tlm::TLM_WRITE_COMMAND, plane_map::options(d_, 0, 0, false), words), 0u) << "it runs";
    EXPECT_EQ(e.debug(tlm::TLM_READ_COMMAND, plane_map::kServed, std::span(words).first(1)), 8u);
    EXPECT_EQ(words[0], 1u);
    EXPECT_EQ(e.debug(tlm::TLM_READ_COMMAND, plane_map::end(d_) - 8, words), 8u) << "up to the end of the map";
  };
  sc_core::sc_start(1000, sc_core::SC_NS);
  EXPECT_TRUE(env.done && reference.done);
  EXPECT_GT(env.received.size(), 0u);
  EXPECT_EQ(env.received, reference.received);
}

/// A link word that comes with a delay changes the links then, and its delay is used up.
TEST_P(FaultPlaneSockets, ADelayOfALinkWordPasses) {
  hw::Tick tick("clock");
  const auto plane = make(tick);
  plane->load(own_, Mode::safe, Recovery::per_entry);
  Environment env("environment", *plane);
  env.script = [&](Environment& e) {
    plane->set_reset(false);
    const sc_core::sc_time start = sc_core::sc_time_stamp();
    uint64_t word = 0x7D;
    sc_core::sc_time delay(10, sc_core::SC_NS);
    EXPECT_EQ(e.access(e.links, tlm::TLM_WRITE_COMMAND, 0, word, delay), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
    EXPECT_EQ(sc_core::sc_time_stamp() - start, sc_core::sc_time(10, sc_core::SC_NS));
    word = 0;
    EXPECT_EQ(e.access(e.links, tlm::TLM_READ_COMMAND, 0, word), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(word, 0x7Du);
  };
  sc_core::sc_start(100, sc_core::SC_NS);
  EXPECT_TRUE(env.done);
}

TEST_P(FaultPlaneSockets, Refusals) {
  hw::Tick tick("clock");
  const auto plane = make(tick);
  plane->load(own_, Mode::safe, Recovery::per_entry);
  Environment env("environment", *plane);
  env.script = [&](Environment& e) {
    plane->set_reset(false);
    wait(2, sc_core::SC_NS);
    uint64_t word = 0;
    EXPECT_EQ(e.write(plane_map::kId, 1), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(e.write(plane_map::kCounters, 1), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(e.write(plane_map::kMode, 8), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(e.write(plane_map::kOwn, 8), tlm::TLM_GENERIC_ERROR_RESPONSE) << "there is no group 8";
    EXPECT_EQ(e.write(plane_map::kOwn, 4u << 16), tlm::TLM_GENERIC_ERROR_RESPONSE) << "there is no router 4";
    EXPECT_EQ(e.write(plane_map::options(d_, 0, 0, false), 3), tlm::TLM_GENERIC_ERROR_RESPONSE)
        << "table A has one port";
    EXPECT_EQ(e.write(plane_map::options(d_, 0, 0, true), 1ull << 7), tlm::TLM_GENERIC_ERROR_RESPONSE)
        << "there is no port 7";
    EXPECT_EQ(e.write(plane_map::end(d_), 0), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(e.write(plane_map::kCounters + 32 * 7, 0), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(e.access(*e.to[3], tlm::TLM_READ_COMMAND, 0, word), tlm::TLM_COMMAND_ERROR_RESPONSE);
    word = 1ull << 22;
    EXPECT_EQ(e.access(*e.to[3], tlm::TLM_WRITE_COMMAND, 0, word), tlm::TLM_GENERIC_ERROR_RESPONSE)
        << "a message has 22 bits";
    wait(100, sc_core::SC_NS);
    EXPECT_EQ(e.read(plane_map::kServed), 0u) << "nothing refused leaves a trace";
  };
  sc_core::sc_start(1000, sc_core::SC_NS);
  EXPECT_TRUE(env.done);
}

/// Without time the same words are there as over the bus, and the same values are refused.
TEST_P(FaultPlaneSockets, WithoutTimeTheSameIsRefused) {
  hw::Tick tick("clock");
  const auto plane = make(tick);
  Environment env("environment", *plane);
  env.script = [&](Environment& e) {
    std::array<uint64_t, 1> word{};
    EXPECT_EQ(e.debug(tlm::TLM_READ_COMMAND, plane_map::kCounters + 32 * 7, word), 0u) << "there are seven ports";
    word[0] = 3;
    EXPECT_EQ(e.debug(tlm::TLM_WRITE_COMMAND, plane_map::options(d_, 0, 0, false), word), 0u) << "table A has one port";
    word[0] = 1ull << 7;
    EXPECT_EQ(e.debug(tlm::TLM_WRITE_COMMAND, plane_map::options(d_, 0, 0, true), word), 0u) << "there is no port 7";
    EXPECT_EQ(e.read(plane_map::options(d_, 0, 0, false)), 0u);
    EXPECT_EQ(e.read(plane_map::options(d_, 0, 0, true)), 0u);
  };
  sc_core::sc_start(100, sc_core::SC_NS);
  EXPECT_TRUE(env.done);
}

INSTANTIATE_TEST_SUITE_P(Cores, FaultPlaneSockets, ::testing::Values("systemc", "rtl"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace odonata::fault
