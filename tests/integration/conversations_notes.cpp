// Notes of members in conversations: who may write, change and delete them, whom they mention, and what becomes of
// them.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/integration/conversations_hearing.hpp"
#include "tests/integration/conversations_service.hpp"

using namespace parley;
using namespace parley::conversations_tests;
using identity::Permission;

namespace {

struct Bed : Service {
  Uuid conversation = database.add_conversation(organization, contact);
  Uuid colleague = model::new_uuid();

  Bed() { organizations.answers["/internal/members/summaries"] = {200, colleague.text() + " " + kMember + "\n"}; }

  http::Response write(const std::string& body) { return post(path_of(conversation) + "/notes", body); }
  std::string written(const std::string& text) {
    const auto response = write(R"({"text":")" + text + "\"}");
    REQUIRE(response.status == 201);
    return "/api/notes/" + std::string(json_of(response).at("note").at("uniqueId").as_string());
  }
  // What was told, without ids.
  std::string told() const {
    return database.execute(
        "SELECT coalesce(string_agg(c ->> 'type', ' ' ORDER BY o.id, n), '') "
        "FROM outbox o, jsonb_array_elements(changes) WITH ORDINALITY AS e (c, n)");
  }
  std::int64_t count() const { return database.number("SELECT count(*) FROM note"); }
};

std::vector<std::string> texts_in(const http::Response& response) {
  std::vector<std::string> out;
  const auto page = json_of(response);
  for (const auto& note : page.at("notes").as_array()) out.emplace_back(note.at("text").as_string());
  return out;
}

}  // namespace

