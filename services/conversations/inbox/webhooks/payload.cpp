#include "conversations/inbox/webhooks/payload.hpp"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "common/model/json.hpp"
#include "conversations/inbox/webhooks/account_news.hpp"
#include "conversations/inbox/webhooks/content.hpp"
#include "conversations/inbox/webhooks/elements.hpp"

namespace parley::conversations::webhooks {

namespace json = boost::json;

namespace {

class Reading {
 public:
  Reading(model::Timestamp latest, Payload& payload) : latest_(latest), payload_(payload) {}

  void read(const json::object& entry, const json::object& change) {
    const auto field = text_of(change, "field");
    const auto* value = object_of(change, "value");
    Element element;
    element.field = field;
    element.place = {&entry, &change, {}, nullptr, nullptr};
    element.business_account_id = text_of(entry, "id");
    const auto* metadata = value ? object_of(*value, "metadata") : nullptr;
    if (metadata) element.phone_number_id = text_of(*metadata, "phone_number_id");
    if (value && field == "messages") {
      read_list(*value, "messages", "message", element);
      read_list(*value, "statuses", "status", element);
      read_list(*value, "errors", "change", element);
    } else if (value && field == "user_preferences") {
      read_list(*value, "user_preferences", "change", element);
    } else if (value && field == "smb_message_echoes") {
      read_list(*value, "message_echoes", "message", element);
    } else if (value && field == "history") {
      read_history(*value, element);
    } else if (value && field == "calls") {
      read_list(*value, "calls", "message", element);
      if (value->contains("statuses")) ++payload_.passed_over["call status"];
    } else if (value && field == "user_id_update") {
      read_list(*value, "user_id_update", "change", element);
    } else if (value && is_about_account(field)) {
      element.kind = "change";
      element.what = address(read_account_news(field, *value), *value, element);
      payload_.elements.push_back(std::move(element));
    } else if (value && is_about_template(field)) {
      element.kind = "change";
      auto report = read_template_report(field, *value);
      report.business_account_id = element.business_account_id;
      report.at = moment_of(entry, "time", latest_);
      element.what = std::move(report);
      payload_.elements.push_back(std::move(element));
    } else {
      ++payload_.passed_over["other"];  // field names would be metric labels without a bound
    }
  }

 private:
  // The time and the key of an account's news: the channel says when it sent them, and sends the same again.
  notices::News address(notices::News news, const json::object& content, const Element& element) const {
    const auto& entry = *element.place.entry;
    news.at = moment_of(entry, "time", latest_);
    news.business_account_id = element.business_account_id;
    news.key = key_of({}, json::object{{"account", element.business_account_id},
                                       {"number", element.phone_number_id},
                                       {"time", text_of(entry, "time")},
                                       {"kind", news.kind},
                                       {"content", content}});
    return news;
  }

  void read_history(const json::object& value, const Element& common) {
    if (const auto* parts = array_of(value, "history"))
      for (const auto& part : *parts) {
        const auto* object = part.if_object();
        const auto* threads = object ? array_of(*object, "threads") : nullptr;
        // Such as that the business does not share it.
        if (object) read_items(value, array_of(*object, "errors"), "errors", "change", common);
        if (!threads) continue;
        for (const auto& thread : *threads)
          if (thread.is_object()) read_thread(value, thread.get_object(), common);
      }
    read_list(value, "messages", "message", common);  // media, which follow their messages
    read_list(value, "errors", "change", common);
  }

  void read_thread(const json::object& value, const json::object& thread, const Element& common) {
    Element of_thread = common;
    of_thread.place.thread = &thread;
    read_items(value, array_of(thread, "messages"), "messages", "message", of_thread);
  }

  void read_list(const json::object& value, std::string_view list, std::string_view kind, const Element& common) {
    read_items(value, array_of(value, list), list, kind, common);
  }

