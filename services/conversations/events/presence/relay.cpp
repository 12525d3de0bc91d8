#include "conversations/events/presence/relay.hpp"

namespace parley::conversations::presence {

namespace {

using namespace std::chrono_literals;
using redis::Reply;

constexpr std::string_view kKey = "parley:presence";
constexpr std::string_view kMost = "2000";                          // entries, about
constexpr std::string_view kMostRead = "500";                       // at once
constexpr std::string_view kLife = "60000";                         // milliseconds
constexpr std::string_view kBeginning = "0-0";                      // before all entries
constexpr std::chrono::milliseconds kPause{250}, kLongPause{1000};  // between reads, with and without listeners

// [id, [field, value, ...]]
const Reply* value_of(const Reply& entry) {
  if (entry.items.size() != 2 || entry.items[1].items.size() < 2) return nullptr;
  return &entry.items[1].items[1];
}

}  // namespace

Relay::Relay(boost::asio::io_context& context, redis::Client& redis, stream::Hub& hub, events::Report report)
    : redis_(redis), hub_(hub), loop_(context, {1s, 30s}, [this] { return step(); }, std::move(report)) {}

awaitable<void> Relay::tell(Presence presence) {
  const auto text = model::to_json(presence);
  auto added = redis_.start({"XADD", kKey, "MAXLEN", "~", kMost, "*", "p", text});
  auto bounded = redis_.start({"PEXPIRE", kKey, kLife});
  const bool is_added = (co_await added.get()).ok();
  co_await bounded.get();
  if (!is_added) tell_here(presence);
}

void Relay::tell_here(const Presence& presence) {
  const stream::Topic topic{stream::kPresence, presence.conversationId, {}, presence.memberId};
  const auto& facts = static_cast<const Facts&>(presence);
  std::string data = "{\"type\":";
  model::write(data, stream::kTypes[stream::kPresence]);
  data.append(",\"timestamp\":").append(model::to_json(presence.at));
  data.append(",\"data\":").append(model::to_json(facts)).append("}");
  hub_.tell(presence.organizationId, topic, data);
}

// Entries from before the first listener came are passed over.
awaitable<bool> Relay::find_end() {
  const auto newest = co_await redis_.command({"XREVRANGE", kKey, "+", "-", "COUNT", "1"});
  if (newest.kind != Reply::Kind::array) co_return false;
  read_to_ = newest.items.empty() || newest.items[0].items.empty() ? kBeginning : newest.items[0].items[0].text;
  co_return true;
}

awaitable<std::chrono::milliseconds> Relay::step() {
  if (hub_.size() == 0) read_to_.clear();
  if (hub_.size() == 0) co_return kLongPause;
  if (read_to_.empty() && !co_await find_end()) co_return kLongPause;
  const auto news = co_await redis_.command({"XREAD", "COUNT", kMostRead, "STREAMS", kKey, read_to_});
  // [[key, entries]], or nil if there are none.
  if (news.kind != Reply::Kind::array || news.items.empty() || news.items[0].items.size() != 2) co_return kPause;
  const auto& entries = news.items[0].items[1].items;
  for (const auto& entry : entries) {
    const auto* value = value_of(entry);
    if (!value) continue;
    read_to_ = entry.items[0].text;
    if (const auto presence = model::from_json<Presence>(value->text)) tell_here(*presence);
  }
  co_return entries.empty() ? kPause : 0ms;
}

}  // namespace parley::conversations::presence
