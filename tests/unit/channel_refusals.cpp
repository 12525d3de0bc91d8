#include <doctest/doctest.h>

#include <vector>

#include "conversations/channel/refusals.hpp"

namespace parley::conversations::channel {
namespace {

using cloud_api::class_of;
using cloud_api::Error;
using cloud_api::ErrorClass;

Error error_of(std::int64_t code, unsigned status, bool transient = false) {
  return {.code = code, .meaning = class_of(code), .status = status, .transient = transient};
}

struct Expected {
  ErrorClass meaning;
  Reaction reaction;
  bool temporary;
  std::vector<std::int64_t> codes;
};

const std::vector<Expected>& all() {
  using enum Reaction;
  static const std::vector<Expected> out{
      {ErrorClass::rate_limit, slow_number, true, {4, 17, 341, 613, 80007, 130429}},
      {ErrorClass::pair_limit, slow_recipient, true, {131056}},
      {ErrorClass::unknown, retry, true, {1, 131000, 135000}},
      {ErrorClass::unavailable, retry, true, {2, 131016, 133004}},
      {ErrorClass::media, retry, true, {131053}},
      {ErrorClass::maintenance, wait_for_maintenance, true, {131057}},
      {ErrorClass::rejected,
       give_up,
       false,
       {131049, 130472, 131026, 131047, 131051, 131052, 131008, 131009, 100, 131021, 131030, 131062, 131063}},
      {ErrorClass::registration, give_up, false, {133005, 133006, 133008, 133009, 133015, 133016}},
      {ErrorClass::opted_out, opted_out, false, {131050}},
      {ErrorClass::bad_template, fail_campaign, false, {132000, 132001, 132005, 132007, 132008, 132012}},
      {ErrorClass::restricted, pause_campaign, false, {131048, 132015, 132016, 132068, 132069, 131064}},
      {ErrorClass::access, stop_account, false, {0, 3, 10, 33, 102, 190, 200, 201, 250, 299, 131005, 133010}},
      {ErrorClass::access, stop_account, false, {368, 131031, 130497, 131037, 131042, 131044, 131045}},
      {ErrorClass::application, stop_account, false, {101}},
  };
  return out;
}

TEST_SUITE("unit: errors of the channel") {
  TEST_CASE("every error code of the channel has its class, and with it the reaction") {
    for (const auto& expected : all())
      for (const auto code : expected.codes)
        for (const unsigned status : {200U, 400U, 403U, 429U, 500U, 503U}) {
          CAPTURE(code);
          CAPTURE(status);
          CHECK(class_of(code) == expected.meaning);
          CHECK(reaction_to(error_of(code, status)) == expected.reaction);
          CHECK(error_of(code, status).is_temporary() == expected.temporary);
        }
  }

  TEST_CASE("what is unknown or out of order is a refusal by its status alone, all else by its nature") {
    for (const auto& expected : all())
      for (const auto code : expected.codes) {
        CAPTURE(code);
        const bool says_so = expected.meaning != ErrorClass::unknown && expected.meaning != ErrorClass::unavailable;
        for (const unsigned status : {400U, 403U, 404U, 408U, 429U, 499U}) CHECK(error_of(code, status).is_refusal());
        for (const unsigned status : {200U, 302U, 500U, 502U, 503U, 504U})
          CHECK(error_of(code, status).is_refusal() == says_so);
      }
  }

  TEST_CASE("a code that nobody knows is judged by the status") {
    for (const std::int64_t code : {-1L, 5L, 99L, 191L, 300L, 131010L, 131046L, 999999999L}) {
      CAPTURE(code);
      CHECK(class_of(code) == ErrorClass::unlisted);
      CHECK(reaction_to(error_of(code, 429)) == Reaction::slow_number);
      CHECK(reaction_to(error_of(code, 400)) == Reaction::give_up);
      CHECK(reaction_to(error_of(code, 404)) == Reaction::give_up);
      CHECK(reaction_to(error_of(code, 400, true)) == Reaction::retry);
      for (const unsigned status : {200U, 500U, 503U, 504U}) {
        CHECK_FALSE(error_of(code, status).is_refusal());
        CHECK_FALSE(error_of(code, status, true).is_refusal());
      }
      CHECK(error_of(code, 503).is_temporary());
      CHECK_FALSE(error_of(code, 400).is_temporary());
      CHECK(error_of(code, 400, true).is_temporary());
    }
  }

  TEST_CASE("an error without a code is none, and its words are kept within bounds") {
    CHECK_FALSE(cloud_api::read_error(R"({"error":{"message":"no code"}})", 500));
    CHECK_FALSE(cloud_api::read_error("<html>", 500));
    const auto error = cloud_api::read_error(
        R"({"error":{"code":2,"message":"down","is_transient":true,"error_data":{"details":"for a while"}}})", 503);
    REQUIRE(error);
    CHECK(error->transient);
    CHECK(error->text == "down: for a while");
    CHECK(cloud_api::read_error(R"({"error":{"code":7}})", 400)->text == "error 7");
  }
}

}  // namespace
}  // namespace parley::conversations::channel
