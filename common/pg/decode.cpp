#include "common/pg/decode.hpp"

#include <bit>
#include <cstring>

namespace parley::pg {
namespace {

constexpr std::int64_t milliseconds_1970_to_2000 = 946'684'800'000;

std::uint16_t load16(const char* at) {
  std::uint16_t value;
  std::memcpy(&value, at, sizeof value);
  return __builtin_bswap16(value);
}
std::uint32_t load32(const char* at) {
  std::uint32_t value;
  std::memcpy(&value, at, sizeof value);
  return __builtin_bswap32(value);
}
std::uint64_t load64(const char* at) {
  std::uint64_t value;
  std::memcpy(&value, at, sizeof value);
  return __builtin_bswap64(value);
}

constexpr const char* wrong_length = "has the wrong length for its type";

}  // namespace

namespace detail {

bool is_text(Oid type) {
  return type == oid::text || type == oid::varchar || type == oid::bpchar || type == oid::name ||
         type >= oid::first_user_defined;
}

const char* read_integer(const Cell& cell, std::int64_t& out) {
  switch (cell.length) {
    case 2:
      out = static_cast<std::int16_t>(load16(cell.data));
      return nullptr;
    case 4:
      out = static_cast<std::int32_t>(load32(cell.data));
      return nullptr;
    case 8:
      out = static_cast<std::int64_t>(load64(cell.data));
      return nullptr;
    default:
      return wrong_length;
  }
}

const char* read_text(const Cell& cell, std::string_view& out) {
  out = {cell.data, cell.length};
  if (cell.type != oid::jsonb) return nullptr;
  if (out.empty() || out[0] != '\1') return "is of an unknown version of jsonb's format";
  out.remove_prefix(1);
  return nullptr;
}

ArrayCells::ArrayCells(const Cell& cell) : at_(cell.data), end_(cell.data + cell.length) {
  if (cell.length < 12) return;
  const auto dimensions = take();
  take();  // the has-NULLs flag; each NULL has length -1
  element_ = take();
  if (dimensions == 0) {
    valid_ = at_ == end_;
    return;
  }
  if (dimensions != 1 || end_ - at_ < 8) return;
  size_ = take();
  take();  // lower bound
  valid_ = size_ <= static_cast<std::size_t>(end_ - at_) / 4;
}

std::uint32_t ArrayCells::take() {
  const auto value = load32(at_);
  at_ += 4;
  return value;
}

bool ArrayCells::next(Cell& out) {
  if (end_ - at_ < 4) return false;
  const auto length = static_cast<std::int32_t>(take());
  if (length < 0) {
    out = {nullptr, 0, element_};
    return true;
  }
  if (end_ - at_ < length) return false;
  out = {at_, static_cast<std::size_t>(length), element_};
  at_ += length;
  return true;
}

}  // namespace detail

bool Decode<std::string>::accepts(Oid type) {
  return detail::is_text(type) || type == oid::bytea || type == oid::json || type == oid::jsonb;
}

const char* Decode<std::string>::read(const Cell& cell, std::string& out) {
  std::string_view text;
  if (const char* fault = detail::read_text(cell, text)) return fault;
  out.assign(text);
  return nullptr;
}

const char* Decode<model::RawJson>::read(const Cell& cell, model::RawJson& out) {
  return Decode<std::string>::read(cell, out.text);
}

const char* Decode<model::Uuid>::read(const Cell& cell, model::Uuid& out) {
  if (cell.length != out.bytes.size()) return wrong_length;
  std::memcpy(out.bytes.data(), cell.data, out.bytes.size());
  return nullptr;
}

const char* Decode<model::Timestamp>::read(const Cell& cell, model::Timestamp& out) {
  if (cell.length != 8) return wrong_length;
  const auto microseconds = static_cast<std::int64_t>(load64(cell.data));
  if (microseconds == std::numeric_limits<std::int64_t>::min() ||
      microseconds == std::numeric_limits<std::int64_t>::max())
    return "is infinite";
  auto milliseconds = microseconds / 1'000;
  if (microseconds % 1'000 < 0) --milliseconds;
  out.milliseconds_since_epoch = milliseconds + milliseconds_1970_to_2000;
  return nullptr;
}

const char* Decode<bool>::read(const Cell& cell, bool& out) {
  if (cell.length != 1) return wrong_length;
  out = *cell.data != 0;
  return nullptr;
}

const char* Decode<double>::read(const Cell& cell, double& out) {
  if (cell.length == 8)
    out = std::bit_cast<double>(load64(cell.data));
  else if (cell.length == 4)
    out = static_cast<double>(std::bit_cast<float>(load32(cell.data)));
  else
    return wrong_length;
  return nullptr;
}

}  // namespace parley::pg
