#include "common/pg/batch.hpp"

#include <bit>
#include <cstring>
#include <limits>
#include <string>

namespace parley::pg {
namespace {

const Statement limit("pg.limit_time", "SELECT set_config('statement_timeout', $1, true)", Lane::slow, {oid::text},
                      Statement::Kind::unlisted);

constexpr std::int64_t milliseconds_1970_to_2000 = 946'684'800'000;

template <std::unsigned_integral T>
T big_endian(T value) {
  if constexpr (sizeof(T) == 2) return __builtin_bswap16(value);
  if constexpr (sizeof(T) == 4) return __builtin_bswap32(value);
  if constexpr (sizeof(T) == 8) return __builtin_bswap64(value);
}

template <std::unsigned_integral T>
void append(std::string& out, T value) {
  static_assert(std::endian::native == std::endian::little);
  value = big_endian(value);
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void overwrite(std::string& out, std::size_t at, std::uint32_t value) {
  value = big_endian(value);
  std::memcpy(out.data() + at, &value, sizeof value);
}

const Statement& last_statement(const PipelinedBatch& exchange) { return *exchange.calls.back().statement; }

std::size_t next_parameter(const PipelinedBatch& exchange) {
  return exchange.parameters.size() - exchange.calls.back().first_parameter;
}

}  // namespace

Batch& Batch::limit_time(std::string_view time) & { return add(limit, time); }

std::int64_t Batch::checked(std::uint64_t value) {
  if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    throw MappingError("an unsigned parameter is beyond int8");
  return static_cast<std::int64_t>(value);
}

void Batch::open(const Statement& statement, std::size_t arguments) {
  if (arguments != statement.types.size())
    throw MappingError(statement.name + " takes " + std::to_string(statement.types.size()) + " parameters, not " +
                       std::to_string(arguments));
  exchange_->calls.push_back({&statement, exchange_->parameters.size()});
}

void Batch::put_null() { exchange_->parameters.push_back({exchange_->bytes.size(), -1}); }

Oid Batch::open_value() {
  const Oid type = last_statement(*exchange_).types[next_parameter(*exchange_)];
  exchange_->parameters.push_back({exchange_->bytes.size(), 0});
  return type;
}

void Batch::close() {
  auto& parameter = exchange_->parameters.back();
  const auto length = exchange_->bytes.size() - parameter.offset;
  if (length > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw MappingError(last_statement(*exchange_).name + ": a parameter is longer than 2 GiB");
  parameter.length = static_cast<int>(length);
}

// Format (array_recv): dimensions, has-NULLs, element type, then length and lower bound of the only dimension.
Oid Batch::open_array(std::size_t elements) {
  const Oid type = open_value();
  const Oid element = oid::element_of(type);
  if (element == 0) refuse(type, "an array");
  auto& bytes = exchange_->bytes;
  append<std::uint32_t>(bytes, elements == 0 ? 0 : 1);
  append<std::uint32_t>(bytes, 1);
  append<std::uint32_t>(bytes, element);
  if (elements != 0) {
    append(bytes, static_cast<std::uint32_t>(elements));
    append<std::uint32_t>(bytes, 1);
  }
  return element;
}

std::size_t Batch::open_element() {
  append<std::uint32_t>(exchange_->bytes, 0);
  return exchange_->bytes.size();
}

void Batch::close_element(std::size_t at) {
  overwrite(exchange_->bytes, at - 4, static_cast<std::uint32_t>(exchange_->bytes.size() - at));
}

void Batch::put_null_element() { append<std::uint32_t>(exchange_->bytes, 0xFFFFFFFF); }

void Batch::write(Oid type, bool value) {
  if (type != oid::boolean) refuse(type, "a bool");
  exchange_->bytes += value ? '\1' : '\0';
}

void Batch::write(Oid type, std::int64_t value) {
  auto& bytes = exchange_->bytes;
  if (type == oid::int8) {
    append(bytes, static_cast<std::uint64_t>(value));
  } else if (type == oid::int4 && std::in_range<std::int32_t>(value)) {
    append(bytes, static_cast<std::uint32_t>(value));
  } else if (type == oid::int2 && std::in_range<std::int16_t>(value)) {
    append(bytes, static_cast<std::uint16_t>(value));
  } else {
    refuse(type, "the integer " + std::to_string(value));
  }
}

void Batch::write(Oid type, double value) {
  if (type != oid::float8) refuse(type, "a floating-point number");
  append(exchange_->bytes, std::bit_cast<std::uint64_t>(value));
}

void Batch::write(Oid type, std::string_view text) {
  switch (type) {
    case oid::jsonb:
      exchange_->bytes += '\1';  // version of the jsonb format
      break;
    case oid::text:
    case oid::varchar:
    case oid::bpchar:
    case oid::name:
    case oid::bytea:
    case oid::json:
      break;
    default:
      if (type < oid::first_user_defined) refuse(type, "text");
  }
  exchange_->bytes += text;
}

void Batch::write(Oid type, const model::Uuid& id) {
  if (type != oid::uuid) refuse(type, "a uuid");
  exchange_->bytes.append(reinterpret_cast<const char*>(id.bytes.data()), id.bytes.size());
}

void Batch::write(Oid type, const model::Timestamp& moment) {
  if (type != oid::timestamptz) refuse(type, "a timestamp");
  const auto microseconds = (moment.milliseconds_since_epoch - milliseconds_1970_to_2000) * 1'000;
  append(exchange_->bytes, static_cast<std::uint64_t>(microseconds));
}

void Batch::write(Oid type, const model::RawJson& json) {
  if (type != oid::json && type != oid::jsonb) refuse(type, "JSON");
  write(type, json.text.empty() ? std::string_view("null") : std::string_view(json.text));
}

void Batch::refuse(Oid type, std::string_view what) const {
  throw MappingError(last_statement(*exchange_).name + ": $" + std::to_string(next_parameter(*exchange_)) + " is " +
                     oid::name_of(type) + ", which " + std::string(what) + " does not fit");
}

}  // namespace parley::pg
