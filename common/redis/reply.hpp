#pragma once
#include <string>
#include <string_view>
#include <vector>

struct redisReply;

namespace parley::redis {

// What became of a command: a reply of RESP2, or that there is none.
struct Reply {
  enum class Kind : unsigned char {
    nil,
    string,
    integer,
    array,
    status,       // "OK", "PONG"
    error,        // text is Redis's own, such as "WRONGTYPE Operation against ..."
    unavailable,  // not sent, or lost with the connection; a lost one may or may not have been carried out
    timeout       // sent, not answered within its deadline; may be carried out yet
  };

  Kind kind = Kind::unavailable;
  std::string text;          // of string, status and error
  long long integer = 0;     // of integer
  std::vector<Reply> items;  // of array

  // Redis answered, and not with an error.
  bool ok() const { return kind < Kind::error; }
};

// A copy, as hiredis frees its own after the callback.
Reply copy_of(const redisReply& reply);

// An error reply by which Redis refuses to serve for now or for us at all (full, loading, demoted, not authorised), as
// against one about the command itself. https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors
bool is_refusal(std::string_view error_text);

// One of them by which a server tells that it is not, or not yet, the master.
bool is_another_master(std::string_view error_text);

}  // namespace parley::redis
