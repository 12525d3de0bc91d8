#pragma once
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "common/http/answer_room.hpp"

namespace parley::http {

using boost::asio::awaitable;

enum class Method : unsigned char { get, head, post, put, patch, del, options, other };
std::string_view name_of(Method method);

// One header field, as slices of the buffer that the message was read into.
struct Field {
  std::string_view name;
  std::string_view value;
};

// The value of the first field of that name, "" if there is none.
std::string_view find_field(std::span<const Field> fields, std::string_view name);

// A body that is not in memory: read piece by piece, each valid until the next call.
class BodySource {
 public:
  virtual ~BodySource() = default;
  // The next piece; empty at the end. Throws if the rest cannot be had.
  virtual awaitable<std::string_view> next() = 0;
};

// Whose a request is, for the shares of what it takes: BodyRoom, Upstream. Without a name nobody's in particular.
struct RequestOwner {
  std::string name{};
  bool is_stranger = false;  // has shown no credential
};

// What the bodies that were gathered in memory take together, of one server. An owner may have a quarter of it, a
// stranger an eighth, and all strangers together half.
class BodyRoom {
 public:
  enum class Verdict { fits, full, share_used_up };
  // Octets more of a body; they count until they are given back, also where they do not fit.
  Verdict take(const RequestOwner& owner, std::uint64_t octets);
  void give_back(const RequestOwner& owner, std::uint64_t octets);

  std::uint64_t most = 0;  // octets; 0: no bound
  std::uint64_t taken = 0;
  // Bodies, since the start: as all is taken, or their owner has its share.
  std::uint64_t refused = 0, over_share = 0;

 private:
  std::uint64_t by_strangers_ = 0;
  std::unordered_map<std::string, std::uint64_t> by_owner_;
};

// What one body takes of a room, for as long as it lives.
class BodyHold {
 public:
  BodyHold(std::shared_ptr<BodyRoom> room, RequestOwner owner) : room_(std::move(room)), owner_(std::move(owner)) {}
  ~BodyHold() { room_->give_back(owner_, octets_); }
  BodyHold(const BodyHold&) = delete;
  BodyHold& operator=(const BodyHold&) = delete;
  // Takes as much more as is wanting to so many octets.
  BodyRoom::Verdict grow_to(std::uint64_t octets);

 private:
  std::shared_ptr<BodyRoom> room_;
  RequestOwner owner_;
  std::uint64_t octets_ = 0;
};

// One request, valid while its handler runs. Slices point into the connection's buffer.
class Request {
 public:
  Method method = Method::other;
  std::string_view target;  // as received: path and query
  std::string_view path;
  std::string_view query;  // without the question mark
  std::span<const Field> fields;
  std::optional<std::uint64_t> content_length;
  bool has_body = false;            // a body with octets in it, or chunked
  bool streamed = false;            // the body may be of any length: see ServerLimits
  std::string_view remote_address;  // of the peer, textual
  BodySource* body_source = nullptr;
  BodyRoom* body_room = nullptr;      // none: no bound
  AnswerRoom* answer_room = nullptr;  // likewise
  Reader* reader = nullptr;           // of the answer
  RequestOwner owner;                 // set before body() and expect_answer() are called
  std::uint64_t body_limit = std::numeric_limits<std::uint64_t>::max();  // octets, where the server's is too much

  std::string_view field(std::string_view name) const { return find_field(fields, name); }
  bool has(std::string_view name) const;  // also with an empty value
  // The whole body, at most the server's limit and `body_limit`: beyond it a Problem 413; 503 when all that are
  // gathered take too much memory, 429 when its owner's do. May be asked for again: the handler of a request whose
  // transaction was chosen as a deadlock's victim runs a second time.
  awaitable<std::string_view> body();
  // What body() has read, "" before that: of a body that the handler takes piece by piece, nothing.
  std::string_view body_read() const { return whole_.value_or(std::string_view{}); }
  // Gives back the memory that body() took.
  void forget_body();

  // Takes room for an answer of so many octets, in place of what was taken for it before. Where there is none, a
  // Problem 503, or 429 when its owner has used up its share: unless the request changes something, as that is done by
  // now.
  void expect_answer(std::uint64_t octets);
  // The answer is ready, so long, and its client's to read. What was taken is given back with the request.
  void begin_answer(std::uint64_t octets);

 private:
  void gather(std::string_view piece);
  std::optional<std::string_view> whole_;
  std::string gathered_;
  std::unique_ptr<AnswerRoom::Reservation> answer_;  // none: it is short
};

struct Response {
  unsigned status = 200;
  std::string_view content_type = "application/json";  // static storage; "" writes none
  std::string head;                                    // further fields, each "Name: value\r\n"
  std::string body;
  std::shared_ptr<BodySource> stream;          // instead of `body`; copies of an answer share it
  std::optional<std::uint64_t> stream_length;  // of `stream`; without it the answer is chunked
  bool close = false;                          // close the connection after this answer

  void add(std::string_view name, std::string_view value) {
    head.append(name).append(": ").append(value).append("\r\n");
  }
};

// The standard phrase of a status, "" if there is none.
std::string_view reason_of(unsigned status);

}  // namespace parley::http
