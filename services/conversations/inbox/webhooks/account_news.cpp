#include "conversations/inbox/webhooks/account_news.hpp"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "common/channel/limits.hpp"
#include "common/model/keep.hpp"
#include "common/model/text.hpp"
#include "conversations/inbox/webhooks/content.hpp"

namespace parley::conversations::webhooks {

namespace json = boost::json;
using events::NoticeSeverity;

namespace {

constexpr std::size_t kMaxWordLength = 255, kMaxDetailLength = 1'000;  // octets

template <std::size_t count>
bool is_one_of(std::string_view word, const std::array<std::string_view, count>& words) {
  return std::ranges::find(words, word) != words.end();
}

// Sending fails, or is about to.
constexpr std::array<std::string_view, 7> kCritical{
    "DISABLED_UPDATE",         "ACCOUNT_DELETED", "ACCOUNT_RESTRICTION", "PARTNER_REMOVED",
    "PARTNER_APP_UNINSTALLED", "REJECTED",        "ACCOUNT_OFFBOARDED"};
constexpr std::array<std::string_view, 3> kWarnings{"ACCOUNT_VIOLATION", "FLAGGED", "DOWNGRADE"};

NoticeSeverity severity_of(std::string_view event, const json::object& value, const json::object* alert) {
  auto given = text_of(alert ? *alert : value, "alert_severity");
  if (given == "CRITICAL") return NoticeSeverity::Critical;
  if (given == "WARNING") return NoticeSeverity::Warning;
  const auto* ban = object_of(value, "ban_info");
  if (ban && text_of(*ban, "waba_ban_state") == "REINSTATE") return NoticeSeverity::Information;
  if (is_one_of(event, kCritical)) return NoticeSeverity::Critical;
  return is_one_of(event, kWarnings) ? NoticeSeverity::Warning : NoticeSeverity::Information;
}

class Detail {
 public:
  void add(const json::object* object, std::string_view key) {
    const auto text = object ? text_of(*object, key) : std::string();
    if (!text.empty()) text_.append(text_.empty() ? "" : ", ").append(text);
  }
  void add_each(const json::object& object, std::string_view list, std::string_view key) {
    if (const auto* items = array_of(object, list))
      for (const auto& item : *items) add(item.if_object(), key);
  }
  std::string text() const { return std::string(model::first_octets(text_, kMaxDetailLength)); }

 private:
  std::string text_;
};

std::string word_of(std::string text) {
  text.resize(model::first_octets(text, kMaxWordLength).size());
  return text;
}

std::string kept(const json::object& value) {
  return model::kept_size(value) > cloud_api::kLargestKept ? "{}" : json::serialize(value);
}

}  // namespace

bool is_about_account(std::string_view field) {
  static constexpr std::array<std::string_view, 7> fields{
      "account_update",        "account_alerts", "phone_number_quality_update", "business_capability_update",
      "account_review_update", "security",       "phone_number_name_update"};
  return is_one_of(field, fields);
}

notices::News read_account_news(const std::string& field, const json::object& value) {
  const auto* alert = object_of(value, "alert_info");
  auto event = text_of(value, "event");
  for (const auto* key : {"alert_type", "decision"})
    if (event.empty()) event = text_of(alert ? *alert : value, key);
  Detail detail;
  detail.add(object_of(value, "ban_info"), "waba_ban_state");
  detail.add(object_of(value, "ban_info"), "waba_ban_date");
  detail.add(object_of(value, "violation_info"), "violation_type");
  detail.add_each(value, "restriction_info", "restriction_type");
  detail.add(alert ? alert : &value, "alert_description");
  for (const auto* key : {"current_limit", "rejection_reason", "max_daily_conversation_per_phone",
                          "max_daily_conversations_per_business"})
    detail.add(&value, key);
  notices::News out;
  out.kind = field;
  out.severity = severity_of(event, value, alert);
  out.event = word_of(std::move(event));
  out.detail = detail.text();
  auto number = text_of(value, "display_phone_number");
  if (number.empty()) number = text_of(value, "phone_number");
  if (!number.empty()) out.phone_number = word_of(std::move(number));
  out.data = kept(value);
  return out;
}

bool is_about_template(std::string_view field) {
  static constexpr std::array<std::string_view, 4> fields{
      "message_template_status_update", "message_template_quality_update", "message_template_components_update",
      "template_category_update"};
  return is_one_of(field, fields);
}

templates::Report read_template_report(std::string_view field, const json::object& value) {
  templates::Report out;
  out.template_id = text_of(value, "message_template_id");
  if (field == "message_template_quality_update") out.quality = word_of(text_of(value, "new_quality_score"));
  if (field == "template_category_update") out.category = word_of(text_of(value, "new_category"));
  if (field != "message_template_status_update") return out;
  out.status = word_of(text_of(value, "event"));
  out.reason = text_of(value, "reason");
  if (out.reason == "NONE") out.reason.clear();
  // Why it is paused.
  if (const auto* info = object_of(value, "other_info"); info && out.reason.empty())
    out.reason = text_of(*info, "description");
  out.reason.resize(model::first_octets(out.reason, kMaxDetailLength).size());
  return out;
}

notices::News read_error_news(const json::object& error) {
  Detail detail;
  detail.add(&error, "title");
  if (detail.text().empty()) detail.add(&error, "message");
  detail.add(object_of(error, "error_data"), "details");
  notices::News out;
  out.kind = "errors";
  out.event = word_of(text_of(error, "code"));
  out.severity = NoticeSeverity::Warning;
  out.detail = detail.text();
  out.data = kept(error);
  return out;
}

}  // namespace parley::conversations::webhooks
