// What webhooks bring besides users' messages: messages sent from the phone's app, its history, calls, groups.
#include <boost/json/parse.hpp>

#include "gateway/openapi/document.hpp"
#include "tests/integration/webhooks_bed.hpp"
#include "tests/support/schema.hpp"

using namespace parley;
using namespace parley::webhooks_tests;

namespace {

constexpr auto kAda = "4915100000001", kBob = "4915100000002", kOwn = "15550001111";

// A body with one change of any field, to a number.
std::string change_of(const std::string& field, json::object value, const std::string& number = kNumber) {
  value["metadata"] = json::object{{"phone_number_id", number}, {"display_phone_number", "+1 555 000-1111"}};
  const json::object change{{"field", field}, {"value", std::move(value)}};
  return json::serialize(
      json::object{{"entry", json::array{json::object{{"id", "7"}, {"changes", json::array{change}}}}}});
}

json::object ours(json::object message, const std::string& to) {
  message["from"] = kOwn;
  message["to"] = to;
  return message;
}

json::object kept(json::object message, const std::string& status) {
  message["history_context"] = json::object{{"status", status}};
  return message;
}

struct Bed : Applying {
  void echo(const json::array& messages) { apply(change_of("smb_message_echoes", {{"message_echoes", messages}})); }
  static std::string history_of(const std::string& user, const json::array& messages) {
    const json::object thread{{"id", user}, {"messages", messages}};
    const json::object part{{"metadata", json::object{{"phase", 1}}}, {"threads", json::array{thread}}};
    return change_of("history", {{"history", json::array{part}}});
  }
  void old(const std::string& user, const json::array& messages) { apply(history_of(user, messages)); }
  void call(json::object call) { apply(change_of("calls", {{"calls", json::array{std::move(call)}}})); }
  std::string message_of(const std::string& id, const std::string& columns) const {
    return world.text("SELECT concat_ws(' ', " + columns + ") FROM message WHERE channel_message_id = '" + id + "'");
  }
  std::string conversations() const {
    return world.text(
        "SELECT string_agg(concat_ws(' ', status, initiated_by, total_messages, unread_messages, last_inbound_at IS "
        "NULL), ', ' ORDER BY created_at, id) FROM conversation");
  }
  std::string told() const {
    return world.text(
        "SELECT string_agg(c ->> 'type', ' ' ORDER BY o.id, n) FROM outbox o, jsonb_array_elements(changes) WITH "
        "ORDINALITY c (c, n)");
  }
  // Each change of a status that was told.
  std::string rises() const {
    return world.text(
        "SELECT string_agg(concat_ws('-', c ->> 'from', c ->> 'to'), ' ' ORDER BY o.id, n) FROM outbox o, "
        "jsonb_array_elements(changes) WITH ORDINALITY c (c, n) WHERE c ->> 'type' = 'message.status'");
  }
};

}  // namespace

