// The bodies of webhooks: entries for accounts, changes for numbers, with messages or statuses in them.
#include <algorithm>

#include "common/model/json.hpp"
#include "tests/simulator/refusal.hpp"
#include "tests/simulator/signing.hpp"
#include "tests/simulator/webhooks.hpp"

namespace parley::simulator {

namespace {

constexpr std::uint32_t kWindow = 24 * 3600;  // seconds

void append_error(std::string& out, std::int64_t code) {
  const auto title = title_of(code);
  out += "{\"code\":" + std::to_string(code) + ",\"title\":";
  model::write(out, title);
  out += ",\"message\":";
  model::write(out, title);
  out += ",\"error_data\":{\"details\":";
  model::write(out, title);
  out += "},\"href\":\"https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/\"}";
}

bool is_digits(std::string_view text) { return text.find_first_not_of("0123456789") == text.npos; }

}  // namespace

std::string Webhooks::compose(const Elements& elements) const {
  std::string out = "{\"object\":\"whatsapp_business_account\",\"entry\":[";
  std::vector<bool> told(elements.size());
  char before = 0;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (told[i]) continue;
    const auto account = account_of(elements[i]);
    std::vector<bool> here(elements.size());
    const auto is_change = [&](std::size_t k) {
      return elements[k].news && elements[k].news->kind == News::Kind::change;
    };
    for (std::size_t k = i; k < elements.size(); ++k)
      if (account_of(elements[k]) == account && (k == i || (!is_change(i) && !is_change(k)))) told[k] = here[k] = true;
    if (before != 0) out += before;
    before = ',';
    out += "{\"id\":\"" + account + "\",\"time\":" + std::to_string(elements[i].at) + ",\"changes\":[";
    append_values(out, elements, here);
    out += "]}";
  }
  out += "]}";
  return to_channel_json(out);
}

// The changes of one account: its own changes singly, messages and statuses grouped by number.
void Webhooks::append_values(std::string& out, const Elements& elements, const std::vector<bool>& here) const {
  const auto kind_of = [](const Element& each) { return each.news ? each.news->kind : News::Kind::status; };
  std::vector<bool> left = here;
  char before = 0;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (!left[i]) continue;
    if (before != 0) out += before;
    before = ',';
    const auto kind = kind_of(elements[i]);
    if (kind == News::Kind::change) {
      out += "{\"value\":" + elements[i].news->json + ",\"field\":\"" + elements[i].news->field + "\"}";
      continue;
    }
    const auto& number = number_of(elements[i]);
    std::vector<const Element*> all;
    for (std::size_t k = i; k < elements.size(); ++k) {
      if (!left[k] || kind_of(elements[k]) != kind || number_of(elements[k]) != number) continue;
      all.push_back(&elements[k]);
      left[k] = false;
    }
    append_value(out, number, kind, all);
  }
}

void Webhooks::append_value(std::string& out, const std::string& number, News::Kind kind,
                            const std::vector<const Element*>& all) const {
  const auto known = state_.numbers.find(number);
  std::string digits;
  if (known != state_.numbers.end())
    for (const char c : known->second.display_phone_number)
      if (c >= '0' && c <= '9') digits += c;
  out += "{\"value\":{\"messaging_product\":\"whatsapp\",\"metadata\":{\"display_phone_number\":\"" + digits +
         "\",\"phone_number_id\":\"" + number + "\"}";
  char before = '[';
  if (kind == News::Kind::message) {
    std::vector<std::string_view> contacts;
    for (const auto* element : all)
      if (const auto& contact = element->news->contact;
          !contact.empty() && std::find(contacts.begin(), contacts.end(), contact) == contacts.end())
        contacts.push_back(contact);
    for (const auto contact : contacts) {
      out += before == '[' ? ",\"contacts\":[" : ",";
      before = ',';
      out += contact;
    }
    if (before != '[') out += ']';
  }
  out += kind == News::Kind::message ? ",\"messages\":" : ",\"statuses\":";
  before = '[';
  for (const auto* element : all) {
    out += before;
    before = ',';
    if (element->news)
      out += element->news->json;
    else
      append_fate(out, *element);
  }
  out += "]},\"field\":\"messages\"}";
}

void Webhooks::append_fate(std::string& out, const Element& element) const {
  const auto message = state_.accepted.at(element.message);
  const auto at = std::to_string(element.at);
  out += "{\"id\":\"" + state_.accepted.id_of(element.message) + "\",\"status\":\"";
  out.append(model::name_of(element.fate)).append("\",\"timestamp\":\"").append(at).append("\",\"");
  out.append(is_digits(message.recipient) ? "recipient_id" : "recipient_user_id").append("\":\"");
  out.append(message.recipient).append("\"");
  if (!message.opaque.empty()) {
    out += ",\"biz_opaque_callback_data\":";
    model::write(out, message.opaque);
  }
  if (element.fate == Fate::failed) {
    out += ",\"errors\":[";
    append_error(out, state_.behaviour.failure);
    out += "]}";
    return;
  }
  const auto conversation = to_hex(sha256(message.recipient)).substr(0, 32);
  out += ",\"conversation\":{\"id\":\"" + conversation + "\"";
  if (element.fate == Fate::sent) out += ",\"expiration_timestamp\":\"" + std::to_string(element.at + kWindow) + "\"";
  out +=
      ",\"origin\":{\"type\":\"service\"}},\"pricing\":{\"billable\":false,\"pricing_model\":\"PMP\","
      "\"category\":\"service\",\"type\":\"free_customer_service\"}}";
}

}  // namespace parley::simulator