  void read_items(const json::object& value, const json::array* items, std::string_view list, std::string_view kind,
                  const Element& common) {
    if (!items) return;
    const Contacts contacts(value);
    for (const auto& item : *items) {
      Element element = common;
      element.kind = kind;
      element.place.list = list;
      element.place.item = &item;
      if (const auto* object = item.if_object()) {
        if (!read_item(value, contacts, *object, element)) continue;
      } else {
        element.fault = "not an object";
      }
      payload_.elements.push_back(std::move(element));
    }
  }

  bool read_item(const json::object& value, const Contacts& contacts, const json::object& item, Element& element) {
    const auto list = element.place.list;
    if (list == "messages" && element.field == "history")
      read_old(value, contacts, item, latest_, element);
    else if (list == "messages")
      read_message(contacts, item, latest_, element);
    else if (list == "message_echoes")
      read_echo(contacts, item, latest_, element);
    else if (list == "calls")
      read_call(contacts, item, latest_, element);
    else if (list == "user_id_update")
      read_user_id_update(contacts, item, latest_, element);
    else if (list == "errors")
      element.what = address(read_error_news(item), item, element);
    else
      return read_news(contacts, item, element);
    return true;
  }

  bool read_news(const Contacts& contacts, const json::object& item, Element& element) {
    const bool is_status = element.place.list == "statuses";
    const bool taken =
        is_status ? read_status(item, latest_, element) : read_preference(contacts, item, latest_, element);
    if (!taken) ++payload_.passed_over[is_status ? "other status" : "other preference"];
    return taken;
  }

  model::Timestamp latest_;
  Payload& payload_;
};

}  // namespace

std::optional<Payload> read_payload(std::string_view body, model::Timestamp received_at, std::string& fault) {
  model::Fault found;
  auto document = model::parse_leniently(body, found);
  const auto* root = document ? document->if_object() : nullptr;
  const bool has_entries = root && array_of(*root, "entry");
  if (!has_entries) {
    fault = document ? "there is no array of entries" : found.detail;
    return std::nullopt;
  }
  Payload payload;
  payload.document = std::make_unique<json::value>(std::move(*document));
  Reading reading(received_at, payload);
  for (const auto& entry : *array_of(payload.document->get_object(), "entry")) {
    const auto* object = entry.if_object();
    const auto* changes = object ? array_of(*object, "changes") : nullptr;
    if (!changes) continue;
    for (const auto& change : *changes)
      if (change.is_object()) reading.read(*object, change.get_object());
  }
  return payload;
}

namespace {

// The lists of a value, which would copy all other elements.
bool is_list(json::string_view key) {
  static constexpr std::array<json::string_view, 9> lists{"errors",           "messages",       "statuses",
                                                          "user_preferences", "user_id_update", "contacts",
                                                          "message_echoes",   "history",        "calls"};
  return std::find(lists.begin(), lists.end(), key) != lists.end();
}

json::array enclose_thread(const json::object& thread, const json::value& item) {
  json::object alone;
  for (const auto& [key, member] : thread)
    if (key != "messages") alone[key] = member;
  alone["messages"] = json::array{item};
  return {json::object{{"threads", json::array{std::move(alone)}}}};
}

}  // namespace

std::string enclose(const ElementLocation& place) {
  json::object value, change, entry;
  if (const auto* whole = place.change->at("value").if_object())
    for (const auto& [key, member] : *whole)
      if (!place.item || !is_list(key)) value[key] = member;
  if (place.thread)
    value["history"] = enclose_thread(*place.thread, *place.item);
  else if (place.item)
    value[json::string_view(place.list.data(), place.list.size())] = json::array{*place.item};
  if (place.contact) value["contacts"] = json::array{*place.contact};
  change["field"] = place.change->at("field");
  change["value"] = std::move(value);
  for (const auto* key : {"id", "time"})
    if (const auto* member = place.entry->if_contains(key)) entry[key] = *member;
  entry["changes"] = json::array{std::move(change)};
  return json::serialize(
      json::object{{"object", "whatsapp_business_account"}, {"entry", json::array{std::move(entry)}}});
}

}  // namespace parley::conversations::webhooks
