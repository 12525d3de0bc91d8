#pragma once
#include <boost/asio/awaitable.hpp>
#include <chrono>
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

// Slices of the buffer that the message was read into.
struct Field {
  std::string_view name;
  std::string_view value;
};

std::string_view find_field(std::span<const Field> fields, std::string_view name);

class BodySource {
 public:
  virtual ~BodySource() = default;
  // Returns the next piece, valid until the next call; empty at the end. Throws if the rest is unavailable.
  virtual awaitable<std::string_view> next() = 0;
  // How long next() has waited for whoever sends this, as far as the source knows.
  virtual std::chrono::nanoseconds waited() const { return {}; }
  // The reader has gone, perhaps while next() waits: a source that may wait long ends soon.
  virtual void reader_left() {}
};

// The owner charged for a request's resources (BodyRoom, Upstream); no owner if nameless.
struct RequestOwner {
  std::string name{};
  bool is_stranger = false;  // sent no credential
};

// Memory of one server's gathered bodies: at most a quarter per owner, an eighth per stranger, half for all strangers.
class BodyRoom {
 public:
  enum class Verdict { fits, full, share_used_up };
  // Adds octets of a body; they count until given back, even when the verdict is not `fits`.
  Verdict take(const RequestOwner& owner, std::uint64_t octets);
  void give_back(const RequestOwner& owner, std::uint64_t octets);

  std::uint64_t most = 0;  // octets; 0: no bound
  std::uint64_t taken = 0;
  // Bodies refused since the start: because all is taken; because the owner's share is.
  std::uint64_t refused = 0, over_share = 0;

 private:
  std::uint64_t by_strangers_ = 0;
  std::unordered_map<std::string, std::uint64_t> by_owner_;
};

class BodyHold {
 public:
  BodyHold(std::shared_ptr<BodyRoom> room, RequestOwner owner) : room_(std::move(room)), owner_(std::move(owner)) {}
  ~BodyHold() { room_->give_back(owner_, octets_); }
  BodyHold(const BodyHold&) = delete;
  BodyHold& operator=(const BodyHold&) = delete;
  BodyRoom::Verdict grow_to(std::uint64_t octets);

 private:
  std::shared_ptr<BodyRoom> room_;
  RequestOwner owner_;
  std::uint64_t octets_ = 0;
};

// One request, valid while its handler runs; slices of the connection's buffer.
class Request {
 public:
  Method method = Method::other;
  std::string_view target;  // as received: path and query
  std::string_view path;
  std::string_view query;  // without the question mark
  std::span<const Field> fields;
  std::optional<std::uint64_t> content_length;
  bool has_body = false;            // a non-empty or chunked body
  bool streamed = false;            // the body may have any length: see ServerLimits
  std::string_view remote_address;  // of the peer, textual
  BodySource* body_source = nullptr;
  BodyRoom* body_room = nullptr;      // null: no bound
  AnswerRoom* answer_room = nullptr;  // null: no bound
  Reader* reader = nullptr;           // receives the response
  RequestOwner owner;                 // set before body() and expect_answer() are called
  std::uint64_t body_limit = std::numeric_limits<std::uint64_t>::max();  // octets; lowers the server's limit

  std::string_view field(std::string_view name) const { return find_field(fields, name); }
  bool has(std::string_view name) const;  // true for an empty value too
  // Throws a Problem: 413 beyond the server's limit or `body_limit`, 503 when the gathered bodies take too much memory,
  // 429 when the owner's do. May be called again, as by a handler that is rerun after a deadlock.
  awaitable<std::string_view> body();
  // Returns what body() has read, "" before; stays empty when the handler reads the body piece by piece.
  std::string_view body_read() const { return whole_.value_or(std::string_view{}); }
  void forget_body();

  // Reserves room for the response, replacing the earlier reservation. Throws a Problem without room (503, or 429 for
  // the owner's share), but never for a request that changes something, as its effect has already happened.
  void expect_answer(std::uint64_t octets);
  // Marks the response, of this many octets, as being read by the client. The reservation ends with the request.
  void begin_answer(std::uint64_t octets);

 private:
  void gather(std::string_view piece);
  std::optional<std::string_view> whole_;
  std::string gathered_;
  std::unique_ptr<AnswerRoom::Reservation> answer_;  // null: the response is short
};

struct Response {
  unsigned status = 200;
  std::string_view content_type = "application/json";  // static storage; "" writes none
  std::string head;                                    // further fields, each "Name: value\r\n"
  std::string body;
  std::shared_ptr<BodySource> stream;          // instead of `body`; shared by copies of the response
  std::optional<std::uint64_t> stream_length;  // of `stream`; without it the response is chunked
  bool close = false;                          // close the connection after this response

  void add(std::string_view name, std::string_view value) {
    head.append(name).append(": ").append(value).append("\r\n");
  }
};

std::string_view reason_of(unsigned status);

}  // namespace parley::http
