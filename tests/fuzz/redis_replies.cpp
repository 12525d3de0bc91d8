// What a Redis, or what stands in its place, answers: however it is cut, the replies are the same.
#include "common/redis/reader.hpp"
#include "common/redis/reply.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace parley;

namespace {

std::string describe(const redis::Reply& reply) {
  auto out = std::to_string(static_cast<int>(reply.kind)) + ":" + std::to_string(reply.integer) + ":" + reply.text;
  if (reply.kind == redis::Reply::Kind::error && redis::is_another_master(reply.text))
    MUST(redis::is_refusal(reply.text));
  for (const auto& item : reply.items) out += "(" + describe(item) + ")";
  return out;
}

std::string read(std::string_view octets, std::size_t piece) {
  redis::ReplyReader reader;
  std::string out;
  for (std::size_t at = 0; at < octets.size() && reader.error().empty(); at += piece) {
    reader.feed(octets.substr(at, piece));
    while (const auto reply = reader.next()) out += describe(redis::copy_of(*reply)) + "\n";
  }
  return out + std::string(reader.error());
}

}  // namespace

FUZZ(redis_replies) {
  const auto piece = 1 + input.choice(64);
  const auto octets = input.rest();
  const auto whole = read(octets, octets.size() + 1);
  MUST_EQUAL(read(octets, piece), whole);
  MUST_EQUAL(read(octets, 1), whole);
}
