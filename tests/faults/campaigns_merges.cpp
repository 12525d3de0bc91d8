#include "tests/faults/campaigns_merges.hpp"

#include <algorithm>
#include <boost/json/serialize.hpp>

namespace parley::faults {

namespace json = boost::json;

namespace {

constexpr int kRate = 1;  // messages a second, so that pairs are merged before, between and after their messages

}  // namespace

Merges::Merges(e2e::CampaignScene& scene, Connect connect, int first, int pairs)
    : scene_(scene), connect_(std::move(connect)) {
  for (int n = first; n < first + pairs; ++n)
    pairs_.push_back({"DE.Person" + std::to_string(n), e2e::CampaignScene::number(n)});
  // Recipients come in the order in which their contacts were made: of half of the pairs the user id comes first.
  const auto half = pairs_.begin() + pairs / 2;
  auto strangers = make_strangers({pairs_.begin(), half});
  const auto list = scene_.import_list("pairs", first, pairs);
  for (auto& id : make_strangers({half, pairs_.end()})) strangers.push_back(std::move(id));
  const auto added =
      scene_.client().post("/api/lists/" + list + "/contacts", json::serialize(json::object{{"add", strangers}}));
  REQUIRE_MESSAGE(added.status == 200, added.body);
  auto campaign = scene_.template_campaign({list}, "greeting", {{"1", "{{name|there}}"}, {"2", "{{order|nothing}}"}});
  campaign["messagesPerSecond"] = kRate;
  campaign_ = scene_.make(campaign);
}

// Contacts are known by a user id alone once such users have written. Returns the contacts' ids.
json::array Merges::make_strangers(std::span<const Pair> pairs) {
  for (const auto& pair : pairs)
    scene_.channel().simulator(
        "POST", "/simulator/inbound",
        {{"phoneNumberId", scene_.channel().phone_number_id()}, {"userId", pair.user_id}, {"text", "Hello"}});
  json::array ids;
  for (const auto& pair : pairs) {
    std::string id;
    e2e::wait_for("a contact is known by its user id", [&] {
      id = connect_("contacts")
               ->value("SELECT id FROM contact WHERE organization_id = $1 AND channel_user_id = $2",
                       {scene_.channel().organization(), pair.user_id});
      return !id.empty();
    });
    ids.emplace_back(id);
  }
  return ids;
}

bool Merges::is_for(const std::string& recipient) const {
  return std::any_of(pairs_.begin(), pairs_.end(),
                     [&](const Pair& pair) { return recipient == pair.user_id || recipient == pair.number; });
}

// Noted before a merge is forgotten: then the recipient may lose its number.
void Merges::note_targets(Pair& pair) {
  if (!pair.messages.empty()) return;
  pair.messages =
      connect_("conversations")
          ->value("SELECT array_agg(message_id) FROM target WHERE campaign_id = $1 AND recipient IN ($2, $3)",
                  {campaign_, pair.user_id, "+" + pair.number});
}

// What surely was not taken by the channel keeps nobody back: the other recipient is written to then.
std::int64_t Merges::messages_of(const Pair& pair) {
  return connect_("conversations")
      ->number(
          "SELECT count(*) FROM message WHERE organization_id = $1 AND id = ANY ($2) AND (status <> 'Failed' OR "
          "channel_message_id IS NOT NULL OR (error_code IS NULL AND coalesce(error_text, 'unknown') = 'unknown'))",
          {scene_.channel().organization(), pair.messages});
}

// For people.
std::string Merges::story_of(const Pair& pair) {
  return connect_("conversations")
      ->value(
          "SELECT string_agg(concat_ws(' ', created_at, status, status_at, channel_message_id, error_code, "
          "error_text), "
          "'; ' ORDER BY created_at) FROM message WHERE organization_id = $1 AND id = ANY ($2)",
          {scene_.channel().organization(), pair.messages});
}

// What began to be made before it was known may still be made: it is counted when all transactions of that time have
// ended.
bool Merges::merge_next() {
  if (merged_ == pairs_.size()) return false;
  auto& pair = pairs_[merged_++];
  note_targets(pair);
  scene_.channel().simulator("POST", "/simulator/inbound",
                             {{"phoneNumberId", scene_.channel().phone_number_id()},
                              {"userId", pair.user_id},
                              {"from", pair.number},
                              {"text", "It is me"}});
  e2e::wait_for("conversations knows of the merge", [&] {
    return connect_("conversations")
               ->number(
                   "SELECT count(*) FROM target t JOIN merged_contact g ON g.organization_id = t.organization_id AND "
                   "g.contact_id = t.contact_id WHERE t.campaign_id = $1 AND t.recipient IN ($2, $3)",
                   {campaign_, pair.user_id, "+" + pair.number}) == 1;
  });
  const auto writing = connect_("conversations")->value("SELECT pg_snapshot_xmax(pg_current_snapshot())::text");
  e2e::wait_for("transactions from before the merge have ended", [&] {
    return connect_("conversations")
               ->number("SELECT (pg_snapshot_xmin(pg_current_snapshot())::text::int8 >= $1::int8)::int", {writing}) ==
           1;
  });
  pair.made = messages_of(pair);
  return true;
}

std::int64_t Merges::judge(std::map<std::string, std::int64_t>& accepted) {
  std::int64_t all = 0;
  for (auto& pair : pairs_) {
    note_targets(pair);
    CAPTURE(pair.number);
    CAPTURE(pair.made);
    std::int64_t times = 0;
    for (const auto& recipient : {pair.user_id, pair.number}) {
      CHECK(accepted[recipient] <= 1);
      times += accepted[recipient];
      accepted.erase(recipient);
    }
    const auto made = messages_of(pair);
    CHECK_MESSAGE(made <= (pair.made < 0 ? 2 : std::max<std::int64_t>(pair.made, 1)), story_of(pair));
    CHECK_MESSAGE(times <= made, story_of(pair));
    all += times;
  }
  CHECK_EQ(scene_.status(campaign_), "Finished");
  const auto recipients = scene_.recipients(campaign_);
  CHECK_EQ(recipients.size(), 2 * pairs_.size());
  for (const auto& recipient : recipients) {
    const auto& state = recipient.at("state");
    CHECK_MESSAGE((state == "Read" || state == "Failed" || state == "UnDelivered" || state == "Skipped"),
                  json::serialize(recipient));
  }
  scene_.check_adds_up(campaign_);
  return all;
}

}  // namespace parley::faults
