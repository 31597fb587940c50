// SPDX-License-Identifier: Apache-2.0
// The TLM-2.0 sockets of the route-compute unit, with each of the three cores behind them: SystemC pipeline, golden
// unit, RTL.
#include <gtest/gtest.h>

#include <map>

#include "models/common/random.h"
#include "tb/route_compute/systemc_bench.h"

namespace odonata::route_compute {
namespace {

using bench::Bench;
using bench::Driver;
using bench::EndResp;
using bench::ns;
using bench::Trip;
using sc_core::sc_time;
using sc_core::sc_time_stamp;

/// What the unit has to answer, from the untimed golden model.
class Oracle {
 public:
  Oracle(const Dragonfly& d, RouterId own, int port, uint16_t lfsr = 0xACE1) : regs_(d) {
    for (const RegisterWrite& w : configuration_writes(d, own, port, table::configure(d, own, port), lfsr)) {
      regs_.write(regs_.target(true, w.address / 8, w.data), w.address / 8, w.data);
    }
  }
  Decision next(const Request& request, const Congestion& congestion = {}) {
    const Decoded decoded = decode(regs_.config(), request);
    const Decision decision =
        decide(regs_.config(), request, decoded, regs_.entries(decoded), congestion, regs_.lfsr());
    regs_.advance_lfsr();
    return decision;
  }

 private:
  Registers regs_;
};

void expect_decision(const Decision& got, const Decision& expected) {
  EXPECT_EQ(got.hop_class, expected.hop_class);
  EXPECT_EQ(got.port, expected.port);
  EXPECT_EQ(got.vc, expected.vc);
  EXPECT_EQ(got.router, expected.router);
}

Request any_request(const Dragonfly& d, Random& random) {
  const auto below = [&](int n) { return static_cast<int>(random.below(static_cast<uint32_t>(n))); };
  return {{below(d.g()), below(d.a()), below(d.p())}, below(d.g()), below(4)};
}

/// The first edge after a time; edges are at whole nanoseconds.
sc_time edge_after(const sc_time& t) {
  const uint64_t whole = t.value() / ns(1).value();
  return ns(static_cast<double>(whole + 1));
}

template <class Core>
class Sockets : public ::testing::Test {
 protected:
  Bench bench_{Core{}, Dragonfly::named("tiny")};
  const Dragonfly& d_ = bench_.d;
  const RouterId own_{1, 2};
  static constexpr int kNodePort = 1;

