#include "tests/e2e/channel_bed.hpp"

#include <boost/json/serialize.hpp>
#include <chrono>
#include <ctime>
#include <thread>

#include "tests/support/signing.hpp"

namespace parley::e2e {

namespace json = boost::json;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view kBusinessAccount = "100000000000001";

}  // namespace

bool comes_to(const std::function<bool()>& condition) {
  for (const auto end = std::chrono::steady_clock::now() + 60s; !condition();) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(10ms);
  }
  return true;
}

void wait_for(std::string_view what, const std::function<bool()>& condition) {
  if (!comes_to(condition)) FAIL("it never came to this: " << what);
}

Channel::Channel(System& system, const std::string& name, const std::string& phone_number_id)
    : system_(system), owner_(system.create_owner(name + "@example.com", name)), name_(name) {
  connect(phone_number_id);
}

void Channel::connect(const std::string& phone_number_id) {
  phone_number_id_ = phone_number_id;
  // Accounts of the simulator are added to, so that organizations side by side may each have a number.
  simulator("POST", "/simulator/accounts",
            {{"businessAccountId", kBusinessAccount},
             {"phoneNumbers", json::array{{{"id", phone_number_id_}, {"displayPhoneNumber", "+1 555 0100"}}}}});
  const auto answer = client().post(
      "/api/organization/messagingBusinessAccount",
      json::serialize(json::object{
          {"businessAccountId", kBusinessAccount}, {"code", "code-" + name_}, {"phoneNumberId", phone_number_id_}}));
  REQUIRE_EQ(answer.status, 200);
}

json::object Channel::text(const std::string& number, const std::string& wamid, const std::string& text,
                           std::int64_t seconds_ago) {
  return {{"from", number},
          {"id", wamid},
          {"timestamp", std::to_string(std::time(nullptr) - seconds_ago)},
          {"type", "text"},
          {"text", {{"body", text}}}};
}

json::object Channel::status(const std::string& wamid, std::string_view status, const std::string& opaque_id) {
  json::object out{{"id", wamid}, {"status", status}, {"timestamp", std::to_string(std::time(nullptr))}};
  if (!opaque_id.empty()) out["biz_opaque_callback_data"] = opaque_id;
  return out;
}

std::string Channel::body(json::array messages, json::array statuses, json::array contacts) const {
  json::object value{{"messaging_product", "whatsapp"},
                     {"metadata", {{"display_phone_number", "15550100"}, {"phone_number_id", phone_number_id_}}}};
  if (!messages.empty()) value["messages"] = std::move(messages);
  if (!statuses.empty()) value["statuses"] = std::move(statuses);
  if (!contacts.empty()) value["contacts"] = std::move(contacts);
  const json::object change{{"field", "messages"}, {"value", value}};
  return json::serialize(
      json::object{{"object", "whatsapp_business_account"},
                   {"entry", json::array{{{"id", kBusinessAccount}, {"changes", json::array{change}}}}}});
}

std::string Channel::signature_of(std::string_view body) { return support::hub_signature(System::app_secret(), body); }

unsigned Channel::post(const std::string& body, const std::string& signature, std::size_t gateway) const {
  try {
    support::Wire wire(system_.gateway(gateway).port());
    wire.send(support::request_text("POST", "/webhooks/messaging",
                                    {{"Content-Type", "application/json"}, {"X-Hub-Signature-256", signature}}, body));
    const auto answer = wire.read();
    return answer ? answer->status : 0;
  } catch (const std::runtime_error&) {
    return 0;  // cut off: the channel tries again
  }
}

bool Channel::try_to_deliver(const std::string& body, std::size_t gateway) const {
  const auto signature = signature_of(body);
  return comes_to([&] { return post(body, signature, gateway) == 200; });
}

void Channel::deliver(const std::string& body, std::size_t gateway) const {
  if (!try_to_deliver(body, gateway)) FAIL("a webhook is never answered 200");
}

json::value Channel::contact(const std::string& number) {
  const auto id =
      system_.sql("contacts")
          .value("SELECT id FROM contact WHERE organization_id = $1 AND phone = $2", {organization(), "+" + number});
  return id.empty() ? nullptr : client().get("/api/contacts/" + id).json().at("contact");
}

json::value Channel::conversation(const std::string& number) {
  const auto found = contact(number);
  if (found.is_null()) return nullptr;
  const auto id = system_.sql("conversations")
                      .value(
                          "SELECT id FROM conversation WHERE organization_id = $1 AND contact_id = $2 AND status = "
                          "'Active'",
                          {organization(), found.at("uniqueId").as_string().c_str()});
  return id.empty() ? nullptr : client().get("/api/conversation/" + id).json().at("conversation");
}

std::int64_t Channel::messages_of(const std::string& conversation_id) {
  return system_.sql("conversations")
      .number("SELECT count(*) FROM message WHERE organization_id = $1 AND conversation_id = $2",
              {organization(), conversation_id});
}

json::value Channel::simulator(const std::string& method, const std::string& target, const json::value& body) const {
  support::Wire wire(system_.simulator().port());
  wire.send(support::request_text(method, target, {{"Content-Type", "application/json"}},
                                  body.is_null() ? "" : json::serialize(body)));
  const auto answer = wire.read();
  REQUIRE(answer);
  REQUIRE_MESSAGE(answer->status < 300, target << ": " << answer->body);
  return answer->body.empty() ? json::value(nullptr) : answer->json();
}

}  // namespace parley::e2e
