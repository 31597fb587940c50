// SPDX-License-Identifier: Apache-2.0
// GoogleTest inside sc_main. SystemC has one elaboration a process, so every test runs in a process of its own: CTest
// starts the program once a test; started by hand, the program forks.
#include <fnmatch.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <systemc>
#include <vector>

namespace {

std::vector<std::string> matching_tests(const std::string& filter) {
  std::vector<std::string> names;
  const ::testing::UnitTest& all = *::testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const ::testing::TestSuite& suite = *all.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const std::string name = std::string(suite.name()) + "." + suite.GetTestInfo(t)->name();
      if (fnmatch(filter.c_str(), name.c_str(), 0) == 0) names.push_back(name);
    }
  }
  return names;
}

/// Runs the tests of the filter; a filter that matches none is a failure.
int run_here() {
  const int result = RUN_ALL_TESTS();
  const ::testing::UnitTest& all = *::testing::UnitTest::GetInstance();
  return result == 0 && all.test_to_run_count() == 0 ? 1 : result;
}

/// Runs each test in a child. In the parent: 0 when all passed, else 1; in a child: the result of its test.
int run_in_children(const std::vector<std::string>& names) {
  int failed = 0;
  for (const std::string& name : names) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      ::testing::GTEST_FLAG(filter) = name;
      return run_here();
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status == 0) continue;
    ++failed;
    std::printf("FAILED in its process: %s\n", name.c_str());
  }
  std::printf("%zu tests, %d failed\n", names.size(), failed);
  return failed == 0 && !names.empty() ? 0 : 1;
}

}  // namespace

int sc_main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);  // "simulation stopped by user"
  const std::string filter = ::testing::GTEST_FLAG(filter);
  const bool one = filter.find_first_of("*?:-") == std::string::npos;
  if (::testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();
  if (one) return run_here();
  return run_in_children(matching_tests(filter));
}