  bench::AtInitiator& initiator() { return bench_.initiator; }
  Driver& driver() { return bench_.driver; }
  void finish() {
    EXPECT_TRUE(bench_.finished()) << "not everything was answered";
    EXPECT_TRUE(initiator().violations.empty()) << initiator().violations.front();
    EXPECT_EQ(initiator().pool.in_use(), 0u) << "acquire and release do not match";
  }
};

using Cores = ::testing::Types<bench::SystemcCore, bench::GoldenCore, bench::RtlCore>;
TYPED_TEST_SUITE(Sockets, Cores);

// Time.

TYPED_TEST(Sockets, LatencyIsExactlyFourCycles) {
  this->bench_.run([&] {
    this->bench_.configure(this->own_, this->kNodePort);
    for (double offset : {0.0, 0.001, 0.3, 0.5, 0.999, 1.0, 1.7}) {
      sc_core::wait(edge_after(sc_time_stamp()) + ns(10 + offset) - sc_time_stamp());
      this->initiator().send({{3, 0, 0}, 1, 0});
      sc_core::wait(ns(8));
    }
  });
  this->finish();
  ASSERT_EQ(this->initiator().trips.size(), 7u);
  Oracle oracle(this->d_, this->own_, this->kNodePort);
  for (const Trip& trip : this->initiator().trips) {
    EXPECT_EQ(trip.status, tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(trip.end_req, edge_after(trip.begin_req)) << "END_REQ comes at the first edge after BEGIN_REQ";
    EXPECT_EQ(trip.begin_resp - trip.end_req, ns(4));
    expect_decision(trip.decision, oracle.next(trip.request));
  }
}

TYPED_TEST(Sockets, InitiationIntervalIsOneCycle) {
  Random random(1);
  this->bench_.run([&] {
    this->bench_.configure(this->own_, this->kNodePort);
    for (int k = 0; k < 200; ++k) this->initiator().send(any_request(this->d_, random));
  });
  this->finish();
  const std::vector<Trip>& trips = this->initiator().trips;
  ASSERT_EQ(trips.size(), 200u);
  Oracle oracle(this->d_, this->own_, this->kNodePort);
  for (size_t k = 0; k < trips.size(); ++k) {
    EXPECT_EQ(trips[k].end_req - trips[0].end_req, ns(static_cast<double>(k)));
    EXPECT_EQ(trips[k].begin_resp - trips[k].end_req, ns(4));
    expect_decision(trips[k].decision, oracle.next(trips[k].request));
  }
}

TYPED_TEST(Sockets, BlockingTransportWaitsForTheDecision) {
  RouteExtension extension;
  extension.request = {{5, 1, 1}, 1, 0};
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_IGNORE_COMMAND);
  payload.set_extension(&extension);
  sc_time called, answered, delay = ns(2.25);
  this->bench_.run([&] {
    this->bench_.configure(this->own_, this->kNodePort);
    called = sc_time_stamp();
    this->initiator().socket->b_transport(payload, delay);
    answered = sc_time_stamp();
  });
  this->finish();
  EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
  EXPECT_EQ(answered, edge_after(called + ns(2.25)) + ns(4));
  expect_decision(extension.decision, Oracle(this->d_, this->own_, this->kNodePort).next(extension.request));
  payload.clear_extension(&extension);
}

TYPED_TEST(Sockets, ManyBlockingCallersShareTheUnit) {
  constexpr int kCallers = 6;
  int done = 0;
  std::vector<sc_time> answered;
  this->bench_.run([&] {
    this->bench_.configure(this->own_, this->kNodePort);
    for (int k = 0; k < kCallers; ++k) {
      Bench::also([&] {
        RouteExtension extension;
        tlm::tlm_generic_payload payload;
        payload.set_command(tlm::TLM_IGNORE_COMMAND);
        payload.set_extension(&extension);
        sc_time delay = sc_core::SC_ZERO_TIME;
        this->initiator().socket->b_transport(payload, delay);
        payload.clear_extension(&extension);
        answered.push_back(sc_time_stamp());
        ++done;
      });
    }
    Bench::wait_until([&] { return done == kCallers; });
  });
  this->finish();
  ASSERT_EQ(answered.size(), 6u);
  for (size_t k = 1; k < answered.size(); ++k) EXPECT_EQ(answered[k] - answered[k - 1], ns(1));
}

// Configuration under load.

TYPED_TEST(Sockets, AWriteAloneTakesTwoCyclesFromItsEdge) {
  sc_time called, answered;
  this->bench_.run([&] {
    called = sc_time_stamp();
    EXPECT_EQ(this->driver().write(reg::kTableA, 1), tlm::TLM_OK_RESPONSE);
    answered = sc_time_stamp();
  });
  EXPECT_EQ(answered, edge_after(called) + ns(2));
}

TYPED_TEST(Sockets, ATableWriteWaitsForTheLastRequest) {
  sc_time written;
  const uint32_t address = reg::kTableA + 8 * (2 + 4 + 7);
  const uint64_t data = table::GlobalEntryA{.own_router = true, .global_ports = 3}.encode();
  this->bench_.run([&] {
    this->bench_.configure(this->own_, this->kNodePort);
    for (int k = 0; k < 60; ++k) this->initiator().send({{3, 0, 0}, 1, 0});
    sc_core::wait(ns(5));
    EXPECT_EQ(this->driver().write(address, data), tlm::TLM_OK_RESPONSE);
    written = sc_time_stamp();
  });
  this->finish();
  const Trip& last = this->initiator().trips.back();
  // Stage 2 of the last request ends two edges after END_REQ; the write is executed at the next and acknowledged one
  // later.
  EXPECT_EQ(written, last.end_req + ns(4));
  EXPECT_EQ(this->bench_.peek(address), data);
  EXPECT_GT(this->bench_.peek(reg::kCounters + 8 * reg::kCounterWaits), 50u);
  for (const Trip& trip : this->initiator().trips) EXPECT_EQ(trip.begin_resp - trip.end_req, ns(4));
}

TYPED_TEST(Sockets, NoWriteIsLostUnderLoad) {
  std::vector<uint64_t> expected_a(14), expected_b(12);
  int writers = 0;
  const auto writer = [&](uint32_t base, std::vector<uint64_t>& expected, uint64_t seed) {
    Random random(seed);
    ++writers;
    for (int k = 0; k < 300; ++k) {
      const uint32_t i = random.below(static_cast<uint32_t>(expected.size()));
      const uint64_t data = random.next() & low_mask(7);
      EXPECT_EQ(this->driver().write(base + 8 * i, data), tlm::TLM_OK_RESPONSE);
      expected[i] = data;
      if (random.chance(0.5)) sc_core::wait(ns(random.unit() * 3));
    }
    --writers;
  };
  Random random(9);
  this->bench_.run([&] {
    this->bench_.configure(this->own_, 2);  // a local port: default entries only
    for (uint32_t i = 0; i < 14; ++i) expected_a[i] = this->bench_.peek(reg::kTableA + 8 * i);
    for (uint32_t i = 0; i < 12; ++i) expected_b[i] = this->bench_.peek(reg::kTableB + 8 * i);
    Bench::also([&] { writer(reg::kTableA, expected_a, 1); });
    Bench::also([&] { writer(reg::kTableB, expected_b, 2); });
    sc_core::wait(ns(1));
    Bench::wait_until([&] {
      if (random.chance(0.7)) this->initiator().send(any_request(this->d_, random));
      return writers == 0;
    });
  });
  this->finish();
  EXPECT_GT(this->initiator().trips.size(), 300u);
  for (uint32_t i = 0; i < 14; ++i) EXPECT_EQ(this->bench_.peek(reg::kTableA + 8 * i), expected_a[i]);
  for (uint32_t i = 0; i < 12; ++i) EXPECT_EQ(this->bench_.peek(reg::kTableB + 8 * i), expected_b[i]);
  EXPECT_GT(this->bench_.peek(reg::kCounters + 8 * reg::kCounterWaits), 100u);
  const size_t responses = this->initiator().trips.size();
  EXPECT_EQ(this->bench_.peek(reg::kCounters), responses) << "requests counted";
}

// Errors.

TYPED_TEST(Sockets, WrongConfigurationAccessesFailAndChangeNothing) {
  struct Case {
    const char* what;
    bool write;
    uint64_t address, data;
    unsigned length;
    tlm::tlm_response_status expected;
  };
  const Case cases[] = {
      {"beyond the map", true, reg::kEnd, 1, 8, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {"far beyond the map", false, 1ull << 40, 1, 8, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {"behind table A", true, reg::kTableA + 8 * 14, 1, 8, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {"behind table C", false, reg::kTableC + 8 * 4, 0xAB, 8, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {"not aligned", true, reg::kTableA + 4, 1, 8, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {"four bytes", true, reg::kTableA, 1, 4, tlm::TLM_BURST_ERROR_RESPONSE},
      {"sixteen bytes", false, reg::kTableA, 1, 16, tlm::TLM_BURST_ERROR_RESPONSE},
      {"no bytes", true, reg::kTableA, 1, 0, tlm::TLM_BURST_ERROR_RESPONSE},
      {"read-only word", true, reg::kId, 1, 8, tlm::TLM_COMMAND_ERROR_RESPONSE},
      {"read-only counter", true, reg::kCounters, 0, 8, tlm::TLM_COMMAND_ERROR_RESPONSE},
      {"a port that does not exist", true, reg::kTableA, 1ull << 7, 8, tlm::TLM_GENERIC_ERROR_RESPONSE},
      {"global A: node port as lpc0", true, reg::kTableA + 8 * 7, 1ull << 16, 8, tlm::TLM_GENERIC_ERROR_RESPONSE},
      {"global A: undefined bit", true, reg::kTableA + 8 * 7, 63ull << 16 | 1ull << 23, 8,
       tlm::TLM_GENERIC_ERROR_RESPONSE},
      {"global B: node port as lpc1", true, reg::kTableB + 8 * 5, 0, 8, tlm::TLM_GENERIC_ERROR_RESPONSE},
      {"C: valid, not local", true, reg::kTableC, 0x80, 8, tlm::TLM_GENERIC_ERROR_RESPONSE},
      {"C: not valid, not 0", true, reg::kTableC, 0x03, 8, tlm::TLM_GENERIC_ERROR_RESPONSE},
      {"C: upper bits", true, reg::kTableC, 1ull << 48, 8, tlm::TLM_GENERIC_ERROR_RESPONSE},
      {"reserved class", true, reg::kPort, 3, 8, tlm::TLM_GENERIC_ERROR_RESPONSE},
      {"router that does not exist", true, reg::kRouterId, 4, 8, tlm::TLM_GENERIC_ERROR_RESPONSE},
      {"group that does not exist", true, reg::kRouterId, 8 << 5, 8, tlm::TLM_GENERIC_ERROR_RESPONSE},
      {"LFSR 0", true, reg::kLfsr, 0, 8, tlm::TLM_GENERIC_ERROR_RESPONSE},
      {"threshold: upper bits", true, reg::kThreshold, 1ull << 32, 8, tlm::TLM_GENERIC_ERROR_RESPONSE},
  };
  this->bench_.run([&] {
    this->bench_.configure(this->own_, this->kNodePort);
    const std::vector<uint64_t> before = this->bench_.snapshot();
    for (const Case& c : cases) {
      uint64_t data[2] = {c.data, 0};
      EXPECT_EQ(Driver::access(this->driver().config, c.write, c.address, data, c.length), c.expected) << c.what;
      EXPECT_EQ(data[0], c.data) << c.what << ": the data array of the initiator";
    }
    EXPECT_EQ(this->bench_.snapshot(), before);
  });
  EXPECT_TRUE(this->bench_.finished());
}

TYPED_TEST(Sockets, UnusualPayloadsAreRefused) {
  this->bench_.run([&] {
    uint64_t data = 1;
    unsigned char enables = 0xFF;
    sc_time delay = sc_core::SC_ZERO_TIME;
    const auto status = [&](const std::function<void(tlm::tlm_generic_payload&)>& change) {
      tlm::tlm_generic_payload payload;
      Driver::fill(payload, true, reg::kTableA, &data, 8);
      change(payload);
      this->driver().config->b_transport(payload, delay);
      return payload.get_response_status();
    };
    using Payload = tlm::tlm_generic_payload;
    EXPECT_EQ(status([](Payload& p) { p.set_command(tlm::TLM_IGNORE_COMMAND); }), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(status([&](Payload& p) { p.set_byte_enable_ptr(&enables); }), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    EXPECT_EQ(status([](Payload& p) { p.set_streaming_width(4); }), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(status([](Payload& p) { p.set_data_ptr(nullptr); }), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(this->bench_.peek(reg::kTableA), 0u);
    EXPECT_EQ(status([](Payload&) {}), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(this->bench_.peek(reg::kTableA), 1u);
  });
  EXPECT_TRUE(this->bench_.finished());
}

// Access without time.

TYPED_TEST(Sockets, DebugTransportTakesNoTime) {
  this->bench_.run([&] {
    this->bench_.configure(this->own_, this->kNodePort);
    const double before = sc_time_stamp().to_seconds();
    const table::PortTables tables = table::configure(this->d_, this->own_, this->kNodePort);
    std::vector<uint64_t> words(14);
    EXPECT_EQ(Driver::debug(this->driver().config, false, reg::kTableA, words.data(), 14 * 8), 14u * 8);
    EXPECT_EQ(words, tables.a);
    EXPECT_EQ(Driver::debug(this->driver().config, false, reg::kTableA + 8 * 13, words.data(), 16), 8u)
        << "up to the end of table A";
    EXPECT_EQ(Driver::debug(this->driver().config, false, reg::kTableA + 4, words.data(), 8), 0u) << "not aligned";
    EXPECT_EQ(this->bench_.peek(reg::kId), reg::kIdValue);
    uint64_t data = 5;
    const unsigned done = Driver::debug(this->driver().config, true, reg::kTableA, &data, 8);
    EXPECT_EQ(done, TypeParam::kDebugWrites ? 8u : 0u);
    EXPECT_EQ(this->bench_.peek(reg::kTableA), TypeParam::kDebugWrites ? 5u : tables.a[0]);
    data = 3;
    EXPECT_EQ(Driver::debug(this->driver().config, true, reg::kPort, &data, 8), 0u) << "a reserved encoding";
    EXPECT_EQ(sc_time_stamp().to_seconds(), before);
    EXPECT_EQ(this->driver().read(reg::kTableA, data), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(data, this->bench_.peek(reg::kTableA));
  });
  EXPECT_TRUE(this->bench_.finished());
}

TYPED_TEST(Sockets, DebugReadsShowLiveCountersAndLfsr) {
  Random random(4);
  this->bench_.run([&] {
    this->bench_.configure(this->own_, this->kNodePort);
    for (int k = 0; k < 50; ++k) this->initiator().send(any_request(this->d_, random));
    sc_core::wait(ns(100));
    for (uint32_t address :
         {reg::kLfsr, reg::kThreshold, reg::kPort, reg::kCounters, reg::kCounters + 16, reg::kCounters + 72}) {
      const uint64_t peeked = this->bench_.peek(address);
      uint64_t data = 0;
      EXPECT_EQ(this->driver().read(address, data), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(data, peeked) << std::hex << address;
    }
    EXPECT_EQ(this->bench_.peek(reg::kCounters), 50u);
  });
  this->finish();
}

// Congestion.

TYPED_TEST(Sockets, TheSnapshotIsTakenTwoEdgesAfterTheRequest) {
  // All ports towards the minimal router congested: the decision changes with the cycle in which the map arrives.
  Congestion all{.local = low_mask(7), .global = GroupMap::low(8)};
  std::vector<Decision> decisions;
  std::vector<double> offsets{1.0, 1.5, 1.9, 2.0, 2.1, 3.0};
  this->bench_.run([&] {
    this->bench_.configure(this->own_, this->kNodePort, 0x1234);
    for (double offset : offsets) {
      EXPECT_EQ(this->driver().congest_local(0), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(this->driver().congest_global({}), tlm::TLM_OK_RESPONSE);
      sc_core::wait(edge_after(sc_time_stamp()) + ns(4.5) - sc_time_stamp());
      this->initiator().send({{3, 0, 0}, 1, 0});  // sampled half a nanosecond later, at t
      sc_core::wait(ns(0.5 + offset));
      EXPECT_EQ(this->driver().congest_local(all.local), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(this->driver().congest_global(all.global), tlm::TLM_OK_RESPONSE);
      sc_core::wait(ns(10));
    }
  });
  this->finish();
  Oracle oracle(this->d_, this->own_, this->kNodePort, 0x1234);
  for (size_t k = 0; k < offsets.size(); ++k) {
    const Trip& trip = this->initiator().trips[k];
    SCOPED_TRACE(offsets[k]);
    expect_decision(trip.decision, oracle.next(trip.request, offsets[k] < 2.0 ? all : Congestion{}));
    EXPECT_EQ(trip.decision.hop_class, offsets[k] < 2.0 ? HopClass::fallback : HopClass::ga);
  }
}

TYPED_TEST(Sockets, CongestionSocketChecksItsMap) {
  this->bench_.run([&] {
    uint64_t words[9] = {};
    const auto access = [&](bool write, uint64_t address, unsigned length) {
      return Driver::access(this->driver().congestion, write, address, words, length);
    };
    EXPECT_EQ(access(true, 16, 8), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(access(true, 4, 8), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(access(true, 0, 64), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(access(true, 8, 8), tlm::TLM_BURST_ERROR_RESPONSE);
    words[0] = 1ull << 7;
    EXPECT_EQ(access(true, 0, 8), tlm::TLM_GENERIC_ERROR_RESPONSE) << "a port that does not exist";
    words[0] = 1ull << 8;
    EXPECT_EQ(access(true, 8, 64), tlm::TLM_GENERIC_ERROR_RESPONSE);
    words[0] = 0x55;
    EXPECT_EQ(access(true, 0, 8), tlm::TLM_OK_RESPONSE);
    words[0] = 0;
    EXPECT_EQ(access(false, 0, 8), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(words[0], 0x55u);
    words[0] = 0xA5;
    EXPECT_EQ(Driver::debug(this->driver().congestion, true, 8, words, 64), 64u);
    words[0] = 0;
    EXPECT_EQ(Driver::debug(this->driver().congestion, false, 8, words, 64), 64u);
    EXPECT_EQ(words[0], 0xA5u);
    sc_core::wait(ns(3));
    EXPECT_EQ(access(true, 76, 8), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(access(true, 72, 64), tlm::TLM_BURST_ERROR_RESPONSE);
    words[0] = 1ull << 7;
    EXPECT_EQ(access(true, congestion_map::kBusyLocal, 8), tlm::TLM_GENERIC_ERROR_RESPONSE);
    words[0] = 1ull << 8;
    EXPECT_EQ(access(true, congestion_map::kBusyGlobal, 64), tlm::TLM_GENERIC_ERROR_RESPONSE);
    words[0] = 0x3A;
    EXPECT_EQ(access(true, congestion_map::kBusyLocal, 8), tlm::TLM_OK_RESPONSE);
    words[0] = 0x5A;
    EXPECT_EQ(access(true, congestion_map::kBusyGlobal, 64), tlm::TLM_OK_RESPONSE);
    sc_core::wait(ns(3));
    EXPECT_EQ(this->bench_.dut->inputs().congestion.busy_local, 0x3Au);
    EXPECT_EQ(this->bench_.dut->inputs().congestion.busy_global.word[0], 0x5Au);
    EXPECT_EQ(this->bench_.dut->inputs().congestion.global.word[0], 0xA5u);
    EXPECT_EQ(this->bench_.dut->inputs().congestion.local, 0x55u);
  });
  EXPECT_TRUE(this->bench_.finished());
}

/// At once and still some edges later; the other three maps keep what they have.
TYPED_TEST(Sockets, ADebugWriteChangesItsCongestionMapAlone) {
  struct Map {
    uint64_t address, value;
    unsigned length;
  };
  const std::vector<Map> maps{{congestion_map::kBusyLocal, 0x3A, 8},
                              {congestion_map::kBusyGlobal, 0x5A, 64},
                              {congestion_map::kLocal, 0x55, 8},
                              {congestion_map::kGlobal, 0xA5, 64}};
  this->bench_.run([&] {
    std::map<uint64_t, uint64_t> expected;
    const auto check = [&] {
      const Congestion& seen = this->bench_.dut->inputs().congestion;
      EXPECT_EQ(seen.local, expected[congestion_map::kLocal]);
      EXPECT_EQ(seen.global.word[0], expected[congestion_map::kGlobal]);
      EXPECT_EQ(seen.busy_local, expected[congestion_map::kBusyLocal]);
      EXPECT_EQ(seen.busy_global.word[0], expected[congestion_map::kBusyGlobal]);
      for (const Map& m : maps) {
        uint64_t words[8] = {};
        EXPECT_EQ(Driver::debug(this->driver().congestion, false, m.address, words, m.length), m.length);
        EXPECT_EQ(words[0], expected[m.address]) << m.address;
      }
    };
    for (const Map& m : maps) {
      SCOPED_TRACE(m.address);
      uint64_t words[8] = {m.value};
      EXPECT_EQ(Driver::debug(this->driver().congestion, true, m.address, words, m.length), m.length);
      expected[m.address] = m.value;
      check();
      sc_core::wait(ns(3));
      check();
    }
  });
  EXPECT_TRUE(this->bench_.finished());
}

// Reset.

TYPED_TEST(Sockets, ResetInMidFlightEndsWhatIsInside) {
  tlm::tlm_response_status write_status = tlm::TLM_OK_RESPONSE;
  sc_time reset_at;
  this->bench_.run([&] {
    this->bench_.configure(this->own_, this->kNodePort);
    EXPECT_NE(this->bench_.peek(reg::kTableC), 0u);
    for (int k = 0; k < 20; ++k) this->initiator().send({{3, 0, 0}, 1, 0});
    sc_core::wait(ns(5));
    Bench::also([&] { write_status = this->driver().write(reg::kTableA, 2); });  // waits for stage 2
    sc_core::wait(ns(5.5));
    reset_at = sc_time_stamp();
    this->bench_.dut->set_reset(true);
    sc_core::wait(ns(2));
    this->bench_.dut->set_reset(false);
  });
  this->finish();
  EXPECT_EQ(write_status, tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(this->bench_.peek(reg::kTableA), 1u) << "the pending write is dropped, the RAM keeps its content";
  EXPECT_EQ(this->bench_.peek(reg::kTableC), 0u);
  EXPECT_EQ(this->bench_.peek(reg::kRouterId), 0u);
  unsigned failed = 0, after = 0;
  for (const Trip& trip : this->initiator().trips) {
    after += trip.end_req > reset_at;
    failed += trip.status == tlm::TLM_GENERIC_ERROR_RESPONSE;
    if (trip.status == tlm::TLM_OK_RESPONSE) {
      EXPECT_EQ(trip.begin_resp - trip.end_req, ns(4));
    }
  }
  EXPECT_EQ(this->initiator().trips.size(), 20u);
  EXPECT_EQ(failed, 4u) << "the requests in the four stages";
  EXPECT_EQ(this->bench_.peek(reg::kCounters), after);
}

// The rules of the base protocol.

/// Told then, or before with a delay. What ends exactly at an edge has ended at the next one, whoever comes first in
/// it.
TYPED_TEST(Sockets, ResponsesWaitForTheEndOfTheOneBefore) {
  Random random(2);
  this->bench_.run([&] {
    this->bench_.configure(this->own_, this->kNodePort);
    for (const double later : {2.5, 2.0}) {
      for (EndResp way : {EndResp::after, EndResp::updated_later}) {
        this->initiator().end_resp = way;
        this->initiator().later = ns(later);
        for (int k = 0; k < 20; ++k) this->initiator().send(any_request(this->d_, random));
        sc_core::wait(ns(100));
      }
    }
  });
  this->finish();
  const std::vector<Trip>& trips = this->initiator().trips;
  ASSERT_EQ(trips.size(), 80u);
  for (size_t k = 0; k < trips.size(); ++k) {
    if (k % 20 == 0)
      EXPECT_EQ(trips[k].begin_resp - trips[k].end_req, ns(4));
    else
      EXPECT_EQ(trips[k].begin_resp - trips[k - 1].begin_resp, ns(3)) << k;
  }
}

TYPED_TEST(Sockets, EveryWayToEndAResponseKeepsTheRate) {
  Random random(2);
  this->bench_.run([&] {
    this->bench_.configure(this->own_, this->kNodePort);
    for (EndResp way : {EndResp::completed, EndResp::updated, EndResp::same_time}) {
      this->initiator().end_resp = way;
      for (int k = 0; k < 20; ++k) this->initiator().send(any_request(this->d_, random));
      sc_core::wait(ns(40));
    }
  });
  this->finish();
  for (const Trip& trip : this->initiator().trips) EXPECT_EQ(trip.begin_resp - trip.end_req, ns(4));
}

TYPED_TEST(Sockets, RequestsThatAreNoneEndAtOnce) {
  this->bench_.run([&] {
    RouteExtension extension;
    sc_time delay = sc_core::SC_ZERO_TIME;
    const auto offer = [&](tlm::tlm_command command, bool with_extension, const Request& request) {
      tlm::tlm_generic_payload payload;
      payload.set_command(command);
      extension.request = request;
      if (with_extension) payload.set_extension(&extension);
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      EXPECT_EQ(this->initiator().socket->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
      const tlm::tlm_response_status status = payload.get_response_status();
      payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
      this->initiator().socket->b_transport(payload, delay);
      EXPECT_EQ(payload.get_response_status(), status);
      payload.clear_extension(&extension);
      return status;
    };
    EXPECT_EQ(offer(tlm::TLM_IGNORE_COMMAND, false, {}), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(offer(tlm::TLM_WRITE_COMMAND, true, {}), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(offer(tlm::TLM_IGNORE_COMMAND, true, {{512, 0, 0}, 0, 0}), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(offer(tlm::TLM_IGNORE_COMMAND, true, {{0, 32, 0}, 0, 0}), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(offer(tlm::TLM_IGNORE_COMMAND, true, {{0, 0, -1}, 0, 0}), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(offer(tlm::TLM_IGNORE_COMMAND, true, {{0, 0, 16}, 0, 0}), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(offer(tlm::TLM_IGNORE_COMMAND, true, {{0, 0, 0}, 512, 0}), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(offer(tlm::TLM_IGNORE_COMMAND, true, {{0, 0, 0}, 0, 4}), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  });
  this->finish();
}

DECLARE_EXTENDED_PHASE(some_other_phase);

TYPED_TEST(Sockets, BrokenRulesAreReported) {
  this->bench_.run([&] {
    tlm::tlm_generic_payload& payload = this->initiator().pool.allocate();
    sc_time delay = sc_core::SC_ZERO_TIME;
    const auto call = [&](tlm::tlm_phase phase) {
      return this->initiator().socket->nb_transport_fw(payload, phase, delay);
    };
    EXPECT_EQ(call(some_other_phase), tlm::TLM_ACCEPTED);
    EXPECT_THROW(call(tlm::END_RESP), sc_core::sc_report);
    EXPECT_THROW(call(tlm::END_REQ), sc_core::sc_report);
    EXPECT_THROW(call(tlm::BEGIN_RESP), sc_core::sc_report);
    this->initiator().send({});
    EXPECT_THROW(call(tlm::BEGIN_REQ), sc_core::sc_report) << "request exclusion rule";
    payload.release();
  });
  this->finish();
}

TYPED_TEST(Sockets, AnnotatedDelaysCount) {
  this->bench_.run([&] {
    for (double delay : {6.75, 0.25, 3.0, 0.0}) {
      this->initiator().annotated = ns(delay);
      this->initiator().send({});
      sc_core::wait(ns(20));
    }
  });
  this->finish();
  ASSERT_EQ(this->initiator().trips.size(), 4u);
  for (const Trip& trip : this->initiator().trips) {
    EXPECT_EQ(trip.end_req, edge_after(trip.begin_req));
    EXPECT_EQ(trip.begin_resp - trip.end_req, ns(4));
  }
}

/// The delay of a caller passes before its operation or its map counts, and is used up.
TYPED_TEST(Sockets, AnnotatedDelaysOfTheOtherSocketsCount) {
  this->bench_.run([&] {
    sc_core::wait(ns(20.25));
    uint64_t word = 1;
    tlm::tlm_generic_payload payload;
    Driver::fill(payload, true, reg::kTableA, &word, 8);
    sc_time delay = ns(7.5);
    const sc_time called = sc_time_stamp();
    this->driver().config->b_transport(payload, delay);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
    EXPECT_EQ(sc_time_stamp(), edge_after(called + ns(7.5)) + ns(2));
    word = 0x15;
    Driver::fill(payload, true, congestion_map::kLocal, &word, 8);
    delay = ns(4.5);
    const sc_time start = sc_time_stamp();
    this->driver().congestion->b_transport(payload, delay);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
    EXPECT_EQ(sc_time_stamp() - start, ns(4.5));
    EXPECT_EQ(this->bench_.dut->inputs().congestion.local, 0u);
    sc_core::wait(ns(1));
    EXPECT_EQ(this->bench_.dut->inputs().congestion.local, 0x15u);
  });
  this->finish();
}

/// A streaming width above the length streams nothing.
TYPED_TEST(Sockets, AWiderStreamIsNone) {
  this->bench_.run([&] {
    uint64_t word = 1;
    tlm::tlm_generic_payload payload;
    Driver::fill(payload, true, reg::kTableA, &word, 8);
    payload.set_streaming_width(16);
    sc_time delay = sc_core::SC_ZERO_TIME;
    this->driver().config->b_transport(payload, delay);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(this->bench_.peek(reg::kTableA), 1u);
  });
  this->finish();
}

}  // namespace
}  // namespace odonata::route_compute
