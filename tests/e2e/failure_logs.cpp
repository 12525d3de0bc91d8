// After a test that failed: what the processes wrote.
#include <doctest/doctest.h>

#include <iostream>

#include "tests/support/system.hpp"

namespace {

struct FailureLogs : doctest::IReporter {
  explicit FailureLogs(const doctest::ContextOptions&) {}

  void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
    if (stats.failure_flags == 0 || stats.testCaseSuccess) return;
    if (!parley::support::NeedsItsOwnSystem::reason().empty()) return;
    for (auto* system : parley::support::System::running()) std::cout << system->logs() << std::flush;
  }

  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};

REGISTER_LISTENER("failure_logs", 1, FailureLogs);

}  // namespace
