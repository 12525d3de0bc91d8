#include "tests/simulator/messages.hpp"

#include <algorithm>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>

#include "common/model/json.hpp"
#include "tests/simulator/content.hpp"

namespace parley::simulator {

namespace json = boost::json;

namespace {

constexpr std::size_t kMaxOpaqueLength = 512;

std::string_view text_of(const json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  const auto* text = value ? value->if_string() : nullptr;
  return text ? std::string_view(*text) : std::string_view();
}

// CC.ALPHANUMERICS: see the channel's business-scoped user ids.
bool is_user_id(std::string_view text) {
  const auto is_letter_or_digit = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.';
  };
  return text.size() > 3 && text.size() <= 131 && text[2] == '.' && text[0] >= 'A' && text[0] <= 'Z' &&
         text[1] >= 'A' && text[1] <= 'Z' && std::all_of(text.begin(), text.end(), is_letter_or_digit);
}

// A phone number takes precedence over a user id.
std::string recipient_of(const json::object& message) {
  const auto to = text_of(message, "to"), user_id = text_of(message, "recipient");
  if (to.empty() && user_id.empty()) throw Refusal{100, "The parameter to is required."};
  if (to.empty() && !is_user_id(user_id))
    throw Refusal{131009, "Param recipient is not a valid business-scoped user id."};
  if (to.empty()) return std::string(user_id);
  auto digits = digits_of(to);
  if (digits.empty()) throw Refusal{131009, "Param to is not a valid phone number."};
  return digits;
}

struct Buffer {
  std::array<unsigned char, 16 * 1024> octets;
  json::monotonic_resource memory{octets.data(), octets.size()};
};

json::value parse(std::string_view body, Buffer& buffer) {
  boost::system::error_code error;
  auto out = json::parse(body, error, &buffer.memory);
  if (error) out = nullptr;
  return out;
}

http::Response success(const std::string& recipient, std::string_view input, const std::string& id, bool is_template,
                       bool is_user) {
  http::Response response;
  auto& out = response.body;
  out.reserve(256);
  out += "{\"messaging_product\":\"whatsapp\",\"contacts\":[{\"input\":";
  model::write(out, input);
  out.append(is_user ? ",\"user_id\":\"" : ",\"wa_id\":\"").append(recipient).append("\"}],\"messages\":[{\"id\":\"");
  out.append(id).append(is_template ? "\",\"message_status\":\"accepted\"}]}" : "\"}]}");
  return response;
}

}  // namespace

std::string digits_of(std::string_view phone) {
  std::string out;
  for (const char c : phone) {
    if (c >= '0' && c <= '9')
      out += c;
    else if (c != '+' && c != ' ' && c != '-' && c != '(' && c != ')')
      return {};
  }
  return out.size() >= 5 && out.size() <= 15 ? out : std::string();
}

std::string recipient_of(std::string_view body) {
  Buffer buffer;
  const auto value = parse(body, buffer);
  if (!value.is_object()) return {};
  try {
    return recipient_of(value.get_object());
  } catch (const Refusal&) {
    return {};
  }
}

std::string contact_json(std::string_view user, std::string_view name) {
  std::string out = "{\"profile\":{\"name\":";
  model::write(out, name);
  out += user.find_first_not_of("0123456789") == user.npos ? "},\"wa_id\":" : "},\"user_id\":";
  model::write(out, user);
  return out + "}";
}

http::Response Messages::take(const PhoneNumber& number, std::string_view body, std::uint64_t call) {
  Buffer buffer;
  const auto value = parse(body, buffer);
  try {
    if (!value.is_object()) throw Refusal{100, "The body is not a JSON object."};
    const auto& message = value.get_object();
    if (text_of(message, "messaging_product") != "whatsapp")
      throw Refusal{100, "The parameter messaging_product is required."};
    return message.contains("status") ? mark_read(message) : send(number, message, call);
  } catch (const Refusal& refusal) {
    return graph_error(refusal);
  }
}

http::Response Messages::mark_read(const json::object& message) {
  if (text_of(message, "status") != "read") throw Refusal{100, "Param status must be one of {READ}."};
  if (!text_of(message, "message_id").starts_with("wamid."))
    throw Refusal{131009, "Param message_id is no message's id."};
  if (const auto* typing = message.if_contains("typing_indicator"))
    if (!typing->is_object() || text_of(typing->get_object(), "type") != "text")
      throw Refusal{100, "Param typing_indicator['type'] must be one of {TEXT}."};
  http::Response response;
  response.body = "{\"success\":true}";
  return response;
}

