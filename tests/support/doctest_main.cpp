// main() of every test program. On an attached system, counts and lists the tests that need a system of their own.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/attached.hpp"

namespace {

using parley::support::AttachedSystem;
using parley::support::NeedsItsOwnSystem;

struct Verdict {
  int passed = 0, failed = 0;
  std::vector<std::pair<std::string, std::string>> elsewhere;  // name, reason
};

Verdict& verdict() {
  static Verdict the_verdict;
  return the_verdict;
}

// A failure before NeedsItsOwnSystem counts; a later one is its consequence.
struct Attached : doctest::IReporter {
  explicit Attached(const doctest::ContextOptions&) {}

  void test_case_start(const doctest::TestCaseData& test) override {
    name_ = test.m_name;
    failed_ = false;
    NeedsItsOwnSystem::forget();
  }
  void log_assert(const doctest::AssertData& assertion) override {
    if (assertion.m_failed) fail();
  }
  void log_message(const doctest::MessageData& message) override {
    if (message.m_severity != doctest::assertType::is_warn) fail();
  }
  void test_case_exception(const doctest::TestCaseException&) override { fail(); }
  void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
    if (stats.failure_flags == 0)
      ++verdict().passed;
    else if (failed_ || NeedsItsOwnSystem::reason().empty())
      ++verdict().failed;
    else
      verdict().elsewhere.emplace_back(name_, NeedsItsOwnSystem::reason());
  }
  void test_run_end(const doctest::TestRunStats&) override {
    if (!AttachedSystem::given()) return;
    for (const auto& [name, why] : verdict().elsewhere)
      std::cout << "needs a system of its own: " << name << "\n    " << why << "\n";
    std::cout << "attached: " << verdict().passed << " passed, " << verdict().failed << " failed, "
              << verdict().elsewhere.size() << " need a system of their own" << std::endl;
  }

  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  void fail() {
    if (NeedsItsOwnSystem::reason().empty()) failed_ = true;
  }
  std::string name_;
  bool failed_ = false;
};

REGISTER_LISTENER("attached", 2, Attached);

}  // namespace

int main(int argc, char** argv) {
  doctest::Context context(argc, argv);
  const int status = context.run();
  if (context.shouldExit() || !AttachedSystem::given()) return status;
  return verdict().failed > 0 ? 1 : 0;
}
