// What a Redis, or what stands in its place, answers: however it is cut, the replies are the same.
#include <hiredis/hiredis.h>

#include <memory>

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
  const std::unique_ptr<redisReader, decltype(&redisReaderFree)> reader(redisReaderCreate(), &redisReaderFree);
  std::string out;
  for (std::size_t at = 0; at < octets.size(); at += piece) {
    const auto part = octets.substr(at, piece);
    redisReaderFeed(reader.get(), part.data(), part.size());
    for (;;) {
      void* found = nullptr;
      if (redisReaderGetReply(reader.get(), &found) != REDIS_OK) return out + "broken";
      const std::unique_ptr<redisReply, decltype(&freeReplyObject)> reply(static_cast<redisReply*>(found),
                                                                          &freeReplyObject);
      if (!reply) break;
      out += describe(redis::copy_of(*reply)) + "\n";
    }
  }
  return out;
}

}  // namespace

FUZZ(redis_replies) {
  const auto piece = 1 + input.choice(64);
  const auto octets = input.rest();
  const auto whole = read(octets, octets.size() + 1);
  MUST_EQUAL(read(octets, piece), whole);
  MUST_EQUAL(read(octets, 1), whole);
}
