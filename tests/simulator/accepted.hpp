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

// Counts the accepted messages; those with the same recipient and opaque id are duplicates. Exact up to kMax. A million
// messages take about 90 MB.
class Accepted {
 public:
  static constexpr std::size_t kMax = 4'000'000;

  struct Message {
    std::string_view recipient;  // digits, or a business-scoped user id; valid until clear()
    std::string_view opaque;     // "": none, then the message is no duplicate
    std::uint16_t number = 0;    // the sending phone number, as numbered by the caller
    std::uint8_t type = 0;       // as numbered by the caller
    std::uint64_t call = 0;      // in the journal
  };

  Accepted();
  bool full() const { return records_.size() >= kMax; }
  // Returns the message's number, from 0. Must not be called when full().
  std::uint32_t add(const Message& message);
  std::size_t size() const { return records_.size(); }  // messages
  std::size_t distinct() const { return distinct_; }    // pairs of recipient and opaque id
  std::size_t doubled() const { return doubled_; }      // of these, sent more than once
  Message at(std::uint32_t number) const;
  // How often the message was sent; 0 for a duplicate, which is counted with the first.
  std::uint32_t count(std::uint32_t number) const { return records_[number].count; }

  // The channel's id of a message, in the channel's format, and the reverse.
  std::string id_of(std::uint32_t number) const;
  std::optional<std::uint32_t> find(std::string_view id) const;
  std::string new_inbound_id(std::string_view user);
  // Forgets everything. Earlier ids are not found any more, and are not used again.
  void clear();

 private:
  struct Record {
    const char* text;  // recipient and opaque id, concatenated
    std::uint64_t call : 40;
    std::uint64_t type : 8;
    std::uint64_t number : 16;
    std::uint32_t count;
    std::uint16_t recipient_size, opaque_size;
  };

  const char* keep(std::string_view recipient, std::string_view opaque);
  std::uint64_t hash(std::string_view recipient, std::string_view opaque) const;
  std::size_t place(std::string_view recipient, std::string_view opaque) const;
  void grow();
  std::string make_id(std::string_view user, char direction, std::uint32_t number) const;

  std::array<unsigned char, 16> hash_key_;
  std::uint32_t era_;  // distinguishes ids of this process since the last clear() from others
  std::deque<Record> records_;
  std::deque<std::unique_ptr<char[]>> blocks_;
  std::size_t left_ = 0;              // in the last block
  std::vector<std::uint32_t> index_;  // open addressing: record number + 1; 0: free
  std::size_t distinct_ = 0, doubled_ = 0, indexed_ = 0;
  std::uint32_t inbound_ = 0;
};

}  // namespace parley::simulator
