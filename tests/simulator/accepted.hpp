#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::simulator {

// What the channel accepted: every message in the order in which it came, and how often each came, by recipient and
// opaque id: two with the same were sent twice. Messages without an opaque id are never the same. Compact, and exact up
// to its bound: a million take some 90 MB.
class Accepted {
 public:
  static constexpr std::size_t kMax = 4'000'000;

  struct Message {
    std::string_view recipient;  // digits, or a business-scoped user id; valid until clear()
    std::string_view opaque;     // "" is none
    std::uint16_t number = 0;    // the phone number that it was sent from, as the caller numbers them
    std::uint8_t type = 0;       // as the caller numbers them
    std::uint64_t call = 0;      // of the journal
  };

  Accepted();
  bool full() const { return records_.size() >= kMax; }
  // Returns the message's number, from 0; not when full().
  std::uint32_t add(const Message& message);
  std::size_t size() const { return records_.size(); }  // messages
  std::size_t distinct() const { return distinct_; }    // of different recipient and opaque id
  std::size_t doubled() const { return doubled_; }      // of these, how many came more than once
  Message at(std::uint32_t number) const;
  // How often it came; 0 for one that repeats an earlier one, where all are counted.
  std::uint32_t count(std::uint32_t number) const { return records_[number].count; }

  // The id that the channel gives a message, as long and as opaque as its own, and the way back.
  std::string id_of(std::uint32_t number) const;
  std::optional<std::uint32_t> find(std::string_view id) const;
  // The id of a message that a user sends.
  std::string new_inbound_id(std::string_view user);
  // Forgets all. Ids given before are not found any more, and none is given again.
  void clear();

 private:
  struct Record {
    const char* text;  // recipient and opaque id, one behind the other
    std::uint64_t call : 40;
    std::uint64_t type : 8;
    std::uint64_t number : 16;
    std::uint32_t count;
    std::uint16_t recipient_size, opaque_size;
  };

  const char* keep(std::string_view recipient, std::string_view opaque);
  std::uint64_t hash(std::string_view recipient, std::string_view opaque) const;
  // Where in the index such a message is, or belongs.
  std::size_t place(std::string_view recipient, std::string_view opaque) const;
  void grow();
  std::string make_id(std::string_view user, char direction, std::uint32_t number) const;

  std::array<unsigned char, 16> hash_key_;
  std::uint32_t era_;  // tells the ids of this process, and of the time since the last clear(), from others
  std::deque<Record> records_;
  std::deque<std::unique_ptr<char[]>> blocks_;
  std::size_t left_ = 0;              // in the last block
  std::vector<std::uint32_t> index_;  // open addressing: numbers of records from 1, 0 is free
  std::size_t distinct_ = 0, doubled_ = 0, indexed_ = 0;
  std::uint32_t inbound_ = 0;
};

}  // namespace parley::simulator
