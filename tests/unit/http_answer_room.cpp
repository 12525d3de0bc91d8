#include "common/http/answer_room.hpp"

#include <doctest/doctest.h>

#include "common/http/message.hpp"
#include "common/http/problem.hpp"

using namespace parley::http;

namespace {

constexpr std::uint64_t kMiB = 1 << 20;

struct Client : Reader {
  void cut_off() override { is_cut_off = true; }
  bool is_cut_off = false;
};

struct Bed {
  Bed() { room.most = 16 * kMiB; }
  // A request of that owner whose answer is so long, and waits for its client.
  std::unique_ptr<Request> answered(const std::string& owner, std::uint64_t octets, Method method = Method::get) {
    auto request = std::make_unique<Request>();
    request->method = method;
    request->answer_room = &room;
    request->reader = &clients.emplace_back();
    request->owner.name = owner;
    request->expect_answer(octets);
    request->begin_answer(octets);
    return request;
  }
  unsigned refusal(const std::string& owner, std::uint64_t octets) {
    try {
      answered(owner, octets);
    } catch (const Problem& problem) {
      return problem.status;
    }
    return 0;
  }

  AnswerRoom room;
  std::list<Client> clients;
};

}  // namespace

TEST_SUITE("http: room for answers") {
  TEST_CASE("an owner has a quarter, and others find room beside it") {
    Bed bed;
    const auto first = bed.answered("a", 2 * kMiB);
    const auto second = bed.answered("a", 2 * kMiB);
    CHECK_EQ(bed.refusal("a", kMiB), 429);
    const auto other = bed.answered("b", 4 * kMiB);
    CHECK_EQ(bed.room.taken, 8 * kMiB);
    CHECK_EQ(bed.room.over_share, 1);
    CHECK_EQ(bed.room.refused, 0);
  }

  TEST_CASE("who has nothing else there gets a single answer, however long") {
    Bed bed;
    auto longest = bed.answered("a", 20 * kMiB);
    CHECK_EQ(bed.refusal("b", 5 * kMiB), 503);
    CHECK_EQ(bed.refusal("a", kMiB), 429);
    longest.reset();
    CHECK_EQ(bed.room.taken, 0);
    CHECK_EQ(bed.refusal("b", kMiB), 0);
  }

  TEST_CASE("an answer that is longer than a quarter keeps out none that is not") {
    Bed bed;
    const auto longest = bed.answered("a", 20 * kMiB);
    const auto other = bed.answered("b", kMiB);
    CHECK(bed.clients.front().is_cut_off);
    CHECK_EQ(bed.room.taken, kMiB);
  }

  TEST_CASE("a change of one owner cuts off no answer of another's that is read in time") {
    Bed bed;
    const auto first = bed.answered("a", 4 * kMiB), second = bed.answered("b", 4 * kMiB);
    const auto third = bed.answered("c", 4 * kMiB);
    const auto told = bed.answered("d", 8 * kMiB, Method::post);
    CHECK_EQ(bed.room.taken, 20 * kMiB);
    CHECK_EQ(bed.room.cut_off, 0);
  }

  TEST_CASE("short answers do not count") {
    Bed bed;
    const auto longest = bed.answered("a", 20 * kMiB);
    CHECK_EQ(bed.refusal("a", 1'000), 0);
    CHECK_EQ(bed.refusal("b", 1'000), 0);
  }

  TEST_CASE("an answer that becomes short when it is made gives its room back") {
    Bed bed;
    Request request;
    request.method = Method::get;
    request.answer_room = &bed.room;
    request.reader = &bed.clients.emplace_back();
    request.expect_answer(8 * kMiB);
    CHECK_EQ(bed.room.taken, 8 * kMiB);
    request.expect_answer(200);
    request.begin_answer(200);
    CHECK_EQ(bed.room.taken, 0);
  }

  TEST_CASE("who reads slowly is cut off for another, the slowest first") {
    Bed bed;
    bed.room.timeout = {};
    const auto slowest = bed.answered("a", 3 * kMiB);
    const auto slow = bed.answered("a", kMiB);
    const auto other = bed.answered("b", 4 * kMiB);
    const auto next = bed.answered("a", kMiB);
    CHECK(bed.clients.front().is_cut_off);
    CHECK_EQ(bed.room.cut_off, 1);
    CHECK_EQ(bed.room.taken, 6 * kMiB);  // and nobody else's
  }

  TEST_CASE("what has been done is told, if need be in place of what others read") {
    Bed bed;
    const auto reading = bed.answered("a", 3 * kMiB);
    const auto told = bed.answered("a", 2 * kMiB, Method::post);
    CHECK(bed.clients.front().is_cut_off);
    const auto more = bed.answered("a", 20 * kMiB, Method::post);  // nobody is left who could give way
    CHECK_EQ(bed.room.taken, 20 * kMiB);
    CHECK_EQ(bed.room.refused + bed.room.over_share, 0);
  }

  TEST_CASE("without a bound all fits") {
    Bed bed;
    bed.room.most = 0;
    const auto first = bed.answered("a", 100 * kMiB), second = bed.answered("a", 100 * kMiB);
    CHECK_EQ(bed.room.taken, 200 * kMiB);
  }
}
