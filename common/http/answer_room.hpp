#pragma once
#include <cstdint>
#include <list>
#include <string>
#include <unordered_map>

#include "common/http/deadline.hpp"

namespace parley::http {

// The client of a response, at the other end of a connection.
class Reader {
 public:
  virtual ~Reader() = default;
  virtual void cut_off() = 0;
};

// Memory taken by the long responses of one server, from when the handler knows a response's length until the client
// has read it. An owner may have a quarter, or one longer response. A response without room evicts one that its client
// reads slowly or, when all is taken, one longer than a quarter; if there is none, it is refused, or, if its effect has
// already happened, admitted anyway.
class AnswerRoom {
 public:
  static constexpr std::uint64_t kLong = 64 << 10;  // octets; shorter responses do not count
  enum class Verdict { fits, full, share_used_up };

  // One response's memory; must not outlive the room and the reader.
  class Reservation {
   public:
    Reservation(AnswerRoom& room, Reader& reader, std::string owner)
        : room_(room), reader_(reader), owner_(std::move(owner)) {}
    ~Reservation();
    Reservation(const Reservation&) = delete;
    Reservation& operator=(const Reservation&) = delete;

    // Replaces the reservation with `octets`. If they do not fit, a refusable response keeps what it had.
    Verdict take(std::uint64_t octets, bool is_refusable);
    void begin_to_be_read();

   private:
    friend class AnswerRoom;
    AnswerRoom& room_;
    Reader& reader_;
    const std::string owner_;
    std::uint64_t octets_ = 0;
    Clock::time_point read_since_{};
    std::list<Reservation*>::iterator in_reading_;
    bool is_being_read_ = false;
  };

  std::uint64_t most = 0;                    // octets; 0: no bound
  std::chrono::milliseconds timeout{2'000};  // for a client to read a response while another finds no room
  std::uint64_t taken = 0;
  // Responses since the start: refused because all is taken; because the owner's share is; cut off.
  std::uint64_t refused = 0, over_share = 0, cut_off = 0;

 private:
  Verdict verdict(const Reservation& place, std::uint64_t octets) const;
  void set(Reservation& place, std::uint64_t octets);
  void leave(Reservation& place);

  std::list<Reservation*> reading_;  // being read by their clients, oldest first
  std::unordered_map<std::string, std::uint64_t> by_owner_;
};

}  // namespace parley::http
