// What webhooks bring about messages that another program sent from the same phone number.
#include "tests/integration/webhooks_bed.hpp"

using namespace parley;
using namespace parley::webhooks_tests;

namespace {

constexpr auto kAda = "4915100000001";

struct Bed : Applying {
  void apply(const json::array& messages, const json::array& statuses = {}, const std::string& number = kNumber) {
    Applying::apply(body_of(messages, statuses, number));
  }
  // So often are elements tried again that wait for a message.
  void pass_retries(int times = 5) {
    for (int i = 0; i < times; ++i) {
      world.pass_time();
      replica.drain();
    }
  }
  std::int64_t parked(const std::string& condition = "true") const {
    return world.number("SELECT count(*) FROM parked_element WHERE " + condition);
  }
  std::int64_t counted(const std::string& kind) {
    const auto text = replica.process().metrics().scrape();
    const auto series = "webhook_foreign_elements_total{kind=\"" + kind + "\"} ";
    const auto at = text.find(series);
    REQUIRE_NE(at, text.npos);
    return std::stoll(text.substr(at + series.size()));
  }
};

json::object marked(json::object status, const std::string& data) {
  status["biz_opaque_callback_data"] = data;
  return status;
}

}  // namespace

TEST_SUITE("integration: webhooks, foreign") {
  TEST_CASE("a status of a message that stays unknown is counted and not parked; one that came too early is applied") {
    Bed bed;
    const auto ada = bed.world.add_outbound(bed.organization, "+" + std::string(kAda), "Offer");
    bed.apply({}, {status("w1", "delivered", 5), status("nobody's", "read", 5)});
    CHECK_EQ(bed.parked("due_at > now() AND kind = 'status'"), 2);
    bed.world.database.execute("INSERT INTO channel_message VALUES (" + quoted(bed.organization) +
                               ", channel_key('w1'), " + quoted(ada) + ")");
    bed.pass_retries(4);
    CHECK_EQ(bed.world.text("SELECT status FROM message"), "Delivered");
    CHECK_EQ(bed.parked("due_at > now()"), 1);
    CHECK_EQ(bed.counted("status"), 0);
    bed.pass_retries(1);
    CHECK_EQ(bed.parked(), 0);
    CHECK_EQ(bed.counted("status"), 1);
  }

  TEST_CASE("data of another program tells at once that a status is not ours, unless the message is") {
    Bed bed;
    const auto ada = bed.world.add_outbound(bed.organization, "+" + std::string(kAda), "Offer");
    bed.apply({}, {status("w1", "sent", 1, ada)});
    // Another program's ids may be UUIDs, too: of another version.
    bed.apply({}, {marked(status("x1", "sent", 5), "order 17"),
                   marked(status("x2", "read", 5), "7d444840-9dc0-41d1-b245-5ffdce74fad2"),
                   marked(status("w1", "delivered", 6), "order 17")});
    CHECK_EQ(bed.parked(), 0);
    CHECK_EQ(bed.counted("status"), 2);
    CHECK_EQ(bed.world.text("SELECT status FROM message"), "Delivered");
    bed.apply({}, {marked(status("x1", "delivered", 7), "order 17")});
    CHECK_EQ(bed.parked(), 0);
    CHECK_EQ(bed.counted("status"), 3);
  }

  TEST_CASE("a status with our id settles what is in doubt, at any time, and is parked while the message is away") {
    Bed bed;
    const auto ada = bed.world.add_outbound(bed.organization, "+" + std::string(kAda), "Offer");
    bed.world.database.execute("UPDATE outgoing SET state = 'InDoubt'");
    bed.apply({}, {status("w1", "sent", 1, ada)});
    CHECK_EQ(bed.world.text("SELECT status || ' ' || channel_message_id FROM message"), "Sent w1");
    CHECK_EQ(bed.world.number("SELECT count(*) FROM outgoing"), 0);
    // As after a restore of the database: a message that follows under the same id finds its status.
    const auto lost = model::new_uuid();
    bed.apply({}, {status("w2", "delivered", 2, lost)});
    bed.pass_retries();
    CHECK_EQ(bed.parked("due_at IS NULL AND kind = 'status' AND attempts = 6"), 1);
    CHECK_EQ(bed.counted("status"), 0);
    bed.world.database.execute(
        "INSERT INTO message (organization_id, id, conversation_id, contact_id, direction, status, message_type, data) "
        "SELECT organization_id, " +
        quoted(lost) +
        ", conversation_id, contact_id, direction, 'Queued', message_type, data FROM message; "
        "UPDATE parked_element SET due_at = now()");
    bed.replica.drain();
    CHECK_EQ(bed.world.text("SELECT status || ' ' || channel_message_id FROM message WHERE id = " + quoted(lost)),
             "Delivered w2");
    CHECK_EQ(bed.parked(), 0);
  }

  TEST_CASE(
      "replies and reactions to unknown messages are kept themselves; a revocation is of no use, an edit is kept") {
    Bed bed;
    bed.apply({reply(text("m1", kAda, 1, "About that"), "theirs"),
               message("m2", kAda, 2, "reaction", {{"message_id", "theirs"}, {"emoji", "x"}}),
               message("m3", kAda, 3, "revoke", {{"original_message_id", "theirs"}}),
               message("m4", kAda, 4, "edit",
                       {{"original_message_id", "theirs"},
                        {"message", json::object{{"type", "text"}, {"text", json::object{{"body", "new"}}}}}})});
    CHECK_EQ(bed.parked("due_at > now()"), 4);
    bed.pass_retries();
    CHECK_EQ(bed.world.number("SELECT count(*) FROM message"), 2);
    CHECK_EQ(bed.counted("reference"), 2);
    CHECK_EQ(bed.counted("revocation"), 1);
    CHECK_EQ(bed.parked(), 1);
    CHECK_EQ(bed.parked("due_at IS NULL AND convert_from(element, 'UTF8') LIKE '%\"new\"%'"), 1);
  }

  TEST_CASE("of a number that nobody has connected, statuses are not kept, and what users write is") {
    Bed bed;
    bed.apply({text("m1", kAda, 1, "Hello")}, {status("x1", "read", 5)}, "900");
    CHECK_EQ(bed.parked("due_at > now()"), 2);
    bed.pass_retries();
    CHECK_EQ(bed.parked("due_at IS NULL AND kind = 'message'"), 1);
    CHECK_EQ(bed.parked(), 1);
    CHECK_EQ(bed.counted("status"), 1);
  }

  TEST_CASE("what an earlier release parked is gone after a replay") {
    Bed bed;
    bed.apply({}, {status("nobody's", "read", 5)});
    bed.world.database.execute("UPDATE parked_element SET attempts = 6, due_at = now()");
    bed.replica.drain();
    CHECK_EQ(bed.parked(), 0);
    CHECK_EQ(bed.counted("status"), 1);
  }
}
