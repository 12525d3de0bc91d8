// Webhooks' bodies, whatever is in them: an element that is set aside reads as it did, what is told of people is fit
// for the database, and signatures do not depend on how a body arrives.
#include <boost/json/serialize.hpp>

#include "common/channel/signature.hpp"
#include "common/model/text.hpp"
#include "conversations/inbox/webhooks/payload.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace parley;
using namespace parley::conversations::webhooks;

namespace {

constexpr model::Timestamp kNow{1'800'000'000'000};

std::string describe(const Element& element) {
  const auto& sender = element.sender;
  std::string out = element.field + "|" + element.kind + "|" + element.business_account_id + "|" +
                    element.phone_number_id + "|" + sender.phone + "|" + sender.user_id + "|" + sender.name + "|" +
                    sender.former_phone + "|" + sender.former_user_id + "|" + element.fault + "|" +
                    std::to_string(element.what.index()) + "|";
  if (const auto* message = std::get_if<InboundMessage>(&element.what))
    out += message->channel_id + "|" + message->key + "|" + message->at.text() + "|" +
           std::string(model::name_of(message->type)) + "|" + boost::json::serialize(message->data) + "|" +
           message->refers_to + "|" + message->word + "|" + message->other_word;
  if (const auto* alteration = std::get_if<Alteration>(&element.what))
    out += alteration->target + "|" + alteration->data + "|" + alteration->at.text();
  if (const auto* report = std::get_if<StatusReport>(&element.what))
    out += report->channel_id + "|" + report->message_id.value_or(model::Uuid{}).text() + "|" +
           std::string(model::name_of(report->status)) + "|" + report->at.text() + "|" +
           std::to_string(report->error_code.value_or(0)) + "|" + report->error_text;
  if (const auto* news = std::get_if<conversations::notices::News>(&element.what))
    out += news->key + "|" + news->kind + "|" + news->event + "|" + news->detail + "|" + news->data + "|" +
           news->phone_number.value_or("") + "|" + news->at.text();
  if (const auto* preference = std::get_if<Preference>(&element.what))
    out += std::to_string(preference->opted_out) + preference->at.text();
  if (const auto* report = std::get_if<conversations::templates::Report>(&element.what))
    out += report->business_account_id + "|" + report->template_id + "|" + report->status + "|" + report->reason + "|" +
           report->quality + "|" + report->category + "|" + report->at.text();
  return out;
}

void check(const Element& element) {
  const auto text = describe(element);
  MUST(model::count_characters(text) && text.find('\0') == text.npos);
  MUST(element.sender.name.size() <= 255);
  std::string fault;
  const auto alone = read_payload(enclose(element.place), kNow, fault);
  MUST(alone && alone->elements.size() == 1);
  MUST_EQUAL(describe(alone->elements.front()), text);
  if (const auto* message = std::get_if<InboundMessage>(&element.what))
    MUST(message->at <= kNow && message->at.milliseconds_since_epoch > 0 && !message->key.empty());
}

void check_signature(std::string_view body, std::size_t piece) {
  cloud_api::SignatureCheck whole({"one", "two"}), cut({"one", "two"});
  whole.add(body);
  const auto field = body.substr(0, body.find('\n'));
  for (std::size_t at = 0; at < body.size(); at += piece) cut.add(body.substr(at, piece));
  MUST(whole.matches(field) == cut.matches(field));
}

}  // namespace

FUZZ(webhook_payloads) {
  const auto piece = 1 + input.choice(64);
  const auto body = input.rest();
  check_signature(body, piece);
  std::string fault;
  const auto payload = read_payload(body, kNow, fault);
  if (!payload) MUST(!fault.empty());
  if (payload)
    for (const auto& element : payload->elements) check(element);
}