TEST_SUITE("integration: webhooks, app") {
  TEST_CASE("a message from the phone's app is outbound in the contact's conversation, once, and has its statuses") {
    Bed bed;
    for (int i = 0; i < 3; ++i) bed.echo({ours(text("e1", kOwn, 0, "stop by any time"), kAda)});
    CHECK_EQ(bed.message_of("e1", "direction, status, message_type, sent_by, data"),
             R"(OutBound Sent Text App {"text": "stop by any time"})");
    CHECK_EQ(bed.conversations(), "Active Member 1 0 t");
    CHECK_EQ(bed.told(), "conversation.created message.created message.status");
    CHECK_EQ(bed.world.number("SELECT count(*) FROM outgoing"), 0);
    bed.apply(body_of({text("m1", kAda, 5, "I will")}, {status("e1", "delivered", 4), status("e1", "read", 4)}));
    CHECK_EQ(bed.rises(), "Queued-Sent Sent-Read");
    CHECK_EQ(bed.message_of("e1", "status"), "Read");
    CHECK_EQ(bed.conversations(), "Active Member 2 1 f");

    // After the user's message, and an answer to it; both in one body; a word of ours opts nobody out.
    bed.apply(body_of({text("m2", kBob, 5, "Hello")}));
    bed.echo({ours(text("e2", kOwn, 6, "stop"), kBob), reply(ours(text("e3", kOwn, 7, "yes"), kBob), "m2")});
    CHECK_EQ(bed.conversations(), "Active Member 2 1 f, Active Contact 3 1 f");
    CHECK_EQ(bed.message_of("e3", "reply_to_message_id"), bed.message_of("m2", "id"));
    CHECK_EQ(bed.world.number("SELECT count(*) FROM suppression WHERE opted_out"), 0);
  }

  TEST_CASE("a message from the app is changed and taken back there, and by nobody else") {
    Bed bed;
    const auto edited = [](const std::string& target, const std::string& body) {
      return json::object{{"original_message_id", target},
                          {"message", json::object{{"type", "text"}, {"text", json::object{{"body", body}}}}}};
    };
    bed.echo({ours(text("e1", kOwn, 0, "Helo"), kAda), ours(text("e2", kOwn, 0, "Secret"), kAda)});
    bed.apply(body_of({message("x", kAda, 1, "edit", edited("e1", "Not I"))}));
    CHECK_EQ(bed.message_of("e1", "data"), R"({"text": "Helo"})");
    bed.echo({ours(message("e3", kOwn, 2, "edit", edited("e1", "Hello")), kAda),
              ours(message("e4", kOwn, 2, "revoke", {{"original_message_id", "e2"}}), kAda)});
    CHECK_EQ(bed.message_of("e1", "data ->> 'text'"), "Hello");
    CHECK_EQ(bed.message_of("e2", "data ->> 'revoked', data ->> 'text'"), "true ");
  }

  TEST_CASE("what becomes of a message that nobody was told about is kept, and nobody is told") {
    Bed bed;
    const auto edited = [](const std::string& target) {
      return json::object{{"original_message_id", target},
                          {"message", json::object{{"type", "text"}, {"text", json::object{{"body", "edited"}}}}}};
    };
    bed.old(kAda,
            {kept(ours(text("h1", kOwn, -9'000, "Hi"), kAda), "SENT"), kept(text("h2", kAda, -8'000, "Hi"), "READ"),
             kept(reply(text("h3", kAda, -7'000, "Yes"), "late"), "READ")});
    bed.apply(body_of({message("x1", kAda, 1, "edit", edited("h2"))}, {status("h1", "delivered", 1)}));
    bed.apply(body_of({}, {status("h1", "read", 2)}));
    bed.echo({ours(message("x2", kOwn, 2, "revoke", {{"original_message_id", "h1"}}), kAda)});
    bed.old(kAda, {kept(ours(text("late", kOwn, -7'500, "Well?"), kAda), "SENT")});
    bed.world.pass_time();
    bed.replica.drain();
    CHECK_EQ(bed.message_of("h1", "status, data ->> 'revoked'"), "Read true");
    CHECK_EQ(bed.message_of("h2", "data ->> 'text'"), "edited");
    CHECK_EQ(bed.message_of("h3", "reply_to_message_id"), bed.message_of("late", "id"));
    CHECK_EQ(bed.told(), "");

    // To a contact who was blocked then.
    bed.world.contacts.sql().rows("UPDATE contact SET status = 'Blocked'");
    bed.echo({ours(text("e1", kOwn, 3, "Hi"), kAda)});
    bed.world.contacts.sql().rows("UPDATE contact SET status = 'Active'");
    bed.apply(body_of({}, {status("e1", "read", 4)}));
    CHECK_EQ(bed.message_of("e1", "status"), "Read");
    CHECK_EQ(bed.told(), "");
    // The next one is told with all that becomes of it.
    bed.echo({ours(text("e2", kOwn, 5, "Hi"), kAda)});
    bed.apply(body_of({}, {status("e2", "read", 6)}));
    CHECK_EQ(bed.told(), "conversation.created message.created message.status message.status");
    CHECK_EQ(bed.rises(), "Queued-Sent Sent-Read");
  }

  TEST_CASE("the app's history is kept with its times, read, untold, and does not open conversations") {
    Bed bed;
    const json::array thread{kept(text("h1", kAda, -9'000, "stop"), "READ"),
                             kept(ours(text("h2", kOwn, -8'000, "Why?"), kAda), "DELIVERED"),
                             kept(message("h3", kAda, -7'000, "media_placeholder", {}), "READ")};
    for (int i = 0; i < 2; ++i) bed.old(kAda, thread);
    CHECK_EQ(bed.conversations(), "Closed Contact 3 0 t");
    CHECK_EQ(bed.told(), "");
    CHECK_EQ(bed.message_of("h1", "direction, status, created_at = '2026-01-31T09:30:00Z'"), "InBound Read t");
    CHECK_EQ(bed.message_of("h2", "direction, status"), "OutBound Delivered");
    CHECK_EQ(bed.message_of("h3", "message_type"), "Unsupported");
    CHECK_EQ(bed.world.number("SELECT count(*) FROM suppression WHERE opted_out"), 0);
    // Media follow their messages, or come before them.
    const auto media = change_of(
        "history", {{"messages", json::array{message("h3", kAda, -7'000, "image", {{"id", "65"}}),
                                             ours(message("h4", kOwn, -6'000, "image", {{"id", "66"}}), kAda)}}});
    for (int i = 0; i < 2; ++i) bed.apply(media);
    bed.old(kAda, {ours(message("h4", kOwn, -6'000, "media_placeholder", {}), kAda)});
    CHECK_EQ(bed.message_of("h3", "message_type, data"), R"(Image {"id": "65"})");
    CHECK_EQ(bed.message_of("h4", "direction, message_type, data"), R"(OutBound Image {"id": "66"})");
    CHECK_EQ(bed.told(), "");
    // That it is not shared is a notice.
    const json::object declined{{"errors", json::array{json::object{{"code", 2593109}, {"title", "Not shared"}}}}};
    bed.apply(change_of("history", {{"history", json::array{declined}}}));
    CHECK_EQ(bed.world.text("SELECT event || ' ' || detail FROM account_notice"), "2593109 Not shared");
    bed.world.database.execute("DELETE FROM outbox");
    // What they write now opens a conversation.
    bed.apply(body_of({text("m1", kAda, 5, "Hello")}));
    CHECK_EQ(bed.conversations(), "Closed Contact 4 0 t, Active Contact 1 1 f");
    CHECK_EQ(bed.told(), "conversation.created message.created");
    CHECK_EQ(bed.world.number("SELECT count(*) FROM parked_element"), 0);
  }

  TEST_CASE("a message that the history has, too, is told once, whichever comes first and however often") {
    const auto placeholder = message("m2", kAda, 5, "media_placeholder", {});
    const json::array old{text("m1", kAda, 0, "Hello"), placeholder, text("m3", kAda, 10, "stop")};
    const auto image = message("m2", kAda, 5, "image", {{"id", "65"}});
    const auto live = body_of({text("m1", kAda, 0, "Hello"), image, text("m3", kAda, 10, "stop")});
    enum class Order { live_first, history_first, together };
    for (const auto order : {Order::live_first, Order::history_first, Order::together}) {
      CAPTURE(static_cast<int>(order));
      Bed bed;
      bed.world.database.execute("INSERT INTO opt_out_settings VALUES (" + quoted(bed.organization) +
                                 ", '{stop}', '{start}', '', '')");
      if (order == Order::together) {
        bed.world.receive(bed.history_of(kAda, old));
        bed.world.receive(live);
        bed.replica.drain();
      }
      for (int i = 0; i < 2; ++i) {
        if (order != Order::live_first) bed.old(kAda, old);
        bed.apply(live);
        if (order == Order::live_first) bed.old(kAda, old);
      }
      const std::string empty = order == Order::history_first ? "Closed Contact 0 0 t, " : "";
      CHECK_EQ(bed.conversations(), empty + "Active Contact 3 3 f");
      CHECK_EQ(bed.told(), "conversation.created message.created message.created message.created contact.opted_out");
      CHECK_EQ(bed.world.text("SELECT string_agg(concat_ws(' ', status, message_type, untold), ', ' ORDER BY "
                              "created_at) FROM message"),
               "Unread Text f, Unread Image f, Unread Text f");
      CHECK_EQ(bed.world.text("SELECT last_inbound_at = '2026-01-31T12:00:10Z' FROM conversation WHERE status = "
                              "'Active'"),
               "t");
      CHECK_EQ(bed.world.number("SELECT count(*) FROM suppression WHERE opted_out"), 1);
      CHECK_EQ(bed.world.database.drifted(), 0);
      // Once it was read, it stays read.
      bed.world.database.execute("UPDATE message SET status = 'Read'");
      bed.apply(live);
      CHECK_EQ(bed.world.number("SELECT sum(unread_messages) FROM conversation"), 0);
    }
  }

  TEST_CASE("a message that the history had first is told with what else there is of it") {
    Bed bed;
    bed.old(kAda, {text("h1", kAda, -10, "Helo"), ours(text("h2", kOwn, -9, "Yes?"), kAda),
                   text("h3", kAda, -8, "nothing"), text("h4", kBob, -8, "stop")});
    // In the conversation that is open by then, with others that are new, and as its sender changed it since.
    bed.apply(body_of({text("m1", kAda, 5, "Anybody?")}));
    bed.apply(
        body_of({message("x", kAda, 6, "edit",
                         {{"original_message_id", "h1"},
                          {"message", json::object{{"type", "text"}, {"text", json::object{{"body", "Hello"}}}}}})}));
    bed.world.database.execute("DELETE FROM outbox");
    bed.apply(body_of(
        {text("m2", kAda, 8, "Well"), text("h1", kAda, -10, "Helo"), reply(text("h3", kAda, -8, "nothing"), "h2")}));
    CHECK_EQ(bed.told(), "message.created message.created message.created");
    CHECK_EQ(
        bed.world.text("SELECT string_agg(concat_ws(' ', channel_message_id, m.status, c.status, data ->> 'text'), "
                       "', ' ORDER BY channel_message_id) FROM message m JOIN conversation c ON c.id = "
                       "conversation_id WHERE channel_message_id <> 'h4'"),
        "h1 Unread Active Hello, h2 Sent Closed Yes?, h3 Unread Active nothing, m1 Unread Active Anybody?, m2 "
        "Unread Active Well");
    CHECK_EQ(bed.message_of("h3", "reply_to_message_id"), bed.message_of("h2", "id"));
    CHECK_EQ(bed.world.database.drifted(), 0);
    // Of somebody blocked the word counts, and no more.
    bed.world.contacts.sql().rows("UPDATE contact SET status = 'Blocked'");
    bed.world.database.execute("DELETE FROM outbox");
    for (int i = 0; i < 2; ++i) bed.apply(body_of({text("h4", kBob, -8, "stop")}));
    CHECK_EQ(bed.message_of("h4", "status, untold"), "Read t");
    CHECK_EQ(bed.told(), "contact.opted_out");
  }

  TEST_CASE("two that find it untold at once tell it once") {
    Bed bed;
    bed.old(kAda, {text("m1", kAda, 0, "Hello")});
    Replica busy(bed.world, 2);
    conversations_tests::Session session(bed.world.database);
    session.execute("BEGIN");
    session.execute("SELECT FROM channel_message FOR UPDATE");
    for (int waiting = 1; waiting <= 2; ++waiting) {
      bed.world.receive(body_of({text("m1", kAda, 0, "Hello")}));
      if (waiting == 1) busy.start();
      busy.until([&] {
        return bed.world.number(
                   "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = "
                   "'Lock'") == waiting;
      });
    }
    session.execute("ROLLBACK");
    busy.until([&] { return bed.world.number("SELECT count(*) FROM inbox") == 0; });
    CHECK_EQ(bed.conversations(), "Closed Contact 0 0 t, Active Contact 1 1 f");
    CHECK_EQ(bed.told(), "conversation.created message.created");
    CHECK_EQ(bed.world.database.drifted(), 0);
  }

  TEST_CASE("a call is one message of its conversation, whichever report comes first") {
    const json::object begun{{"id", "c1"},
                             {"from", kAda},
                             {"to", kOwn},
                             {"event", "connect"},
                             {"timestamp", kNoon},
                             {"direction", "USER_INITIATED"},
                             {"session", json::object{{"sdp", "v=0"}}}};
    const json::object ended{{"id", "c1"},
                             {"from", kAda},
                             {"to", kOwn},
                             {"event", "terminate"},
                             {"timestamp", kNoon + 33},
                             {"direction", "USER_INITIATED"},
                             {"status", "COMPLETED"},
                             {"duration", 33}};
    for (const bool in_order : {true, false}) {
      Bed bed;
      for (int i = 0; i < 2; ++i) {
        bed.call(in_order ? begun : ended);
        bed.call(in_order ? ended : begun);
      }
      CHECK_EQ(bed.message_of("c1", "direction, status, message_type, data"),
               R"(InBound Read System {"type": "call", "event": "terminate", "status": "COMPLETED", "duration": 33, )"
               R"("direction": "USER_INITIATED"})");
      CHECK_EQ(bed.told(), in_order ? "conversation.created message.created message.changed"
                                    : "conversation.created message.created");
      CHECK_EQ(bed.conversations(), "Closed Contact 1 0 t");
    }
    Bed bed;  // both in one body, from us to a user
    json::object ring = begun, end = ended;
    for (auto* call : {&ring, &end}) {
      (*call)["direction"] = "BUSINESS_INITIATED";
      std::swap((*call)["from"], (*call)["to"]);
    }
    bed.apply(change_of("calls", {{"calls", json::array{ring, end}}}));
    CHECK_EQ(bed.message_of("c1", "data ->> 'event'"), "terminate");
    CHECK_FALSE(bed.world.contact_of(bed.organization, "+" + std::string(kAda)).is_nil());
  }

  TEST_CASE("what is kept of each kind is as the contract has it") {
    Bed bed;
    auto unsupported = message("unsupported", kAda, 1, "unsupported", {{"type", "poll"}});
    unsupported["errors"] = json::array{json::object{{"code", 131051}, {"title", "Unsupported"}}};
    bed.apply(
        body_of({message("audio", kAda, 1, "audio", {{"id", "65"}, {"mime_type", "audio/ogg"}, {"voice", true}}),
                 message("order", kAda, 1, "order",
                         {{"catalog_id", "1"},
                          {"text", "Please"},
                          {"product_items", json::array{json::object{{"product_retailer_id", "a"}, {"quantity", 2}}}}}),
                 message("reply", kAda, 1, "interactive",
                         {{"type", "payment_method"}, {"payment_method", json::object{{"payment_method", "upi"}}}}),
                 message("identity", kAda, 1, "system",
                         {{"type", "customer_identity_changed"}, {"body", "changed"}, {"identity", "h"}}),
                 unsupported}));
    bed.call({{"id", "call"}, {"from", kAda}, {"event", "terminate"}, {"status", "FAILED"}, {"duration", 0}});
    const auto document = json::parse(gateway::openapi_json);
    const support::Schemas schemas(document);
    for (const auto& [id, name] : std::vector<std::pair<std::string, std::string>>{{"audio", "AudioData"},
                                                                                   {"order", "InteractiveData"},
                                                                                   {"reply", "InteractiveData"},
                                                                                   {"identity", "SystemData"},
                                                                                   {"unsupported", "UnsupportedData"},
                                                                                   {"call", "SystemData"}}) {
      CAPTURE(name);
      const auto& schema = document.at("components").at("schemas").at(name);
      const auto data = json::parse(bed.message_of(id, "data"));
      support::Faults faults;
      schemas.inspect(schema, support::Direction::answer, name, faults);
      schemas.validate(schema, data, support::Direction::answer, name, faults);
      for (const auto& fault : faults) FAIL_CHECK(fault);
      for (const auto& member : data.as_object()) CHECK(schema.at("properties").as_object().contains(member.key()));
    }
  }

  TEST_CASE("a message of a group is in no conversation: it is kept, counted, and neither parked nor replayed") {
    Bed bed;
    auto in_group = text("g1", kAda, 0, "Hello all");
    in_group["group_id"] = "group-7";
    bed.apply(body_of({in_group, text("m1", kAda, 1, "Hello you")}));
    CHECK_EQ(bed.world.text("SELECT string_agg(channel_message_id, ' ') FROM message"), "m1");
    CHECK_EQ(bed.world.text("SELECT concat_ws(' ', organization_id, kind, due_at) FROM parked_element"),
             bed.organization.text() + " group");
    CHECK(bed.world.text("SELECT convert_from(element, 'UTF8') FROM parked_element").find("Hello all") !=
          std::string::npos);
    CHECK(bed.replica.process().metrics().scrape().find("webhook_events_total{kind=\"message\",result=\"group\"} 1") !=
          std::string::npos);
  }

  TEST_CASE("what came to a number of one organization reaches no other") {
    Bed bed;
    const auto other = bed.world.connect("200");
    bed.apply(change_of("smb_message_echoes", {{"message_echoes", json::array{ours(text("e1", kOwn, 0, "Hi"), kAda)}}},
                        "200"));
    bed.apply(change_of(
        "history",
        {{"history",
          json::array{json::object{
              {"threads",
               json::array{json::object{{"id", kAda}, {"messages", json::array{text("h1", kAda, -9'000, "old")}}}}}}}}},
        "200"));
    bed.apply(change_of("calls", {{"calls", json::array{json::object{{"id", "c1"}, {"from", kAda}}}}}, "200"));
    CHECK_EQ(bed.world.number("SELECT count(*) FROM message"), 3);
    CHECK_EQ(bed.world.number("SELECT count(*) FROM message WHERE organization_id = " + quoted(other)), 3);
  }
}
