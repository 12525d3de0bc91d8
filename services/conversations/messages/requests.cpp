#include "conversations/messages/requests.hpp"

#include <charconv>
#include <limits>
#include <tuple>

#include "conversations/channel/content.hpp"

namespace parley::conversations::messages {

namespace {

constexpr auto kLastId = [] {
  model::Uuid id;
  id.bytes.fill(0xff);
  return id;
}();
// Within the range of timestamptz, and later than any message.
constexpr std::int64_t kLastMoment = 253'402'300'799'000'000;  // 9999-12-31

constexpr std::int64_t kMicroseconds = 1'000;  // in a millisecond

After before_all(bool descending) { return descending ? After{kLastMoment, kLastId} : After{}; }

After read_after(const Cut& cut, const std::string& text, http::Faults& faults) {
  const auto cursor = http::read_cursor(cut.order_name(), text, faults);
  if (!cursor) return {};
  After after{0, cursor->id};
  const auto* end = cursor->text.data() + cursor->text.size();
  const auto read = std::from_chars(cursor->text.data(), end, after.at);
  if (read.ec != std::errc{} || read.ptr != end || after.at < 0 || after.at > kLastMoment)
    faults.add("?cursor", "is not one that this list gave for this order");
  return after;
}

template <class Query>
Cut read_cut(const Query& query, const http::PageQuery& paging, http::Faults& faults) {
  Cut cut;
  cut.paging = http::read_paging(paging, faults);
  cut.descending = query.order != http::Order::asc;
  cut.by_cursor = query.cursor.has_value();
  cut.after = query.cursor ? read_after(cut, *query.cursor, faults) : before_all(cut.descending);
  return cut;
}

bool is_before(const After& one, const After& other) { return std::tie(one.at, one.id) < std::tie(other.at, other.id); }

// Moves the begin to the messages before `moment`, or from `moment` on, unless it is there already. An index begins at
// one bound; another one beside it would be checked for each message in between.
void move_to(Cut& cut, const std::optional<model::Timestamp>& moment) {
  if (!moment) return;
  const auto at = moment->milliseconds_since_epoch * kMicroseconds;
  const After bound = cut.descending ? After{at, {}} : After{at - 1, kLastId};
  if (cut.descending ? is_before(bound, cut.after) : is_before(cut.after, bound)) cut.after = bound;
}

}  // namespace

NewMessage check(MessageBody body, std::string pointer, http::Faults& faults) {
  NewMessage message{std::move(pointer), body.messageType, std::move(body.messageData), body.replyToMessageId, {}};
  model::Fault fault;
  const auto data = model::parse(message.data.text, fault);
  if (!data || !data->is_object()) {
    faults.add(message.pointer + "/messageData", "must be an object");
    return message;
  }
  http::Faults inner;
  channel::check_content(message.type, *data, inner);
  // The channel needs its own id of that message, which is looked up with the conversation.
  if (message.type == model::MessageType::Reaction && inner.empty()) {
    const auto* id = data->as_object().if_contains("messageId");
    message.reaction_to = id && id->is_string() ? model::Uuid::parse(id->get_string()) : std::nullopt;
    if (!message.reaction_to) inner.add("/messageData/messageId", "must be the id of a message");
  }
  faults.add_below(message.pointer, std::move(inner));
  return message;
}

Cut read_cut(const OfConversationQuery& query) {
  http::Faults faults;
  auto cut = read_cut(
      query, {query.skip, query.page, query.per_page, query.limit, query.order, std::nullopt, query.cursor}, faults);
  faults.throw_if_any();
  return cut;
}

Cut read_cut(const ListQuery& query) {
  http::Faults faults;
  auto cut = read_cut(
      query, {std::nullopt, std::nullopt, query.per_page, query.limit, query.order, std::nullopt, query.cursor},
      faults);
  if (query.from && query.to && *query.to <= *query.from) faults.add("?to", "must be after from");
  faults.throw_if_any();
  move_to(cut, cut.descending ? query.to : query.from);
  return cut;
}

std::string cursor_behind(const Cut& cut, const After& last) {
  return http::write_cursor(cut.order_name(), {last.id, std::to_string(last.at)});
}

}  // namespace parley::conversations::messages
