// Control's inbound messages, statuses, changes of accounts, and their webhooks.
#include <algorithm>
#include <boost/describe/class.hpp>
#include <boost/json/serialize.hpp>

#include "common/http/query.hpp"
#include "tests/simulator/control.hpp"
#include "tests/simulator/messages.hpp"
#include "tests/simulator/signing.hpp"

namespace parley::simulator {

namespace json = boost::json;

struct NewInbound {
  std::optional<std::string> phoneNumberId, from, userId, profileName, text;
};
BOOST_DESCRIBE_STRUCT(NewInbound, (), (phoneNumberId, from, userId, profileName, text))

struct NewStatus {
  std::string messageId, status;
  std::optional<std::string> phoneNumberId, recipient, opaque;
  std::optional<model::RawJson> timestamp, errors;
};
BOOST_DESCRIBE_STRUCT(NewStatus, (), (messageId, status, phoneNumberId, recipient, opaque, timestamp, errors))

struct NewChange {
  std::optional<std::string> businessAccountId, phoneNumberId;
  std::string field;
  model::RawJson value;
};
BOOST_DESCRIBE_STRUCT(NewChange, (), (businessAccountId, phoneNumberId, field, value))

struct NewTemplate {
  std::optional<std::string> id, name, language, businessAccountId, status, category, reason, quality;
  std::optional<bool> told;
  std::optional<model::RawJson> components;
};
BOOST_DESCRIBE_STRUCT(NewTemplate, (),
                      (id, name, language, businessAccountId, status, category, reason, quality, told, components))

struct Preference {
  std::optional<std::string> user, value;
};
BOOST_DESCRIBE_STRUCT(Preference, (), (user, value))

struct WebhookQuery {
  std::optional<std::string> url;
  std::optional<std::int64_t> limit;
};
BOOST_DESCRIBE_STRUCT(WebhookQuery, (), (url, limit))

struct MediaQuery {
  std::optional<std::string> id;
};
BOOST_DESCRIBE_STRUCT(MediaQuery, (), (id))

namespace {

std::string seconds_now() { return std::to_string(now_ms() / 1000); }

struct User {
  std::string phone, id, name;

  explicit User(const NewInbound& given)
      : phone(digits_of(given.from.value_or(""))), id(given.userId.value_or("")), name(given.profileName.value_or("")) {
    http::Faults faults;
    if (given.from && phone.empty()) faults.add("/from", "must be a phone number");
    if (!given.from && id.empty()) faults.add("/from", "is required, or else userId");
    if (id.size() > 131) faults.add("/userId", "must have at most 131 characters");
    faults.throw_if_any();
    if (name.empty()) name = "User " + key().substr(key().size() - std::min<std::size_t>(4, key().size()));
  }
  const std::string& key() const { return phone.empty() ? id : phone; }

