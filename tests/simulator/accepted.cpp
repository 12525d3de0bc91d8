#include "tests/simulator/accepted.hpp"

#include <sodium.h>

#include <charconv>
#include <cstdio>
#include <stdexcept>

#include "tests/simulator/signing.hpp"

namespace parley::simulator {

namespace {

constexpr std::size_t kBlock = 64 * 1024;
constexpr std::size_t kFirstIndex = 1024;  // a power of two, as all sizes of the index are

constexpr std::string_view kPrefix = "wamid.";
constexpr char kOutbound = 0x11, kInbound = 0x12;
constexpr std::size_t kDigits = 16;  // of the number, and of the era

}  // namespace

Accepted::Accepted() : era_(randombytes_random()), index_(kFirstIndex) {
  randombytes_buf(hash_key_.data(), hash_key_.size());
}

void Accepted::clear() { *this = Accepted(); }

const char* Accepted::keep(std::string_view recipient, std::string_view opaque) {
  const auto size = recipient.size() + opaque.size();
  if (size > kBlock) throw std::length_error("a recipient and an opaque id of this length are never accepted");
  if (left_ < size) {
    blocks_.push_back(std::make_unique<char[]>(kBlock));
    left_ = kBlock;
  }
  char* const out = blocks_.empty() ? nullptr : blocks_.back().get() + (kBlock - left_);
  if (size > 0) {
    recipient.copy(out, recipient.size());
    opaque.copy(out + recipient.size(), opaque.size());
  }
  left_ -= size;
  return out;
}

std::uint64_t Accepted::hash(std::string_view recipient, std::string_view opaque) const {
  std::string text;
  text.reserve(recipient.size() + 1 + opaque.size());
  text.append(recipient).append(1, '\0').append(opaque);
  std::uint64_t out = 0;
  crypto_shorthash(reinterpret_cast<unsigned char*>(&out), reinterpret_cast<const unsigned char*>(text.data()),
                   text.size(), hash_key_.data());
  return out;
}

std::size_t Accepted::place(std::string_view recipient, std::string_view opaque) const {
  auto at = hash(recipient, opaque) & (index_.size() - 1);
  for (; index_[at] != 0; at = (at + 1) & (index_.size() - 1)) {
    const auto found = this->at(index_[at] - 1);
    if (found.recipient == recipient && found.opaque == opaque) break;
  }
  return at;
}

void Accepted::grow() {
  std::vector<std::uint32_t> before(index_.size() * 2);
  before.swap(index_);
  for (const auto number : before) {
    if (number == 0) continue;
    const auto message = at(number - 1);
    index_[place(message.recipient, message.opaque)] = number;
  }
}

std::uint32_t Accepted::add(const Message& message) {
  if (full()) throw std::length_error("no more messages can be counted");
  const auto number = static_cast<std::uint32_t>(records_.size());
  Record record{};
  record.text = keep(message.recipient, message.opaque);
  record.call = message.call & ((1ULL << 40) - 1);
  record.type = message.type;
  record.number = message.number;
  record.count = 1;
  record.recipient_size = static_cast<std::uint16_t>(message.recipient.size());
  record.opaque_size = static_cast<std::uint16_t>(message.opaque.size());
  if (!message.opaque.empty()) {
    if ((indexed_ + 1) * 10 > index_.size() * 7) grow();
    auto& place_of = index_[place(message.recipient, message.opaque)];
    if (place_of == 0) {
      place_of = number + 1;
      ++indexed_;
    } else {
      record.count = 0;
      if (++records_[place_of - 1].count == 2) ++doubled_;
    }
  }
  if (record.count > 0) ++distinct_;
  records_.push_back(record);
  return number;
}

Accepted::Message Accepted::at(std::uint32_t number) const {
  const auto& record = records_[number];
  return {{record.text, record.recipient_size},
          {record.text + record.recipient_size, record.opaque_size},
          static_cast<std::uint16_t>(record.number),
          static_cast<std::uint8_t>(record.type),
          record.call};
}

// In the channel's format: tagged fields with the user, a direction and a hexadecimal id, as base64.
std::string Accepted::make_id(std::string_view user, char direction, std::uint32_t number) const {
  char digits[kDigits + 1];
  std::snprintf(digits, sizeof digits, "%08X%08X", era_, number);
  std::string fields = "\x1C\x18";
  fields += static_cast<char>(user.size());
  fields.append(user).append("\x15\x02", 2).append(1, '\0').append(1, direction).append(1, '\x18');
  fields += static_cast<char>(kDigits);
  fields.append(digits, kDigits).append(1, '\0');
  return std::string(kPrefix) + to_base64(fields);
}

std::string Accepted::id_of(std::uint32_t number) const { return make_id(at(number).recipient, kOutbound, number); }
std::string Accepted::new_inbound_id(std::string_view user) { return make_id(user, kInbound, inbound_++); }

std::optional<std::uint32_t> Accepted::find(std::string_view id) const {
  if (!id.starts_with(kPrefix)) return std::nullopt;
  id.remove_prefix(kPrefix.size());
  std::array<char, 512> fields;
  std::size_t size = 0;
  if (sodium_base642bin(reinterpret_cast<unsigned char*>(fields.data()), fields.size(), id.data(), id.size(), nullptr,
                        &size, nullptr, sodium_base64_VARIANT_ORIGINAL) != 0 ||
      size < kDigits + 1)
    return std::nullopt;
  const char* const digits = fields.data() + size - kDigits - 1;
  std::uint64_t value = 0;
  if (std::from_chars(digits, digits + kDigits, value, 16).ptr != digits + kDigits) return std::nullopt;
  const auto number = static_cast<std::uint32_t>(value);
  if (value >> 32 != era_ || number >= records_.size()) return std::nullopt;
  if (id_of(number).substr(kPrefix.size()) != id) return std::nullopt;
  return number;
}

}  // namespace parley::simulator
