// Contacts who opt out and in: by words, and by the channel's own setting.
#include "conversations/inbox/optout/store.hpp"
#include "tests/integration/webhooks_bed.hpp"

using namespace parley;
using namespace parley::webhooks_tests;

namespace {

constexpr auto kAda = "4915100000001", kBob = "4915100000002";

using Bed = Applied;

}  // namespace

TEST_SUITE("integration: webhooks, opt-outs") {
  TEST_CASE("words and preferences opt out and in; the newer holds, whatever comes first; the answer goes out once") {
    Bed bed;
    const auto now = model::Timestamp::now().milliseconds_since_epoch / 1000 - kNoon;
    const auto suppressed = [&](const std::string& phone) {
      return bed.world.text("SELECT opted_out FROM suppression WHERE contact_id = " +
                            quoted(bed.world.contact_of(bed.organization, phone)));
    };
    bed.apply({text("m1", kAda, now - 60, "¡Stop!"), text("m2", kBob, now - 60, "stop it please")});
    CHECK_EQ(suppressed("+" + std::string(kAda)), "t");
    CHECK_EQ(suppressed("+" + std::string(kBob)), "");
    CHECK_EQ(
        bed.told(),
        "conversation.created conversation.created message.created message.created contact.opted_out message.created");
    CHECK_EQ(bed.world.text("SELECT concat_ws(' ', m.status, o.recipient, o.phone_number_id, m.data ->> 'text' <> '') "
                            "FROM outgoing o JOIN message m ON m.id = o.message_id"),
             "Queued +4915100000001 100200300 t");
    bed.apply({text("m3", kAda, now - 50, "STOP")});
    CHECK_EQ(bed.told(), "message.created contact.opted_out");
    bed.apply({text("m4", kAda, now - 30, "start"), text("m5", kAda, now - 40, "stop")});
    CHECK_EQ(suppressed("+" + std::string(kAda)), "f");
    CHECK_EQ(bed.world.number("SELECT count(*) FROM outgoing"), 2);

    // Words of the organization's own; nothing is answered.
    bed.world.database.execute("INSERT INTO opt_out_settings VALUES (" + quoted(bed.organization) +
                               ", '{Genug}', '{Weiter}', '', '')");
    bed.apply({message("m6", kBob, now - 20, "button", {{"payload", "x"}, {"text", "genug"}}),
               text("m7", kAda, now - 20, "stop")});
    CHECK_EQ(suppressed("+" + std::string(kBob)), "t");
    CHECK_EQ(suppressed("+" + std::string(kAda)), "f");
    CHECK_EQ(bed.world.number("SELECT count(*) FROM outgoing"), 2);

    // The channel's own setting; a number instead of text for its time.
    const json::object preference{
        {"wa_id", kAda}, {"category", "marketing_messages"}, {"value", "stop"}, {"timestamp", kNoon + now}};
    const json::object value{{"metadata", json::object{{"phone_number_id", kNumber}}},
                             {"user_preferences", json::array{preference}}};
    const json::object change{{"field", "user_preferences"}, {"value", value}};
    bed.world.receive(json::serialize(
        json::object{{"entry", json::array{json::object{{"id", "7"}, {"changes", json::array{change}}}}}}));
    bed.replica.drain();
    CHECK_EQ(suppressed("+" + std::string(kAda)), "t");
    CHECK(bed.told().ends_with("contact.opted_out"));
  }

  TEST_CASE("an organization's words replace those that are built in, and none means both") {
    Bed bed;
    conversations::optout::Store store(bed.replica.database());
    const auto update = [&](conversations::optout::UpdateSettings changes) {
      std::optional<conversations::optout::OptOutSettings> out;
      bed.replica.run([](Bed& in, conversations::optout::Store& from, conversations::optout::UpdateSettings what,
                         auto& settings) -> awaitable<void> {
        auto transaction = co_await in.replica.database().begin();
        settings = co_await from.update(transaction, in.organization, std::move(what));
        co_await transaction.commit();
      }(bed, store, std::move(changes), out));
      return out;
    };
    const auto first = update({.stopWords = {{"Genug"}}, .startWords = {}, .stopAnswer = "Schade.", .startAnswer = {}});
    REQUIRE(first.has_value());
    CHECK_EQ(first->stopWords, std::vector<std::string>{"Genug"});
    CHECK_GT(first->startWords.size(), 12);
    CHECK_EQ(first->stopAnswer, "Schade.");
    CHECK_NE(first->startAnswer, "");
    CHECK_FALSE(update({.stopWords = {}, .startWords = {{"weiter", "GENUG!"}}, .stopAnswer = {}, .startAnswer = {}}));
    const auto second = update({.stopWords = {}, .startWords = {{"Weiter"}}, .stopAnswer = {}, .startAnswer = ""});
    CHECK_EQ(second->stopWords, first->stopWords);
    CHECK_EQ(second->startWords, std::vector<std::string>{"Weiter"});
    CHECK_EQ(second->startAnswer, "");
    bed.apply({text("m1", kAda, 0, "stop"), text("m2", kBob, 0, "genug.")});
    CHECK_EQ(bed.world.text("SELECT string_agg(contact_id::text, ' ') FROM suppression WHERE opted_out"),
             bed.world.contact_of(bed.organization, "+" + std::string(kBob)).text());
  }
}
