#include "common/http/message.hpp"

#include <algorithm>
#include <boost/beast/http/status.hpp>

#include "common/http/problem.hpp"
#include "common/model/text.hpp"

namespace parley::http {

std::string_view name_of(Method method) {
  switch (method) {
    case Method::get:
      return "GET";
    case Method::head:
      return "HEAD";
    case Method::post:
      return "POST";
    case Method::put:
      return "PUT";
    case Method::patch:
      return "PATCH";
    case Method::del:
      return "DELETE";
    case Method::options:
      return "OPTIONS";
    case Method::other:
      break;
  }
  return "OTHER";
}

std::string_view find_field(std::span<const Field> fields, std::string_view name) {
  for (const auto& field : fields)
    if (model::equals_ignoring_case(field.name, name)) return field.value;
  return {};
}

bool Request::has(std::string_view name) const {
  return std::any_of(fields.begin(), fields.end(),
                     [&](const Field& field) { return model::equals_ignoring_case(field.name, name); });
}

awaitable<std::string_view> Request::body() {
  if (whole_ || !has_body) co_return whole_.value_or(std::string_view{});
  const auto first = co_await body_source->next();
  if (content_length && first.size() == *content_length) {  // as most are: all of it lies in the connection's buffer
    whole_ = first;
    co_return first;
  }
  for (auto piece = first; !piece.empty(); piece = co_await body_source->next()) gather(piece);
  whole_ = gathered_;
  co_return *whole_;
}

namespace {

// Beside the text itself, in which a short one lies.
std::size_t memory_of(const std::string& text) { return text.capacity() - std::string().capacity(); }

}  // namespace

// What has come takes memory, not what is promised: promises cost their maker nothing.
void Request::gather(std::string_view piece) {
  const auto before = memory_of(gathered_);
  gathered_.append(piece);
  if (!body_room) return;
  body_room->taken += memory_of(gathered_) - before;
  if (body_room->most == 0 || body_room->taken <= body_room->most) return;
  ++body_room->refused;
  throw Problem({.status = 503, .detail = "too many bodies arrive at once: try again", .head = "Retry-After: 1\r\n"});
}

void Request::forget_body() {
  if (body_room) body_room->taken -= memory_of(gathered_);
  whole_.reset();
  std::string().swap(gathered_);  // an assignment would keep the memory
}

std::string_view reason_of(unsigned status) {
  const auto reason = boost::beast::http::obsolete_reason(boost::beast::http::int_to_status(status));
  return {reason.data(), reason.size()};
}

}  // namespace parley::http
