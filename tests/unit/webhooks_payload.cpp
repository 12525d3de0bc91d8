// Webhooks' bodies and signatures, as their sender writes them and as nobody should.
#include <doctest/doctest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "common/channel/signature.hpp"
#include "common/model/json.hpp"
#include "conversations/inbox/optout/store.hpp"
#include "conversations/inbox/optout/words.hpp"
#include "conversations/inbox/webhooks/payload.hpp"
#include "tests/support/signing.hpp"

using namespace parley;
using namespace parley::conversations::webhooks;

namespace {

constexpr model::Timestamp kNow{1'800'000'000'000};

Payload read(const std::string& body) {
  std::string fault;
  auto payload = read_payload(body, kNow, fault);
  CAPTURE(fault);
  REQUIRE(payload.has_value());
  return std::move(*payload);
}

std::string hook(const std::string& value, const std::string& field = "messages") {
  return R"({"object":"whatsapp_business_account","entry":[{"id":"42","time":1,"changes":[{"field":")" + field +
         R"(","value":)" + value + "}]}]}";
}

std::string messages(const std::string& list, const std::string& contacts = "[]") {
  return hook(R"({"metadata":{"phone_number_id":"99"},"contacts":)" + contacts + R"(,"messages":)" + list + "}");
}

Element only(const std::string& body) {
  static std::vector<Payload> kept;  // what elements point into
  kept.push_back(read(body));
  REQUIRE_EQ(kept.back().elements.size(), 1);
  return kept.back().elements.front();
}

InboundMessage message(const std::string& json, const std::string& contacts = "[]") {
  return std::get<InboundMessage>(only(messages("[" + json + "]", contacts)).what);
}

}  // namespace