  std::string contact() const {
    json::object out{{"profile", {{"name", name}}}};
    if (!phone.empty()) out["wa_id"] = phone;
    if (!id.empty()) out["user_id"] = id;
    return json::serialize(out);
  }
};

void describe_file(json::object& message, const MediaStore& store) {
  for (const auto* type : {"image", "video", "audio", "document", "sticker"}) {
    auto* part = message.if_contains(type);
    if (!part || !part->is_object()) continue;
    auto& file = part->get_object();
    const auto* id = file.if_contains("id");
    const auto* known = id && id->is_string() ? store.find(id->get_string()) : nullptr;
    if (!known) continue;
    file.emplace("mime_type", known->mime_type);
    file.emplace("sha256", to_base64(sha256(*known->octets)));
  }
}

// Adds the members common to all messages, unless given.
json::object whole(const json::object& given, const User& user, Accepted& ids) {
  json::object out;
  if (!user.phone.empty()) out["from"] = user.phone;
  if (!user.id.empty()) out["from_user_id"] = user.id;
  if (!given.contains("id")) out["id"] = ids.new_inbound_id(user.key());
  if (!given.contains("timestamp")) out["timestamp"] = seconds_now();
  for (const auto& [name, value] : given) out[name] = value;
  return out;
}

json::array messages_of(const json::value& body, const std::optional<std::string>& text) {
  if (text) return {json::object{{"type", "text"}, {"text", {{"body", *text}}}}};
  http::Faults faults;
  const auto* messages = body.as_object().if_contains("messages");
  if (!messages || !messages->is_array() || messages->get_array().empty())
    faults.add("/messages", "must be an array of messages, unless there is a text");
  else
    for (std::size_t i = 0; i < messages->get_array().size(); ++i)
      if (!messages->get_array()[i].is_object()) faults.add("/messages/" + std::to_string(i), "must be an object");
  faults.throw_if_any();
  return messages->get_array();
}

}  // namespace

const PhoneNumber& Control::number_of(const std::optional<std::string>& id) const {
  const auto found = state_.numbers.find(id.value_or(state_.settings.phone_number_id));
  if (found == state_.numbers.end())
    throw http::Problem(
        {.status = 404, .detail = "there is no such phone number: make it by POST /simulator/accounts"});
  return found->second;
}

void Control::tell(News news) {
  if (!webhooks_.tell(std::move(news)))
    throw http::Problem({.status = 503, .detail = "too much waits to be told", .head = "Retry-After: 1\r\n"});
}

http::Response Control::inbound(const Asked& asked) {
  const auto given = read_control<NewInbound>(asked.body);
  const auto& number = number_of(given.phoneNumberId);
  const User user(given);
  json::array ids;
  for (const auto& each : messages_of(http::parse_body(asked.body), given.text)) {
    auto message = whole(each.get_object(), user, state_.accepted);
    describe_file(message, state_.media);
    ids.push_back({{"id", message.at("id")}});
    // System messages have no sender, and open no window.
    const auto* type = message.if_contains("type");
    const bool is_users = !type || *type != "system";
    if (is_users && !state_.windows.open(number.id, user.key(), now_ms()))
      throw http::Problem({.status = 503, .detail = "too many users wrote in the last 24 hours"});
    tell({News::Kind::message, number.business_account_id, number.id, "messages", is_users ? user.contact() : "",
          json::serialize(message)});
  }
  return control_answer(json::serialize(json::object{{"messages", ids}}));
}

http::Response Control::status(const Asked& asked) {
  const auto given = read_control<NewStatus>(asked.body);
  const auto known = state_.accepted.find(given.messageId);
  std::string recipient = digits_of(given.recipient.value_or("")), opaque = given.opaque.value_or("");
  if (recipient.empty()) recipient = given.recipient.value_or("");
  auto number_id = given.phoneNumberId;
  if (known) {
    const auto message = state_.accepted.at(*known);
    if (recipient.empty()) recipient = message.recipient;
    if (opaque.empty()) opaque = message.opaque;
    if (!number_id) number_id = state_.number_ids[message.number];
  }
  const auto& number = number_of(number_id);
  std::string out = "{\"id\":";
  model::write(out, given.messageId);
  out += ",\"status\":";
  model::write(out, given.status);
  out += ",\"timestamp\":" + (given.timestamp ? given.timestamp->text : "\"" + seconds_now() + "\"");
  if (!recipient.empty()) {
    out +=
        recipient.find_first_not_of("0123456789") == recipient.npos ? ",\"recipient_id\":" : ",\"recipient_user_id\":";
    model::write(out, recipient);
  }
  if (!opaque.empty()) {
    out += ",\"biz_opaque_callback_data\":";
    model::write(out, opaque);
  }
  if (given.errors) out += ",\"errors\":" + given.errors->text;
  tell({News::Kind::status, number.business_account_id, number.id, "messages", "", out + "}"});
  return http::no_content();
}

http::Response Control::change(const Asked& asked) {
  auto given = read_control<NewChange>(asked.body);
  News news{News::Kind::change, given.businessAccountId.value_or(state_.settings.business_account_id), ""};
  news.field = given.field;
  news.json = given.value.text;
  http::Faults faults;
  if (given.field.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") != std::string::npos || given.field.empty())
    faults.add("/field", "must be lower-case letters and underscores");
  faults.throw_if_any();
  const auto short_form = given.field == "user_preferences" ? read_control<Preference>(given.value.text) : Preference{};
  if (short_form.user && short_form.value) {
    const auto& number = number_of(given.phoneNumberId);
    news.business_account_id = number.business_account_id;
    const auto user = digits_of(*short_form.user);
    if (user.empty()) throw http::Problem({.status = 400, .detail = "the user must be a phone number"});
    news.json = json::serialize(json::object{
        {"messaging_product", "whatsapp"},
        {"metadata",
         {{"display_phone_number", digits_of(number.display_phone_number)}, {"phone_number_id", number.id}}},
        {"contacts", {{{"profile", {{"name", "User " + user.substr(user.size() - 4)}}}, {"wa_id", user}}}},
        {"user_preferences",
         {{{"wa_id", user},
           {"detail", "User requested to " + *short_form.value + " marketing messages"},
           {"category", "marketing_messages"},
           {"value", *short_form.value},
           {"timestamp", now_ms() / 1000}}}}});
  }
  tell(std::move(news));
  return http::no_content();
}

http::Response Control::make_template(const Asked& asked) {
  const auto given = read_control<NewTemplate>(asked.body);
  const auto account = given.businessAccountId.value_or(state_.settings.business_account_id);
  const auto* known = given.id ? state_.templates.find(*given.id)
                               : state_.templates.find(account, given.name.value_or(""), given.language.value_or(""));
  const bool is_named = given.name && given.language && state_.accounts.contains(account);
  if (given.id ? !known : !is_named)
    throw http::Problem({.status = 404, .detail = "there is no such account or template"});
  const auto old = known ? std::optional(*known) : std::nullopt;
  Template made = old.value_or(Template{});
  if (!old) {
    made.business_account_id = account;
    made.name = *given.name;
    made.language = *given.language;
  }
  made.status = given.status.value_or(old ? old->status : "PENDING");
  made.category = given.category.value_or(old ? old->category : "UTILITY");
  made.quality = given.quality.value_or(made.quality);
  made.rejected_reason = made.status == "REJECTED" ? given.reason.value_or("INVALID_FORMAT") : "";
  if (given.components) {
    const auto components = http::parse_body(given.components->text);
    const bool are_objects =
        components.is_array() && std::all_of(components.get_array().begin(), components.get_array().end(),
                                             [](const auto& each) { return each.is_object(); });
    if (!are_objects) throw http::Problem({.status = 400, .detail = "components must be an array of objects"});
    made.components = components.get_array();
  }
  const auto& kept = state_.templates.add(std::move(made));
  const bool is_silent = given.quality || given.category;
  if (given.told.value_or(true))
    tell_template(kept, old, given.status || !old || !is_silent, given.reason.value_or(""));
  return control_answer(json::serialize(kept.to_json()));
}

void Control::tell_template(const Template& kept, const std::optional<Template>& old, bool with_status,
                            const std::string& reason) {
  const json::object about{{"message_template_id", std::stoll(kept.id)},
                           {"message_template_name", kept.name},
                           {"message_template_language", kept.language}};
  const auto add = [&](std::string field, json::object more) {
    for (const auto& [name, value] : about) more[name] = value;
    tell({News::Kind::change, kept.business_account_id, "", std::move(field), "", json::serialize(more)});
  };
  if (with_status) {
    json::object status{{"event", kept.status},
                        {"reason", kept.rejected_reason.empty() ? "NONE" : kept.rejected_reason},
                        {"message_template_category", kept.category}};
    if (kept.status == "PAUSED")
      status["other_info"] = {{"title", "FIRST_PAUSE"},
                              {"description", reason.empty() ? "Paused for 3 hours" : reason}};
    add("message_template_status_update", std::move(status));
  }
  if (old && old->quality != kept.quality)
    add("message_template_quality_update",
        {{"previous_quality_score", old->quality}, {"new_quality_score", kept.quality}});
  if (old && old->category != kept.category)
    add("template_category_update", {{"previous_category", old->category}, {"new_category", kept.category}});
}

http::Response Control::add_media(const Asked& asked) {
  const auto& media = state_.media.add(std::string(asked.content_type), std::string(asked.body));
  return control_answer(json::serialize(json::object{{"id", media.id}}));
}

http::Response Control::forget_media(const Asked& asked) {
  if (!state_.media.remove(http::read_query<MediaQuery>(asked.query).id.value_or("")))
    throw http::Problem({.status = 404, .detail = "there is no file with this id"});
  return control_answer("{}");
}

awaitable<http::Response> Control::post_webhook(const Asked& asked) {
  const auto query = http::read_query<WebhookQuery>(asked.query);
  const auto response =
      co_await webhooks_.post(query.url.value_or(state_.behaviour.webhook_url), std::string(asked.body));
  co_return control_answer(json::serialize(json::object{{"status", response.status}, {"body", response.body}}));
}

http::Response Control::show_webhooks(const Asked& asked) {
  const auto query = http::read_query<WebhookQuery>(asked.query);
  json::array all;
  if (query.limit.value_or(1) > 0)
    for (const auto& each : webhooks_.kept())
      all.push_back({{"url", each.url},
                     {"status", each.status},
                     {"attempt", each.attempt},
                     {"elements", each.elements},
                     {"signature", each.signature},
                     {"body", each.body}});
  const auto& counts = webhooks_.counts();
  return control_answer(json::serialize(json::object{{"pending", webhooks_.pending()},
                                                     {"delivered", counts.delivered},
                                                     {"failed", counts.failed},
                                                     {"givenUp", counts.given_up},
                                                     {"webhooks", all}}));
}

http::Response Control::clear_webhooks(const Asked&) {
  webhooks_.clear();
  return http::no_content();
}

}  // namespace parley::simulator
