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

namespace {

Problem too_long(std::uint64_t limit) {
  return Problem({.status = 413,
                  .detail = "the body is longer than the " + std::to_string(limit) + " octets that this takes",
                  .close = true});
}

}  // namespace

awaitable<std::string_view> Request::body() {
  if (whole_ || !has_body) co_return whole_.value_or(std::string_view{});
  if (content_length.value_or(0) > body_limit) throw too_long(body_limit);
  const auto first = co_await body_source->next();
  if (content_length && first.size() == *content_length) {  // the common case: all of it is in the connection's buffer
    whole_ = first;
    co_return first;
  }
  for (auto piece = first; !piece.empty(); piece = co_await body_source->next()) gather(piece);
  whole_ = gathered_;
  co_return *whole_;
}

namespace {

std::size_t memory_of(const std::string& text) { return text.capacity() - std::string().capacity(); }

}  // namespace

BodyRoom::Verdict BodyRoom::take(const RequestOwner& owner, std::uint64_t octets) {
  taken += octets;
  if (most == 0) return Verdict::fits;
  if (owner.is_stranger) by_strangers_ += octets;
  auto verdict = taken > most ? Verdict::full : Verdict::fits;
  if (owner.is_stranger && by_strangers_ > most / 2) verdict = Verdict::share_used_up;
  if (!owner.name.empty()) {
    const auto of_owner = by_owner_[owner.name] += octets;
    if (of_owner > most / (owner.is_stranger ? 8 : 4)) verdict = Verdict::share_used_up;
  }
  if (verdict == Verdict::full) ++refused;
  if (verdict == Verdict::share_used_up) ++over_share;
  return verdict;
}

void BodyRoom::give_back(const RequestOwner& owner, std::uint64_t octets) {
  taken -= octets;
  if (most == 0) return;
  if (owner.is_stranger) by_strangers_ -= octets;
  const auto of_owner = by_owner_.find(owner.name);
  if (of_owner != by_owner_.end() && (of_owner->second -= octets) == 0) by_owner_.erase(of_owner);
}

BodyRoom::Verdict BodyHold::grow_to(std::uint64_t octets) {
  if (octets <= octets_) return BodyRoom::Verdict::fits;
  const auto more = octets - std::exchange(octets_, octets);
  return room_->take(owner_, more);
}

// Counts octets received, not the announced Content-Length, which costs a client nothing.
void Request::gather(std::string_view piece) {
  const auto before = memory_of(gathered_);
  gathered_.append(piece);
  const auto grown = memory_of(gathered_) - before;
  const auto verdict =
      body_room && grown > 0 ? body_room->take(owner, grown) : BodyRoom::Verdict::fits;  // counted before any throw
  if (gathered_.size() > body_limit) throw too_long(body_limit);
  switch (verdict) {
    case BodyRoom::Verdict::fits:
      return;
    case BodyRoom::Verdict::full:
      throw Problem(
          {.status = 503, .detail = "too many bodies arrive at once: try again", .head = "Retry-After: 1\r\n"});
    case BodyRoom::Verdict::share_used_up:
      throw Problem({.status = 429,
                     .detail = std::string("the bodies that arrive at once ") +
                               (owner.is_stranger ? "without a credential" : "for this organization") +
                               " take more than their share: try again",
                     .head = "Retry-After: 1\r\n"});
  }
}

void Request::forget_body() {
  if (body_room && memory_of(gathered_) > 0) body_room->give_back(owner, memory_of(gathered_));
  whole_.reset();
  std::string().swap(gathered_);  // an assignment would keep the memory
}

void Request::expect_answer(std::uint64_t octets) {
  if (!answer_room || (octets < AnswerRoom::kLong && !answer_)) return;
  if (!answer_) answer_ = std::make_unique<AnswerRoom::Reservation>(*answer_room, *reader, owner.name);
  const bool changes_nothing = method == Method::get || method == Method::head;
  switch (answer_->take(octets, changes_nothing)) {
    case AnswerRoom::Verdict::fits:
      return;
    case AnswerRoom::Verdict::full:
      throw Problem(
          {.status = 503, .detail = "too many long answers are under way: try again", .head = "Retry-After: 1\r\n"});
    case AnswerRoom::Verdict::share_used_up:
      throw Problem(
          {.status = 429,
           .detail = "the long answers that are under way for this organization take its share: read them first",
           .head = "Retry-After: 2\r\n"});
  }
}

void Request::begin_answer(std::uint64_t octets) {
  if (octets < AnswerRoom::kLong) answer_.reset();
  if (answer_) answer_->begin_to_be_read();
}

std::string_view reason_of(unsigned status) {
  const auto reason = boost::beast::http::obsolete_reason(boost::beast::http::int_to_status(status));
  return {reason.data(), reason.size()};
}

}  // namespace parley::http
