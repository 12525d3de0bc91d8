#include "conversations/campaigns/requests.hpp"

#include <algorithm>

#include "common/model/keep.hpp"
#include "common/model/text.hpp"
#include "conversations/campaigns/rendering/message.hpp"

namespace parley::conversations::campaigns {

namespace {

constexpr std::size_t kMaxName = 255, kMaxDescription = 2'000, kMaxLabel = 255, kMaxZone = 64, kMaxNumber = 64;
constexpr std::size_t kMaxLists = 100, kMaxTags = 100, kMaxSegments = 10;
constexpr std::size_t kMaxMessageOctets = 32 * 1024;
// seconds; the worker looks only periodically
constexpr std::int64_t kMinLateness = 60, kMaxLateness = 7 * 24 * 60 * 60;
constexpr std::int64_t kMaxRate = 1'000;
constexpr std::int64_t kMaxDelay = 60;  // seconds
constexpr std::string_view kCopy = " (copy)";

void check_between(const char* pointer, const std::optional<std::int64_t>& number, std::int64_t least,
                   std::int64_t most, http::Faults& faults) {
  if (number && (*number < least || *number > most))
    faults.add(pointer, "must be from " + std::to_string(least) + " to " + std::to_string(most));
}

// Checks that each id is given once.
void check_lists(const std::string& pointer, std::optional<std::vector<model::Uuid>>& ids, http::Faults& faults) {
  if (!ids) return;
  if (ids->size() > kMaxLists) faults.add(pointer, "must be at most " + std::to_string(kMaxLists));
  for (std::size_t i = 0; i < ids->size(); ++i)
    if (std::find(ids->begin(), ids->begin() + static_cast<std::ptrdiff_t>(i), (*ids)[i]) !=
        ids->begin() + static_cast<std::ptrdiff_t>(i))
      faults.add(pointer + "/" + std::to_string(i), "is given twice");
}

void check_size(const CampaignBody& body, http::Faults& faults) {
  if (body.message && !model::is_kept_within(*body.message, kMaxMessageOctets))
    faults.add("/message", "must be at most 32 KiB long");
  for (std::size_t i = 0; body.variants && i < body.variants->size(); ++i)
    if (!model::is_kept_within((*body.variants)[i].message, kMaxMessageOctets))
      faults.add("/variants/" + std::to_string(i) + "/message", "must be at most 32 KiB long");
}

void check(CampaignBody& body, http::Faults& faults) {
  if (body.name) faults.check_text("/name", *body.name, 1, kMaxName);
  if (body.description) faults.check_text("/description", *body.description, 0, kMaxDescription);
  if (body.message) rendering::check(*body.message, "/message", faults);
  if (body.variants) rendering::check(*body.variants, "/variants", faults);
  check_size(body, faults);
  check_lists("/listIds", body.listIds, faults);
  check_lists("/excludedListIds", body.excludedListIds, faults);
  check_lists("/segmentIds", body.segmentIds, faults);
  if (body.segmentIds && body.segmentIds->size() > kMaxSegments)
    faults.add("/segmentIds", "must be at most " + std::to_string(kMaxSegments));
  if (body.tags && body.tags->size() > kMaxTags) faults.add("/tags", "must be at most " + std::to_string(kMaxTags));
  for (std::size_t i = 0; body.tags && i < std::min(body.tags->size(), kMaxTags); ++i)
    faults.check_text("/tags/" + std::to_string(i), (*body.tags)[i], 1, kMaxLabel);
  if (body.phoneNumberId) faults.check_text("/phoneNumberId", *body.phoneNumberId, 1, kMaxNumber);
  if (body.scheduledAt && !read_schedule(*body.scheduledAt))
    faults.add("/scheduledAt",
               "must be a date-time, such as 2026-01-31T12:00:00Z, or 2026-01-31T12:00 in the time zone");
  if (body.timezone) faults.check_text("/timezone", *body.timezone, 1, kMaxZone);
  check_between("/allowedLatenessSeconds", body.allowedLatenessSeconds, kMinLateness, kMaxLateness, faults);
  check_between("/messagesPerSecond", body.messagesPerSecond, 1, kMaxRate, faults);
}

// Compares parsed JSON: order and spaces do not matter.
bool same_json(const model::RawJson& a, const model::RawJson& b) {
  if (a == b) return true;
  model::Fault fault;
  auto known_a = model::parse(a.text, fault), known_b = model::parse(b.text, fault);
  if (known_a) rendering::keep_known(*known_a);
  if (known_b) rendering::keep_known(*known_b);
  return known_a == known_b;
}

bool same_variant(const model::CampaignVariant& a, const model::CampaignVariant& b) {
  return a.name == b.name && a.share == b.share && same_json(a.message, b.message);
}

}  // namespace

Filter read_filter(const ListQuery& query) {
  http::Faults faults;
  // Default order: the newest first, or names from A to Z.
  const auto usual = query.sort_by == SortBy::name ? http::Order::asc : http::Order::desc;
  Filter filter{http::read_page_filter(query, usual, faults), query.status, query.list_id, query.tag};
  if (filter.tag) faults.check_text("?tag", *filter.tag, 1, kMaxLabel);
  faults.throw_if_any();
  return filter;
}

awaitable<Changes> read_changes(http::Request& request, bool is_new) {
  http::require_json(request);
  const auto text = co_await request.body();
  const auto json = http::parse_body(text);
  Changes out;
  model::Reader reader(model::Nulls::refused);
  reader.read(json, out.body);
  http::throw_faults(std::move(reader.faults));
  const auto is_null = [&](std::string_view name) {
    const auto* value = json.get_object().if_contains(name);
    return value && value->is_null();
  };
  out.no_phone_number = is_null("phoneNumberId");
  out.no_schedule = is_null("scheduledAt");
  out.no_rate = is_null("messagesPerSecond");
  http::Faults faults;
  if (is_new && !out.body.name) faults.add("/name", "is required");
  if (is_new && !out.body.message) faults.add("/message", "is required");
  check(out.body, faults);
  faults.throw_if_any();
  co_return out;
}

std::chrono::seconds read_delay(const StartBody& body) {
  http::Faults faults;
  check_between("/delaySeconds", body.delaySeconds, 0, kMaxDelay, faults);
  faults.throw_if_any();
  return std::chrono::seconds(body.delaySeconds.value_or(0));
}

std::string read_name(const DuplicateBody& body, const std::string& original) {
  if (!body.name) return std::string(model::first_characters(original, kMaxName - kCopy.size())).append(kCopy);
  http::Faults faults;
  faults.check_text("/name", *body.name, 1, kMaxName);
  faults.throw_if_any();
  return *body.name;
}

std::optional<Schedule> read_schedule(const std::string& text) {
  if (text.size() <= std::string_view("2026-01-31").size()) return std::nullopt;
  if (const auto moment = model::Timestamp::parse(text)) return Schedule{moment, {}};
  for (const auto* rest : {"", ":00"})
    if (model::Timestamp::parse(text + rest + "Z")) return Schedule{std::nullopt, text + rest};
  return std::nullopt;
}

model::Campaign changed(model::Campaign campaign, const Changes& changes) {
  const auto& body = changes.body;
  campaign.name = body.name.value_or(std::move(campaign.name));
  campaign.description = body.description.value_or(std::move(campaign.description));
  campaign.message = body.message.value_or(std::move(campaign.message));
  campaign.variants = body.variants.value_or(std::move(campaign.variants));
  campaign.listIds = body.listIds.value_or(std::move(campaign.listIds));
  campaign.excludedListIds = body.excludedListIds.value_or(std::move(campaign.excludedListIds));
  campaign.segmentIds = body.segmentIds.value_or(std::move(campaign.segmentIds));
  if (body.tags) campaign.tags = changes.tags;
  if (body.phoneNumberId || changes.no_phone_number) campaign.phoneNumberId = body.phoneNumberId;
  if (body.scheduledAt || changes.no_schedule) campaign.scheduledAt = changes.scheduled_at;
  campaign.timezone = body.timezone.value_or(std::move(campaign.timezone));
  campaign.allowedLatenessSeconds = body.allowedLatenessSeconds.value_or(campaign.allowedLatenessSeconds);
  if (body.messagesPerSecond || changes.no_rate) campaign.messagesPerSecond = body.messagesPerSecond;
  return campaign;
}

std::vector<std::string> settled_that_differ(const model::Campaign& a, const model::Campaign& b) {
  std::vector<std::string> out;
  const auto note = [&](bool differs, const char* name) {
    if (differs) out.emplace_back(name);
  };
  note(!same_json(a.message, b.message), "message");
  note(!std::equal(a.variants.begin(), a.variants.end(), b.variants.begin(), b.variants.end(), same_variant),
       "variants");
  note(a.listIds != b.listIds, "listIds");
  note(a.excludedListIds != b.excludedListIds, "excludedListIds");
  note(a.segmentIds != b.segmentIds, "segmentIds");
  note(a.phoneNumberId != b.phoneNumberId, "phoneNumberId");
  note(a.scheduledAt != b.scheduledAt, "scheduledAt");
  note(a.timezone != b.timezone, "timezone");
  note(a.allowedLatenessSeconds != b.allowedLatenessSeconds, "allowedLatenessSeconds");
  return out;
}

}  // namespace parley::conversations::campaigns