TEST_SUITE("integration: conversations, notes") {
  TEST_CASE("a note has its author, the members that it mentions, and is told of once") {
    Bed bed;
    const auto colleague = bed.colleague.text();
    const auto response =
        bed.write(R"({"text":"Call back","mentions":[")" + colleague + R"(",")" + colleague + R"("]})");
    REQUIRE(response.status == 201);
    const auto note = json_of(response).at("note");
    CHECK(note.at("text").as_string() == "Call back");
    CHECK(note.at("conversationId").as_string() == bed.conversation.text());
    CHECK(note.at("mentions").as_array() == boost::json::array{colleague});
    CHECK(note.at("writtenBy").at("type").as_string() == "Member");
    CHECK(note.at("writtenBy").at("uniqueId").as_string() == bed.caller.text());
    CHECK(note.at("writtenBy").at("memberId").as_string() == bed.caller.text());
    CHECK(note.at("editedAt").is_null());
    CHECK(has(response, "Location: /api/notes/" + std::string(note.at("uniqueId").as_string())));
    CHECK(bed.told() == "note.created");
    CHECK(bed.database.number("SELECT count(*) FROM outgoing") == 0);
    CHECK(bed.database.number("SELECT count(*) FROM message") == 0);

    // By a program, whose member is the author.
    bed.api_key = model::new_uuid().text();
    const auto by_key = json_of(bed.write(R"({"text":"From a program"})")).at("note");
    CHECK(by_key.at("writtenBy").at("type").as_string() == "ApiKey");
    CHECK(by_key.at("writtenBy").at("uniqueId").as_string() == bed.api_key);
    CHECK(by_key.at("writtenBy").at("memberId").as_string() == bed.caller.text());
    bed.api_key.clear();
    const auto path = "/api/notes/" + std::string(by_key.at("uniqueId").as_string());
    CHECK(bed.post(path, R"({"text":"By hand"})").status == 200);
  }

  TEST_CASE("only members can be mentioned, of those who are new; who are members must be known") {
    Bed bed;
    const auto colleague = bed.colleague.text(), stranger = model::new_uuid().text();
    const auto unknown = bed.write(R"({"text":"x","mentions":[")" + colleague + R"(",")" + stranger + R"("]})");
    CHECK(unknown.status == 400);
    CHECK(pointer_of(unknown) == "/mentions/1");
    std::string many;
    for (int i = 0; i < 51; ++i) many += (i ? ",\"" : "\"") + model::new_uuid().text() + "\"";
    CHECK(pointer_of(bed.write(R"({"text":"x","mentions":[)" + many + "]}")) == "/mentions");
    CHECK(pointer_of(bed.write(R"({"text":" "})")) == "/text");
    CHECK(pointer_of(bed.write(R"({"text":")" + std::string(5'001, 'x') + "\"}")) == "/text");
    CHECK(bed.write(R"({"text":")" + std::string(5'000, 'x') + "\"}").status == 201);
    CHECK(bed.count() == 1);

    const auto made = bed.write(R"({"text":"x","mentions":[")" + colleague + "\"]}");
    const auto path = "/api/notes/" + std::string(json_of(made).at("note").at("uniqueId").as_string());
    bed.organizations.answers["/internal/members/summaries"] = {503, ""};
    CHECK(bed.write(R"({"text":"x","mentions":[")" + colleague + "\"]}").status == 503);
    CHECK(bed.write(R"({"text":"x"})").status == 201);
    // A member who has left stays mentioned.
    CHECK(bed.post(path, R"({"text":"y","mentions":[")" + colleague + "\"]}").status == 200);
    bed.organizations.answers["/internal/members/summaries"] = {200, ""};
    CHECK(pointer_of(bed.post(path, R"({"mentions":[")" + stranger + "\"]}")) == "/mentions/0");
    CHECK(json_of(bed.get(path)).at("note").at("mentions").as_array() == boost::json::array{colleague});
  }

  TEST_CASE("its author changes a note, as it was seen; who may delete conversations deletes it too") {
    Bed bed;
    const auto path = bed.written("before");
    const auto tag = [&] {
      const auto head = bed.get(path).head;
      const auto at = head.find("ETag: ") + 6;
      return head.substr(at, head.find("\r\n", at) - at);
    };
    const auto seen = tag();
    bed.extra = {{"If-Match", "\"other\""}};
    CHECK(bed.post(path, R"({"text":"after"})").status == 412);
    CHECK(bed.remove(path).status == 412);
    bed.extra = {{"If-Match", seen}};
    const auto changed = bed.post(path, R"({"text":"after"})");
    CHECK(changed.status == 200);
    CHECK(json_of(changed).at("note").at("text").as_string() == "after");
    CHECK(json_of(changed).at("note").at("editedAt").is_string());
    CHECK(bed.post(path, R"({"text":"later"})").status == 412);
    bed.extra.clear();
    CHECK(bed.post(path, R"({"text":"after"})").status == 200);
    CHECK(bed.told() == "note.created note.changed");

    bed.caller = model::new_uuid();
    CHECK(bed.post(path, R"({"text":"another's"})").status == 403);
    bed.permissions.remove(Permission::delete_conversation);
    const auto refused = bed.remove(path);
    CHECK(refused.status == 403);
    CHECK(refused.body.find("Delete:Conversation") != refused.body.npos);
    bed.permissions = identity::PermissionSet::all();
    CHECK(bed.remove(path).status == 204);
    CHECK(bed.get(path).status == 404);
    CHECK(bed.post(path, R"({"text":"x"})").status == 404);
    CHECK(bed.remove(path).status == 404);
    CHECK(bed.told() == "note.created note.changed note.deleted");

    bed.permissions.remove(Permission::delete_conversation);
    CHECK(bed.remove(bed.written("one's own")).status == 204);
  }

  TEST_CASE("notes are read page by page, in both orders") {
    Bed bed;
    std::vector<std::string> texts;
    for (int i = 0; i < 5; ++i) bed.written(texts.emplace_back("note " + std::to_string(i)));
    bed.database.add_note(bed.organization, bed.database.add_conversation(bed.organization, model::new_uuid()));
    const auto list = path_of(bed.conversation) + "/notes?per_page=2";
    CHECK(follow(bed, texts_in, list + "&order=asc") == texts);
    std::ranges::reverse(texts);
    CHECK(follow(bed, texts_in, list) == texts);
    const auto next = next_of(bed.get(list));
    CHECK(bed.get(next + "&order=asc").status == 400);
    CHECK(bed.get(list + "&cursor=nonsense").status == 400);
    CHECK(bed.get(path_of(model::new_uuid()) + "/notes").status == 404);
  }

  TEST_CASE("nothing is written into a conversation that is Deleted, and no note of it is found") {
    Bed bed;
    const auto path = bed.written("secret");
    const auto set = [&](const std::string& to) {
      bed.database.execute("UPDATE conversation SET " + to + " WHERE id = " + quoted(bed.conversation));
    };
    set("status = 'Closed'");
    CHECK(bed.write(R"({"text":"x"})").status == 201);
    set("status = 'Deleted', tombstone = true");
    CHECK(bed.write(R"({"text":"x"})").status == 409);
    const auto list = bed.get(path_of(bed.conversation) + "/notes");
    CHECK(list.status == 200);
    CHECK(texts_in(list).empty());
    set("tombstone = false");
    CHECK(bed.write(R"({"text":"x"})").status == 404);
    CHECK(bed.get(path_of(bed.conversation) + "/notes").status == 404);
    CHECK(bed.get(path).status == 404);
    CHECK(bed.post(path, R"({"text":"x"})").status == 404);
    CHECK(bed.remove(path).status == 404);
  }

  TEST_CASE("a deleted conversation's notes go soon, and so do those of a deleted contact's conversations") {
    Hearing bed;
    auto& database = bed.database;
    const auto deleted = database.add_conversation(bed.organization, bed.contact, "Closed");
    const auto kept = database.add_conversation(bed.organization, bed.contact);
    const auto others = database.add_conversation(bed.organization, bed.neighbour);
    for (int i = 0; i < 7; ++i)
      for (const auto& id : {deleted, kept, others}) database.add_note(bed.organization, id);
    const auto notes = [&](const Uuid& id) {
      return database.number("SELECT count(*) FROM note WHERE conversation_id = " + quoted(id));
    };
    bed.loop.run([](Hearing& bed, Uuid id) -> awaitable<void> {
      auto transaction = co_await bed.loop.pool.begin();
      const auto old = co_await bed.store.lock(transaction, bed.organization, id);
      co_await bed.store.remove(transaction, bed.organization, id, old.value());
      co_await transaction.commit();
    }(bed, deleted));
    bed.sweep();
    CHECK(notes(deleted) == 0);
    CHECK(notes(kept) == 7);

    bed.apply(conversations::reconciliation::apply_feed, events::ContactsDeleted{bed.organization, {bed.contact}});
    bed.sweep();
    CHECK(notes(kept) == 0);
    CHECK(notes(others) == 7);
    CHECK(database.number("SELECT count(*) FROM removal") == 0);

    const auto into = model::new_uuid();
    bed.apply(conversations::reconciliation::apply_feed, events::ContactMerged{bed.organization, bed.neighbour, into});
    bed.sweep();
    CHECK(notes(others) == 7);
    CHECK(database.execute("SELECT contact_id FROM conversation WHERE id = " + quoted(others)) == into.text());
  }
}
