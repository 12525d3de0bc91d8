#pragma once
#include <cstdint>
#include <list>
#include <string>
#include <unordered_map>

#include "common/http/deadline.hpp"

namespace parley::http {

// Who an answer is for, at the other end of a connection.
class Reader {
 public:
  virtual ~Reader() = default;
  // Ends the connection, whatever of the answer was not read yet.
  virtual void cut_off() = 0;
};

// What the long answers of one server take in memory together: from when the handler knows how long its answer will be
// until the client has read it. An owner may have a quarter of it, or one answer that is longer. An answer for which
// there is no room takes the place of one that its client reads slowly, or, when all is taken, of one that is longer
// than a quarter; if there is none such, it is refused, or, as what it tells was done already, let in all the same.
class AnswerRoom {
 public:
  static constexpr std::uint64_t kLong = 64 << 10;  // octets; what is shorter does not count
  enum class Verdict { fits, full, share_used_up };

  // What one answer takes, for as long as this lives, which must not be longer than the room and the reader.
  class Reservation {
   public:
    Reservation(AnswerRoom& room, Reader& reader, std::string owner)
        : room_(room), reader_(reader), owner_(std::move(owner)) {}
    ~Reservation();
    Reservation(const Reservation&) = delete;
    Reservation& operator=(const Reservation&) = delete;

    // Takes so many octets in place of what it had. Unless they fit, a refusable answer keeps what it had.
    Verdict take(std::uint64_t octets, bool is_refusable);
    // From now on it waits for its client.
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
  std::chrono::milliseconds timeout{2'000};  // with who reads an answer, while another finds no room
  std::uint64_t taken = 0;
  // Answers, since the start: refused, as all is taken or their owner has its share; and cut off.
  std::uint64_t refused = 0, over_share = 0, cut_off = 0;

 private:
  Verdict verdict(const Reservation& place, std::uint64_t octets) const;
  void set(Reservation& place, std::uint64_t octets);
  void leave(Reservation& place);

  std::list<Reservation*> reading_;  // that wait for their clients, the longest first
  std::unordered_map<std::string, std::uint64_t> by_owner_;
};

}  // namespace parley::http