TEST_SUITE("unit: webhooks") {
  TEST_CASE("a text, and who sent it") {
    const auto element = only(messages(
        R"([{"from":"4915","id":"wamid.x","timestamp":"1769860800","type":"text","text":{"body":"Hi"}}])",
        R"([{"profile":{"name":"Ada"},"wa_id":"1"},{"profile":{"name":"Bo"},"wa_id":"4915","user_id":"DE.7"}])"));
    CHECK_EQ(element.kind, "message");
    CHECK_EQ(element.phone_number_id, "99");
    CHECK_EQ(element.sender.phone + element.sender.user_id + element.sender.name, "+4915DE.7Bo");
    const auto known = only(messages(
        R"([{"from":"491511234567","id":"wamid.x","timestamp":"1769860800","type":"text","text":{"body":"Hi"}}])",
        R"([{"profile":{"name":"Bo"},"wa_id":"491511234567","user_id":"DE.7"}])"));
    CHECK_EQ(known.fault, "");
    CHECK_EQ(known.sender.phone, "+491511234567");
    CHECK_EQ(known.sender.user_id, "DE.7");
    CHECK_EQ(known.sender.name, "Bo");
  }

  TEST_CASE("people without a number, in all the places where their id may be") {
    const auto sender = [](const std::string& json, const std::string& contacts) {
      return only(messages("[" + json + "]", contacts)).sender;
    };
    for (const auto& [json, contacts] : std::vector<std::pair<std::string, std::string>>{
             {R"({"from_user_id":"US.1","type":"text"})", "[]"},
             {R"({"from":"US.1","type":"text"})", "[]"},
             {R"({"type":"text"})", R"([{"user_id":"US.1","profile":{"username":"shy"}}])"}}) {
      CAPTURE(json);
      CHECK_EQ(sender(json, contacts).user_id, "US.1");
      CHECK_EQ(sender(json, contacts).phone, "");
    }
    CHECK_EQ(sender(R"({"from_user_id":"US.1"})", R"([{"user_id":"US.1","profile":{"username":"shy"}}])").name, "shy");
    // Of two people nobody can tell whose it is; what is told of another is not theirs.
    CHECK_EQ(only(messages(R"([{"type":"text"}])", R"([{"wa_id":"491511111111"},{"wa_id":"491522222222"}])")).fault,
             "the message does not say who sent it");
    const auto other =
        sender(R"({"from":"491511111111"})", R"([{"wa_id":"491522222222","user_id":"US.2","profile":{"name":"Bo"}}])");
    CHECK_EQ(other.user_id, "");
    CHECK_EQ(other.name, "");
  }

  TEST_CASE("a user's id that changed, alone or with the number, and in a field of its own") {
    const auto change = [](const std::string& json) {
      const auto read = only(messages("[" + json + "]"));
      CHECK_EQ(read.fault, "");
      const auto& sender = read.sender;
      return sender.phone + " " + sender.user_id + " " + sender.former_phone + " " + sender.former_user_id;
    };
    CHECK_EQ(change(R"({"id":"w","type":"system","system":{"type":"user_changed_user_id","user_id":"US.2",
                        "previous_user_id":"US.1"}})"),
             " US.2  US.1");
    CHECK_EQ(
        change(R"({"from_user_id":"US.1","type":"system","system":{"type":"user_changed_user_id","user_id":"US.2"}})"),
        " US.2  US.1");
    CHECK_EQ(change(R"({"from":"491511111111","type":"system","system":{"type":"user_changed_number",
                        "wa_id":"491522222222","user_id":"US.2","previous_user_id":"US.1"}})"),
             "+491522222222 US.2 +491511111111 US.1");
    CHECK_EQ(
        change(
            R"({"from":"491511111111","type":"system","system":{"type":"user_changed_number","wa_id":"491522222222"}})"),
        "+491522222222  +491511111111 ");
    CHECK_EQ(
        change(R"({"from_user_id":"US.1","type":"system","system":{"type":"user_changed_user_id","user_id":"US.1"}})"),
        " US.1  ");
    const auto field = [](const std::string& update) {
      return only(
          R"({"entry":[{"id":"1","changes":[{"field":"user_id_update","value":{"metadata":{"phone_number_id":"7"},
                      "user_id_update":[)" +
          update + "]}}]}]}");
    };
    const auto read = field(R"({"wa_id":"491511111111","detail":"changed","timestamp":"5",
                                "user_id":{"previous":"US.1","current":"US.2"}})");
    CHECK_EQ(read.sender.phone + read.sender.user_id + read.sender.former_user_id, "+491511111111US.2US.1");
    CHECK_EQ(boost::json::serialize(std::get<InboundMessage>(read.what).data),
             R"({"type":"user_changed_user_id","body":"changed","user_id":"US.2","previous_user_id":"US.1"})");
    CHECK_EQ(only(enclose(read.place)).sender.former_user_id, "US.1");
    CHECK_EQ(field("{}").fault, "the update does not say what the user's id is now");
  }

  TEST_CASE("times are seconds or milliseconds, text or numbers, and never to come") {
    const auto at = [](const std::string& timestamp) {
      return message(R"({"from":"491511111111","timestamp":)" + timestamp + "}").at.milliseconds_since_epoch;
    };
    CHECK_EQ(at("\"1769860800\""), 1'769'860'800'000);
    CHECK_EQ(at("1769860800"), 1'769'860'800'000);
    CHECK_EQ(at("\"1769860800123\""), 1'769'860'800'123);
    for (const auto* bad : {"null", "\"\"", "\"soon\"", "-5", "[]", "1.5", "\"99999999999999999999\"", "2769860800"})
      CHECK_EQ(at(bad), kNow.milliseconds_since_epoch);
  }

  TEST_CASE("what no strict reader takes: keys twice, numbers beyond all bounds, U+0000, halves of pairs, depth") {
    const auto text = message(
        R"({"from":"1","from":"491511111111","id":"a\u0000b","type":"text","text":{"body":"x\ud83d \u0000y","n":1e999,"m":123456789012345678901234567890}})");
    CHECK_EQ(text.channel_id,
             "a\xEF\xBF\xBD"
             "b");
    CHECK_EQ(text.word, "x\xEF\xBF\xBD \xEF\xBF\xBDy");
    const auto odd = message(
        R"({"from":"491511111111","type":"odd","odd":{"n":1e999,"m":123456789012345678901234567890,"a":1,"a":2}})");
    CHECK_EQ(boost::json::serialize(odd.data.at("payload").at("odd")), R"({"n":null,"m":1.2345678901234568E29,"a":2})");
    CHECK_EQ(message("{\"from\":\"491511111111\",\"type\":\"text\",\"text\":{\"body\":\"\xC3(\xFF\"}}").word,
             "\xEF\xBF\xBD(\xEF\xBF\xBD");
    const auto nested = [](int depth) {
      return std::string(static_cast<std::size_t>(depth), '[') + std::string(static_cast<std::size_t>(depth), ']');
    };
    CHECK_EQ(message(R"({"from":"491511111111","type":"odd","odd":)" + nested(50) + "}").type,
             model::MessageType::Unsupported);
    std::string fault;
    for (const auto& body :
         {nested(100'000), std::string(), std::string("[]"), std::string("{}"), std::string(R"({"entry":{}})"),
          hook(nested(80)), std::string(R"({"entry":[])"), std::string("\xEF\xBB\xBF{}")}) {
      fault.clear();
      CHECK_FALSE(read_payload(body, kNow, fault).has_value());
      CHECK_NE(fault, "");
    }
    // Cut off anywhere, or with any octet changed, it is read or refused.
    const auto whole = messages(
        R"([{"from":"491511111111","id":"w","timestamp":"1","type":"image","image":{"id":"\u00e9"},"context":{"id":"c"}}])");
    for (std::size_t i = 0; i < whole.size(); ++i) {
      read_payload(whole.substr(0, i), kNow, fault);
      for (const char octet : {'\0', '"', '{', ']', '9', '\xFF'}) {
        auto changed = whole;
        changed[i] = octet;
        read_payload(changed, kNow, fault);
      }
    }
  }

  TEST_CASE("several entries, changes, messages and statuses; what is of no interest is counted") {
    const auto payload = read(R"({"entry":[
      {"id":"1","changes":[{"field":"messages","value":{"metadata":{"phone_number_id":7},"messages":[{"from":"491511111111"},5],"errors":[{}]}},
                           {"field":"messages","value":{"metadata":{},"statuses":[{"id":"w","status":"sent"},{"id":"w","status":"warning"},{"status":"read"}]}}]},
      {"id":"2","changes":[{"field":"calls","value":{"statuses":[{}]}},{"field":"anything","value":1},{"field":"messages"},
                           {"field":"message_template_status_update","value":{"event":"REJECTED","message_template_id":1689556908129835,"reason":"INVALID_FORMAT"}}]}]})");
    REQUIRE_EQ(payload.elements.size(), 6);
    CHECK_EQ(payload.elements[0].phone_number_id, "7");
    CHECK_EQ(payload.elements[1].fault, "not an object");
    CHECK_EQ(payload.elements[2].kind, "change");
    CHECK_EQ(payload.elements[3].kind, "status");
    CHECK_EQ(payload.elements[4].fault, "the status does not name its message");
    const auto& report = std::get<conversations::templates::Report>(payload.elements[5].what);
    CHECK_EQ(report.business_account_id + report.template_id + report.status + report.reason,
             "21689556908129835REJECTEDINVALID_FORMAT");
    CHECK_EQ(payload.passed_over, std::map<std::string, int>{{"other status", 1}, {"call status", 1}, {"other", 2}});
  }

  TEST_CASE("news of an account: how grave they are, in words, and a key that stays when they come again") {
    const auto news = [](const std::string& field, const std::string& value) {
      const auto body =
          R"({"entry":[{"id":"77","time":1769860800,"changes":[{"field":")" + field + R"(","value":)" + value + "}]}]}";
      const auto element = only(body);
      CHECK_EQ(std::get<conversations::notices::News>(only(enclose(element.place)).what).key,
               std::get<conversations::notices::News>(element.what).key);
      return std::get<conversations::notices::News>(element.what);
    };
    const auto read = [&](const std::string& field, const std::string& value) {
      const auto out = news(field, value);
      CHECK_EQ(out.business_account_id, "77");
      CHECK_EQ(out.at.milliseconds_since_epoch, 1'769'860'800'000);
      return std::string(model::name_of(out.severity)) + " " + out.kind + " " + out.event + ": " + out.detail + ", " +
             out.phone_number.value_or("all");
    };
    CHECK_EQ(
        read(
            "account_update",
            R"({"event":"DISABLED_UPDATE","ban_info":{"waba_ban_state":"SCHEDULE_FOR_DISABLE","waba_ban_date":"May 4"}})"),
        "Critical account_update DISABLED_UPDATE: SCHEDULE_FOR_DISABLE, May 4, all");
    CHECK_EQ(read("account_update", R"({"event":"DISABLED_UPDATE","ban_info":{"waba_ban_state":"REINSTATE"}})"),
             "Information account_update DISABLED_UPDATE: REINSTATE, all");
    CHECK_EQ(
        read(
            "account_update",
            R"({"phone_number":"15550001111","event":"ACCOUNT_RESTRICTION","restriction_info":[{"restriction_type":"A"},{"restriction_type":"B"},7]})"),
        "Critical account_update ACCOUNT_RESTRICTION: A, B, 15550001111");
    CHECK_EQ(
        read(
            "account_alerts",
            R"({"entity_type":"WABA","alert_info":{"alert_severity":"WARNING","alert_type":"T","alert_description":"D"}})"),
        "Warning account_alerts T: D, all");
    CHECK_EQ(read("phone_number_quality_update",
                  R"({"display_phone_number":"15550001111","event":"FLAGGED","current_limit":"TIER_1K"})"),
             "Warning phone_number_quality_update FLAGGED: TIER_1K, 15550001111");
    CHECK_EQ(read("business_capability_update", R"({"max_daily_conversation_per_phone":1000})"),
             "Information business_capability_update : 1000, all");
    CHECK_EQ(read("account_review_update", R"({"decision":"REJECTED"})"),
             "Critical account_review_update REJECTED: , all");
    const auto error = only(hook(
        R"({"metadata":{"phone_number_id":"7"},"errors":[{"code":131042,"title":"Pay","error_data":{"details":"No card"}}]})"));
    const auto& told = std::get<conversations::notices::News>(error.what);
    CHECK_EQ(told.kind + told.event + told.detail + error.phone_number_id, "errors131042Pay, No card7");
    CHECK_NE(news("account_update", R"({"event":"A"})").key, news("account_update", R"({"event":"B"})").key);
  }

  TEST_CASE("statuses with their reasons, and our own id") {
    const auto id = model::new_uuid();
    const auto status = [](const std::string& json) {
      return std::get<StatusReport>(
          only(hook(R"({"metadata":{"phone_number_id":"7"},"statuses":[)" + json + "]}")).what);
    };
    const auto failed =
        status(R"({"id":"w","status":"failed","biz_opaque_callback_data":")" + id.text() +
               R"(","errors":[{"code":"130472","title":"An experiment","error_data":{"details":"It is."}}]})");
    CHECK_EQ(failed.status, model::MessageStatus::UnDelivered);
    CHECK_EQ(failed.message_id, id);
    CHECK_EQ(failed.error_code, 130472);
    CHECK_EQ(failed.error_text, "An experiment: It is.");
    CHECK_EQ(status(R"({"id":"w","status":"played","biz_opaque_callback_data":"some data"})").status,
             model::MessageStatus::Read);
    CHECK_FALSE(status(R"({"id":"w","status":"failed","errors":[]})").error_code.has_value());
    CHECK_FALSE(status(R"({"id":"w","status":"failed","errors":[{"code":99999999999}]})").error_code.has_value());
    CHECK_EQ(status(R"({"id":"w","status":"failed","errors":[{"title":")" + std::string(5'000, 'x') + "\"}]}")
                 .error_text.size(),
             1'000);
  }

  TEST_CASE("an element by itself reads as it did among others") {
    const auto payload = read(hook(R"({"messaging_product":"whatsapp","metadata":{"phone_number_id":"7"},
      "contacts":[{"wa_id":"491511111111","profile":{"name":"A"}},{"wa_id":"491522222222","profile":{"name":"B"}}],
      "messages":[{"from":"491511111111","id":"1"},{"from":"491522222222","id":"2","type":"text","text":{"body":"é"}}],
      "statuses":[{"id":"w","status":"read","timestamp":"5"}],"errors":[{"code":1}]})"));
    REQUIRE_EQ(payload.elements.size(), 4);
    for (const auto& element : payload.elements) {
      const auto alone = only(enclose(element.place));
      CHECK_EQ(alone.kind, element.kind);
      CHECK_EQ(alone.phone_number_id, "7");
      CHECK_EQ(alone.sender.name, element.sender.name);
      CHECK_EQ(boost::json::serialize(*alone.place.item), boost::json::serialize(*element.place.item));
      CHECK_EQ(enclose(alone.place), enclose(element.place));
    }
  }

  TEST_CASE("a message without an id is told from others by what it says") {
    const auto first = message(R"({"from":"491511111111","timestamp":"5","type":"text","text":{"body":"a"}})");
    CHECK_EQ(first.channel_id, "");
    CHECK_EQ(first.key, message(R"({"from":"491511111111","timestamp":"5","type":"text","text":{"body":"a"}})").key);
    CHECK_NE(first.key, message(R"({"from":"491511111111","timestamp":"5","type":"text","text":{"body":"b"}})").key);
  }

  TEST_CASE("signatures are over the octets, by any of the secrets") {
    const std::vector<std::string> secrets = cloud_api::read_secrets(" new , ,old,");
    CHECK_EQ(secrets, std::vector<std::string>{"new", "old"});
    const std::string body("{\"text\":\"\\u00e9\\ud83d\"}\0\xFF", 26);
    const auto matches = [&](const std::string& field) {
      cloud_api::SignatureCheck check(secrets);
      for (const char octet : body) check.add({&octet, 1});
      return check.matches(field);
    };
    CHECK(matches(support::hub_signature("new", body)));
    CHECK(matches(support::hub_signature("old", body)));
    for (const auto& wrong :
         {support::hub_signature("other", body), support::hub_signature("new", body + " "), std::string(),
          std::string("sha256="), "sha256=" + std::string(64, 'g'), support::hub_signature("new", body) + "00"})
      CHECK_FALSE(matches(wrong));
    // RFC 4231, test case 2.
    cloud_api::SignatureCheck check({"Jefe"});
    check.add("what do ya want ");
    check.add("for nothing?");
    CHECK(check.matches("sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"));
  }

  TEST_CASE("words are found whatever their case, accents and punctuation") {
    using conversations::optout::fold;
    CHECK_EQ(fold(" ¡STOP!! "), "stop");
    CHECK_EQ(fold("Arr\xC3\xAAt."), fold("ARRE\xCC\x82T"));
    CHECK_EQ(fold("СТОП"), "стоп");
    CHECK_EQ(fold("ΣΤΟΠ"), "στοπ");
    CHECK_EQ(fold("ΪΫ"), fold("ϊϋ"));
    CHECK_EQ(fold("HỦY"), fold("hủy"));
    CHECK_EQ(fold("HU\xCC\x89Y"), fold("hủy"));
    CHECK_NE(fold("dừng"), fold("đúng"));
    CHECK_NE(fold("dừng"), fold("đứng"));
    CHECK_NE(fold("hủy"), fold("Huy"));
    CHECK_EQ(fold("ԿԱՆԳ"), "կանգ");
    CHECK_EQ(fold("Ґ"), "ґ");
    CHECK_EQ(fold("ÇIK"), "cik");
    CHECK_EQ(fold("ＳＴＯＰ。"), "stop");
    CHECK_EQ(fold("stop   all\n"), "stop all");
    CHECK_EQ(fold("\xE2\x80\x8Estop\xEF\xB8\x8F"), "stop");
    CHECK_EQ(fold("🙂"), "🙂");
    CHECK_EQ(fold("?!"), "");
    for (const std::string broken : {"\xFF", "\xC3", "\xE2\x80", "\xF0\x9F\x98"}) fold(broken);

    using conversations::optout::Words;
    const Words words(conversations::optout::settings_of({}));
    for (const auto* stop :
         {"Stop", "unsubscribe.", "退订", "إيقاف", "اِيقاف", "Abmelden", "SAIR", "Désabonner!", "отписаться"})
      CHECK_EQ(words.meaning_of(stop), Words::Meaning::stop);
    for (const auto* start : {"START", "Başla", "старт"}) CHECK_EQ(words.meaning_of(start), Words::Meaning::start);
    for (const auto& other :
         {std::string("please stop sending me this"), std::string("stops"), std::string(), std::string(1 << 20, 's')})
      CHECK_EQ(words.meaning_of(other), Words::Meaning::none);
    for (const auto& word : conversations::optout::built_in_start_words())
      CHECK_EQ(words.meaning_of(word), Words::Meaning::start);  // and not a stop word too
  }
}
