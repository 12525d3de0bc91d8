#pragma once
#include <cstddef>
#include <memory>
#include <string_view>

struct redisReader;
struct redisReadTask;
struct redisReply;

namespace parley::redis {

// hiredis's RESP2 parser, with bounds: hiredis itself allocates as many elements as an array announces, gigabytes for a
// dozen octets. Parley's replies have a few elements and some hundred octets.
// https://redis.io/docs/latest/develop/reference/protocol-spec/#arrays
class ReplyReader {
 public:
  static constexpr std::size_t kMaxElements = 4'096;  // of all arrays of a reply together
  static constexpr std::size_t kMaxOctets = 8 << 20;  // of a reply, plus what one feed() brings behind it

  using Reply = std::unique_ptr<redisReply, void (*)(redisReply*)>;

  ReplyReader();

  void feed(std::string_view octets);
  // Returns the next reply; null: it is incomplete, or there was an error.
  Reply next();
  // Returns the parse error, after which there are no more replies; empty: none.
  std::string_view error() const;
  // Returns the first octet of the next reply; 0: none has arrived, or next() has consumed it.
  char kind() const;

 private:
  static void* create_array(const redisReadTask* task, int elements);

  std::unique_ptr<redisReader, void (*)(redisReader*)> reader_;
  std::size_t elements_ = 0, octets_ = 0;  // of the reply being read
};

}  // namespace parley::redis
