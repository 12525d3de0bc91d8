#include "common/model/uuid.hpp"

#include <chrono>
#include <random>

namespace parley::model {

namespace {

constexpr char kHex[] = "0123456789abcdef";

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::optional<Uuid> Uuid::parse(std::string_view text) {
  if (text.size() != 36) return std::nullopt;
  Uuid id;
  std::size_t byte = 0;
  for (std::size_t i = 0; i < 36;) {
    if (i == 8 || i == 13 || i == 18 || i == 23) {
      if (text[i++] != '-') return std::nullopt;
      continue;
    }
    const int high = hex_value(text[i]);
    const int low = hex_value(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    id.bytes[byte++] = static_cast<unsigned char>(high << 4 | low);
    i += 2;
  }
  return id;
}

void Uuid::append_to(std::string& out) const {
  char text[36];
  char* p = text;
  for (std::size_t i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) *p++ = '-';
    *p++ = kHex[bytes[i] >> 4];
    *p++ = kHex[bytes[i] & 15];
  }
  out.append(text, sizeof text);
}

std::string Uuid::text() const {
  std::string out;
  out.reserve(36);
  append_to(out);
  return out;
}

std::int64_t Uuid::milliseconds() const {
  std::int64_t value = 0;
  for (std::size_t i = 0; i < 6; ++i) value = value << 8 | bytes[i];
  return value;
}

// RFC 9562, method 1 of section 6.2: within a millisecond the 12 bits after the time count up from a random start, and
// the clock is never followed backwards.
Uuid new_uuid() {
  thread_local std::mt19937_64 random{[] {
    std::random_device device;
    return (std::uint64_t{device()} << 32) | device();
  }()};
  thread_local std::int64_t last_time = 0;
  thread_local unsigned counter = 0;

  using namespace std::chrono;
  const std::int64_t now = duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
  if (now > last_time) {
    last_time = now;
    counter = static_cast<unsigned>(random()) & 0x3FF;
  } else if (++counter > 0xFFF) {
    ++last_time;
    counter = 0;
  }

  Uuid id;
  for (std::size_t i = 0; i < 6; ++i) id.bytes[i] = static_cast<unsigned char>(last_time >> (40 - 8 * i));
  id.bytes[6] = static_cast<unsigned char>(0x70 | counter >> 8);
  id.bytes[7] = static_cast<unsigned char>(counter);
  const std::uint64_t tail = random();
  for (std::size_t i = 0; i < 8; ++i) id.bytes[8 + i] = static_cast<unsigned char>(tail >> (8 * i));
  id.bytes[8] = static_cast<unsigned char>(0x80 | (id.bytes[8] & 0x3F));
  return id;
}

}  // namespace parley::model