void Messages::check_limits(const PhoneNumber& number, std::string_view recipient, bool is_template) {
  const auto& behaviour = state_.behaviour;
  const auto now = now_ms();
  if (behaviour.rate > 0 && !state_.rates.admit(number.id, behaviour.rate, now))
    throw Refusal{130429,
                  "Message failed to send because there were too many messages sent from this phone number in a "
                  "short period of time"};
  if (behaviour.pair_ms > 0 && !state_.pairs.admit(number.id, recipient, behaviour.pair_ms, behaviour.pair_burst, now))
    throw Refusal{131056,
                  "Message failed to send because there were too many messages sent from this phone number to the "
                  "same phone number in a short period of time"};
  if (!is_template && behaviour.service_window && !state_.windows.is_open(number.id, recipient, now))
    throw Refusal{131047,
                  "Message failed to send because more than 24 hours have passed since the customer last replied "
                  "to this number."};
  if (state_.accepted.full())
    throw Refusal{131016, "The simulator can count no more messages: DELETE /simulator/accepted"};
}

http::Response Messages::send(const PhoneNumber& number, const json::object& message, std::uint64_t call) {
  const auto recipient = recipient_of(message);
  const bool is_user = text_of(message, "to").empty();
  if (recipient == digits_of(number.display_phone_number)) throw Refusal{131021, "The recipient is the sender."};
  auto type = text_of(message, "type");
  if (type.empty()) type = "text";
  const auto* const known = std::find(kTypes.begin(), kTypes.end(), type);
  if (known == kTypes.end()) throw Refusal{100, "Param type must be one of the types of messages that are known."};
  const auto opaque = text_of(message, "biz_opaque_callback_data");
  if (opaque.size() > kMaxOpaqueLength)
    throw Refusal{100, "Param biz_opaque_callback_data must be at most 512 characters long."};
  if (const auto* context = message.if_contains("context"))
    if (!context->is_object() || !text_of(context->get_object(), "message_id").starts_with("wamid."))
      throw Refusal{131009, "Param context['message_id'] is no message's id."};
  const bool is_template = type == "template";
  if (is_template) {
    const auto* part = message.if_contains(type);
    if (!part || !part->is_object()) throw Refusal{131008, "Parameter 'template' is mandatory for type 'template'"};
    state_.templates.check(number.business_account_id, part->get_object(), is_user);
  } else {
    check_content(type, message, state_.media);
  }
  check_limits(number, recipient, is_template);

  const auto accepted =
      state_.accepted.add({recipient, opaque, number.number, static_cast<std::uint8_t>(known - kTypes.begin()), call});
  webhooks_.tell_fate(accepted);
  if (!state_.behaviour.reply.empty()) reply(number, accepted);
  return success(recipient, text_of(message, is_user ? "recipient" : "to"), state_.accepted.id_of(accepted),
                 is_template, is_user);
}

// Sends the recipient's reply after the last status.
void Messages::reply(const PhoneNumber& number, std::uint32_t message) {
  const auto& behaviour = state_.behaviour;
  const std::string user(state_.accepted.at(message).recipient);
  const auto delay = behaviour.delay_ms * static_cast<std::int64_t>(behaviour.statuses.size() + 1);
  const auto at = now_ms() + delay;
  News news{News::Kind::message, number.business_account_id, number.id};
  news.contact = contact_json(user, "User " + user.substr(user.size() - 4));
  auto& out = news.json;
  out = "{\"context\":{\"from\":\"" + digits_of(number.display_phone_number) + "\",\"id\":\"" +
        state_.accepted.id_of(message) + "\"},\"";
  out += user.find_first_not_of("0123456789") == user.npos ? "from" : "from_user_id";
  out += "\":\"" + user + "\",\"id\":\"" + state_.accepted.new_inbound_id(user) + "\",\"timestamp\":\"" +
         std::to_string(at / 1000) + "\",\"text\":{\"body\":";
  model::write(out, behaviour.reply);
  out += "},\"type\":\"text\"}";
  state_.windows.open(number.id, user, at);
  webhooks_.tell(std::move(news), delay);
}

}  // namespace parley::simulator
