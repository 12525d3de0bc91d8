#pragma once
#include <string>
#include <string_view>
#include <vector>

struct redisReply;

namespace parley::redis {

// The outcome of a command: a RESP2 reply, or none.
struct Reply {
  enum class Kind : unsigned char {
    nil,
    string,
    integer,
    array,
    status,       // "OK", "PONG"
    error,        // text is Redis's, such as "WRONGTYPE Operation against ..."
    unavailable,  // not sent, or lost with the connection; a lost one may have been executed
    timeout       // sent, not answered within its deadline; may still be executed
  };

  Kind kind = Kind::unavailable;
  std::string text;          // of string, status and error
  long long integer = 0;     // of integer
  std::vector<Reply> items;  // of array

  bool ok() const { return kind < Kind::error; }
};

// Copies a reply, as hiredis frees its own after the callback.
Reply copy_of(const redisReply& reply);

// Whether an error means that Redis refuses to serve (full, loading, demoted, not authorized), rather than an error of
// the command. https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors
bool is_refusal(std::string_view error_text);

// Whether an error means that the server is not, or not yet, the master.
bool is_another_master(std::string_view error_text);

}  // namespace parley::redis
