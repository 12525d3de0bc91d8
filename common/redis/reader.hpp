#pragma once
#include <cstddef>
#include <memory>
#include <string_view>

struct redisReader;
struct redisReadTask;
struct redisReply;

namespace parley::redis {

// hiredis's parser of replies (RESP2), with bounds. By itself it makes room for as many elements as an array says that
// it has: gigabytes for a dozen octets. What Parley asks for has a few elements and some hundred octets.
// https://redis.io/docs/latest/develop/reference/protocol-spec/#arrays
class ReplyReader {
 public:
  static constexpr std::size_t kMaxElements = 4'096;  // of all arrays of a reply together
  static constexpr std::size_t kMaxOctets = 8 << 20;  // of a reply, with what one feed() brings behind it

  using Reply = std::unique_ptr<redisReply, void (*)(redisReply*)>;

  ReplyReader();

  void feed(std::string_view octets);
  // The next reply; null: it is not whole yet, or there was an error.
  Reply next();
  // Why there will be no more; empty: there may be.
  std::string_view error() const;
  // The octet that the next reply begins with; 0: none has come, or next() has taken it in.
  char kind() const;

 private:
  static void* create_array(const redisReadTask* task, int elements);

  std::unique_ptr<redisReader, void (*)(redisReader*)> reader_;
  std::size_t elements_ = 0, octets_ = 0;  // of the reply that is being read
};

}  // namespace parley::redis
