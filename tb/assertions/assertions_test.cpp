// SPDX-License-Identifier: Apache-2.0
// The assertions at the ports of the shared RTL parts: silent when the rules are kept, and each one fires when its rule
// is broken, by the test's inputs or, where no input can, by a planted bug.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <regex>
#include <set>
#include <string>

#include "Vshared_parts.h"
#include "assertions_plants.h"
#include "models/common/random.h"
#include "tb/common/sv_package.h"

namespace odonata {
namespace {

class Parts {
 public:
  explicit Parts(int plant) {
    const std::string argument = "+odonata_plant=" + std::to_string(plant);
    const char* arguments[] = {"parts", argument.c_str()};
    context_.commandArgs(2, arguments);
    context_.fatalOnError(false);
    model_ = std::make_unique<Vshared_parts>(&context_, "parts");
    step();
    model_->rst_ni = 1;
  }
  Vshared_parts& pins() { return *model_; }
  void step() {
    for (int level : {1, 0}) {
      model_->clk_i = static_cast<CData>(level);
      model_->eval();
    }
  }
  bool failed() const { return context_.gotError(); }

 private:
  VerilatedContext context_;
  std::unique_ptr<Vshared_parts> model_;
};

/// What an assertion is called (instance and label), the bug that it needs, and the pins that break its rule.
struct Case {
  std::string assertion, plant;
  std::function<void(Vshared_parts&)> drive;
};

const std::vector<Case>& cases() {
  using P = Vshared_parts;
  static const std::vector<Case> all = {
      {"u_rotating.pick_is_one_hot", "rotating-not-isolated", [](P& p) { p.request_i = 3; }},
      {"u_rotating.pick_is_a_request", "rotating-even-index", [](P& p) { p.request_i = 2; }},
      {"u_rotating.pick_is_first_above_start", "rotating-start-ignored", [](P& p) { p.request_i = 17, p.start_i = 2; }},
      {"u_even.pick_is_a_request", "even-half", [](P& p) { p.request_i = 2; }},
      {"u_ram.ram_address_in_range", "", [](P& p) { p.ram_req_i = 1, p.ram_addr_i = 5; }},
      {"u_lfsr.lfsr_never_loads_zero", "", [](P& p) { p.lfsr_load_i = 1; }},
      {"u_fifo.fifo_pops_only_what_is_there", "", [](P& p) { p.fifo_i = 1, p.pop_i = 1; }},
      {"u_fifo.fifo_count_in_range", "fifo-overflows", [](P& p) { p.fifo_i = 1, p.push_i = 1; }},
      {"u_fifo.fifo_head_stands_until_popped", "fifo-shows-tail",
       [](P& p) { p.fifo_i = 1, p.push_i = 1, ++p.data_i, p.data_i &= 15; }},
      {"u_queue.queue_never_overflows", "", [](P& p) { p.push_i = 1; }},
      {"u_queue.queue_head_stands_until_taken", "queue-leaks", [](P& p) { p.push_i = 1, ++p.data_i, p.data_i &= 15; }},
      {"u_queue.queue_shows_0_when_empty", "queue-noise", [](P&) {}},
      {"u_output.grant_is_one_hot", "output-grants-two", [](P& p) { p.ask_i = 3; }},
      {"u_output.grant_only_to_requesters", "output-grants-none", [](P&) {}},
      {"u_priority.low_is_at_most_one_dimension", "", [](P& p) { p.ask_i = 3, p.lowest_i = 3; }},
      {"u_priority.a_request_has_one_class", "priority-both", [](P& p) { p.ask_i = 1; }},
  };
  return all;
}

TEST(Assertions, EachOneFires) {
  for (const Case& c : cases()) {
    testing::internal::CaptureStdout();
    Parts parts(cosim::plant_number(cosim::planted_assertions::kPlants, c.plant));
    for (int cycle = 0; cycle < 8; ++cycle) {
      c.drive(parts.pins());
      parts.step();
    }
    const std::string text = testing::internal::GetCapturedStdout();
    EXPECT_TRUE(parts.failed()) << c.assertion;
    EXPECT_NE(text.find("Assertion failed in parts.shared_parts." + c.assertion), std::string::npos)
        << c.assertion << " did not fire:\n"
        << text;
  }
}

TEST(Assertions, SilentWhenTheRulesAreKept) {
  Parts parts(0);
  Random random(1);
  int fifo = 0, queue = 0;
  for (int cycle = 0; cycle < 20'000; ++cycle) {
    Vshared_parts& p = parts.pins();
    p.request_i = random.below(32), p.start_i = random.below(5), p.fraction_i = random.below(256);
    p.ram_req_i = random.below(2), p.ram_write_i = random.below(2), p.ram_addr_i = random.below(5);
    p.lfsr_load_i = random.below(2), p.lfsr_value_i = 1 + random.below(65535);
    p.fifo_i = random.below(2), p.data_i = random.below(16), p.clear_i = random.below(16) == 0;
    int& count = p.fifo_i ? fifo : queue;
    p.pop_i = count > 0 && random.below(2);
    p.push_i = (count < 4 || p.fifo_i) && random.below(2);  // the FIFO drops what does not fit
    if (p.push_i && (count < 4 || p.pop_i)) ++count;
    if (p.pop_i) --count;
    if (p.fifo_i && p.clear_i) count = 0;
    const unsigned lowest = random.below(4);
    p.ask_i = random.below(8), p.need_i = random.below(4096), p.return_i = 0,
    p.lowest_i = lowest == 3 ? 0 : 1 << lowest;
    parts.step();
    ASSERT_FALSE(parts.failed()) << "cycle " << cycle;
  }
}

TEST(Assertions, AllOfTheSharedPartsAreHere) {
  std::set<std::string> there, here;
  const std::pair<const char*, const char*> kParts[] = {{"u_even", "common/even_pick"},
                                                        {"u_lfsr", "common/lfsr16"},
                                                        {"u_ram", "common/ram_1p"},
                                                        {"u_rotating", "common/rotating_pick"},
                                                        {"u_fifo", "fault/fault_fifo"},
                                                        {"u_queue", "fault/fault_queue"},
                                                        {"u_priority", "arb_request/arb_request_priority"},
                                                        {"u_output", "arb_request/arb_switch_output"}};
  for (const auto& [instance, file] : kParts) {
    const std::string text = test::text_of("rtl/" + std::string(file) + ".sv");
    const std::regex label(R"((\w+): assert )");
    for (std::sregex_iterator m(text.begin(), text.end(), label), end; m != end; ++m)
      there.insert(std::string(instance) + "." + (*m)[1].str());
  }
  for (const Case& c : cases()) here.insert(c.assertion);
  EXPECT_EQ(here, there);
}

}  // namespace
}  // namespace odonata
