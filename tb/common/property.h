// SPDX-License-Identifier: Apache-2.0
// RapidCheck inside GoogleTest with a fixed seed: a test suite must give the same answer every time it is run.
// RC_PARAMS in the environment (RapidCheck's own variable: seed=..., max_success=...) overrides both numbers.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/detail/TestListenerAdapter.h>

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>

namespace odonata::test {

/// Uniform over first..last from the first case on; RapidCheck's inRange() keeps to the lower part of the range for its
/// early cases.
inline int uniform(int first, int last) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(first, last + 1));
}
/// All 64 bits random from the first case on.
inline uint64_t uniform_word() { return *rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<uint64_t>()); }

/// The outcome of one property, as RapidCheck reports it (with the shrunk counterexample).
template <class Testable>
rc::detail::TestResult run_property(int cases, Testable&& property) {
  setenv("RC_PARAMS", "seed=20260101", 0);  // before RapidCheck reads it; leaves a value given by the user
  const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
  rc::detail::TestMetadata metadata;
  metadata.id = std::string(info->test_suite_name()) + "/" + info->name();
  metadata.description = info->name();
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  if (std::string(std::getenv("RC_PARAMS")).find("max_success") == std::string::npos) params.maxSuccess = cases;
  rc::detail::TestListenerAdapter silent;  // the default one would announce the expected failures of negative controls
  return rc::detail::checkTestable(std::forward<Testable>(property), metadata, params, silent,
                                   rc::detail::configuration().reproduce);
}

/// Builds that look for memory errors are some twenty times slower and look for something else: fewer cases do.
#if defined(__SANITIZE_ADDRESS__) || !defined(NDEBUG)
inline constexpr int kSlowdown = 10;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr int kSlowdown = 10;
#else
inline constexpr int kSlowdown = 1;
#endif
#else
inline constexpr int kSlowdown = 1;
#endif

/// Runs `property` (a callable with RC_ASSERT inside) on `cases` generated inputs; a counterexample fails the current
/// test.
template <class Testable>
void check_property(int cases, Testable&& property) {
  const rc::detail::TestResult result =
      run_property((cases + kSlowdown - 1) / kSlowdown, std::forward<Testable>(property));
  if (result.template is<rc::detail::SuccessResult>()) return;
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  FAIL() << text.str();
}

}  // namespace odonata::test
