// Copies of the files that come with messages: they stay when the channel has them no more.
#include "tests/integration/channel_copies_bed.hpp"

using namespace parley;
using namespace parley::channel_tests;

TEST_SUITE("channel: copies of media") {
  TEST_CASE("a file that a message brought stays as it was when the channel has it no more") {
    Copies world;
    const auto file = octets_of(1'000'000);
    const auto message = world.receive(file);
    CHECK(world.state(message) == "Waiting");
    const auto stats = world.copy();
    CHECK(stats.kept == 1);
    CHECK(stats.octets == file.size());
    CHECK(world.state(message) == "Kept");
    CHECK(world.stored() == std::ssize(file));
    CHECK(world.used() == std::ssize(file));
    world.vanish(message.media_id);
    world.organizations.status = 404;  // nor is there an account
    const auto back = world.get(message.path());
    CHECK(back.status == 200);
    CHECK(back.body == file);
    CHECK(back.has("Content-Type: video/mp4"));
    CHECK(back.has("Content-Disposition: inline"));
    CHECK(back.has("X-Content-Type-Options: nosniff"));
    CHECK(back.has("Content-Security-Policy: default-src 'none'; sandbox"));
    CHECK(back.has("Cross-Origin-Resource-Policy: same-site"));
    CHECK(back.has("Accept-Ranges: bytes"));
    CHECK(world.copy().kept == 0);
  }

  TEST_CASE("parts of a copy are served as they are asked for") {
    Copies world;
    const auto file = octets_of(700'000);
    const auto message = world.receive(file);
    world.copy();
    const auto part = [&](const std::string& range, Fields fields = {}) {
      fields.emplace_back("Range", range);
      return world.get(message.path(), std::move(fields));
    };
    const auto check = [&](const std::string& range, std::size_t first, std::size_t last) {
      CAPTURE(range);
      const auto answer = part(range);
      CHECK(answer.status == 206);
      CHECK(answer.has("Content-Range: bytes " + std::to_string(first) + "-" + std::to_string(last) + "/700000"));
      CHECK(answer.body == file.substr(first, last - first + 1));
    };
    check("bytes=0-1", 0, 1);
    check("bytes=262140-262150", 262'140, 262'150);  // on both sides of a chunk's end
    check("bytes=262144-524287", 262'144, 524'287);
    check("bytes=699999-", 699'999, 699'999);
    check("bytes=-5", 699'995, 699'999);
    check("bytes=1-9999999", 1, 699'999);
    CHECK(part("bytes=0-1,5-6").status == 200);
    CHECK(part("bytes=0-1,5-6").body == file);
    CHECK(part("octets=0-1").body == file);

    CHECK(part("bytes=700000-").status == 416);
    CHECK(part("bytes=700000-").has("Content-Range: bytes */700000"));

    const auto whole = world.get(message.path());
    const auto tag = whole.field("ETag");
    CHECK(part("bytes=0-1", {{"If-Range", tag}}).status == 206);
    CHECK(part("bytes=0-1", {{"If-Range", "\"other\""}}).body == file);
    CHECK(part("bytes=0-1", {{"If-Range", "W/" + tag}}).body == file);
    CHECK(world.get(message.path(), {{"If-None-Match", tag}}).status == 304);
    CHECK(part("bytes=700000-", {{"If-None-Match", tag}}).status == 304);
  }

  TEST_CASE("why there is no copy is told where the channel has the file no more") {
    Copies world;
    const auto gone = world.receive("gone");
    world.vanish(gone.media_id);
    auto settings = world.settings();
    settings.quotas = chassis::Quotas({{std::string(media::kQuota), 1}});
    const auto large = world.receive(octets_of((1 << 20) + 1));
    const auto stats = world.copy(settings);
    CHECK(stats.gone == 1);
    CHECK(stats.over_bound == 1);
    CHECK(world.state(gone) == "Missing Gone");
    CHECK(world.state(large) == "Missing OverBound");
    CHECK(world.used() == 0);
    CHECK(world.get(gone.path()).status == 410);
    CHECK(world.get(gone.path()).body.find("when it was to be copied") != std::string::npos);
    CHECK(world.get(large.path()).status == 200);  // the channel has it
    world.vanish(large.media_id);
    CHECK(world.get(large.path()).body.find("media-mib") != std::string::npos);
  }

  TEST_CASE("the bound of an organization is its own quota, and what is kept stays") {
    Copies world;
    world.database.execute("INSERT INTO quota VALUES (" + quoted(world.organization) + ", 'media-mib', 2)");
    std::vector<Message> messages;
    for (int i = 0; i < 4; ++i) messages.push_back(world.receive(octets_of(900'000)));
    CHECK(world.copy().kept == 2);
    CHECK(world.used() == 1'800'000);
    CHECK(world.number("SELECT quota_used(" + quoted(world.organization) + ", 'media-mib')") == 2);
    CHECK(world.number("SELECT count(*) FROM outbox WHERE changes::text LIKE '%quota.reached%media-mib%'") == 1);
    // What goes makes room.
    for (const auto& message : messages)
      if (world.state(message) == "Kept") {
        world.remove("conversation", message.conversation);
        break;
      }
    CHECK(world.used() == 900'000);
    const auto later = world.receive(octets_of(900'000));
    CHECK(world.copy().kept == 1);
    CHECK(world.state(later) == "Kept");
  }

  TEST_CASE("a file that cannot be had now is copied later, and given up after days") {
    Copies world;
    const auto message = world.receive(octets_of(10'000));
    world.fail(R"({"path":"/)" + message.media_id + R"(","method":"GET","times":2,"status":500})");
    CHECK(world.copy().retries == 1);
    CHECK(world.state(message) == "Waiting");
    CHECK(world.stored() == 0);
    CHECK(world.used() == 0);
    world.control(http::Method::del, "/simulator/faults");
    world.organizations.status = 404;  // nobody is connected
    world.organizations.accounts.forget(world.organization);
    world.pass_time();
    CHECK(world.copy().retries == 1);
    world.organizations.status = 200;
    world.organizations.accounts.forget(world.organization);
    world.pass_time();
    CHECK(world.copy().kept == 1);

    const auto other = world.receive("other");
    world.fail(R"({"path":"/)" + other.media_id + R"(","method":"GET","times":9,"status":500})");
    world.database.execute("UPDATE media_file SET created_at = now() - interval '4 days' WHERE state = 'Waiting'");
    CHECK(world.copy().unavailable == 1);
    CHECK(world.state(other) == "Missing Unavailable");
  }

  TEST_CASE("a file that is not what the channel says is not kept") {
    Copies world;
    const auto message = world.receive(octets_of(600'000));
    const auto shown = world.loop.run(world.control_client.send(
        {.method = http::Method::get,
         .target = "/v20.0/" + message.media_id,
         .head = "Authorization: Bearer " + world.organizations.account.accessToken + "\r\n"}));
    auto told = Answer{200, "", shown.body}.json().as_object();
    told["sha256"] = std::string(64, 'a');
    world.fail(boost::json::serialize(boost::json::value{
        {"path", "/" + message.media_id}, {"method", "GET"}, {"status", 200}, {"body", boost::json::serialize(told)}}));
    CHECK(world.copy().retries == 1);
    CHECK(world.state(message) == "Waiting");
    CHECK(world.stored() == 0);
    world.pass_time();
    CHECK(world.copy().kept == 1);
  }

  TEST_CASE(
      "a file whose process is gone is copied by another once its lease is over, and the first adds nothing more") {
    Copies world;
    const auto file = octets_of(600'000);
    const auto message = world.receive(file);
    const auto claimed = world.loop.run(world.pool.write(
        pg::Batch(media::sql::claim, model::Uuid{}, media::Place::Database, std::int64_t{4}, std::int64_t{3600})));
    const auto row = claimed.one<media::ClaimedRow>();
    const auto add = [&] {
      Pieces content(file);
      world.loop.run(world.media_files.write({message.organization, message.id}, row.lease, file.size(), content));
    };
    add();
    world.pass_time();
    CHECK(world.copy().kept == 1);
    CHECK_THROWS(add());
    const auto kept = world.loop.run(world.pool.write(
        pg::Batch(media::sql::keep, message.organization, message.id, row.lease, "hash", "text/html")));
    CHECK(kept.affected() == 0);
  }

  TEST_CASE("an attempt whose lease is over takes nothing from the one that has kept the file") {
    Copies world;
    const auto file = octets_of(600'000);
    const auto message = world.receive(file);
    CHECK(world.copy().kept == 1);
    Pieces late(file);
    CHECK_THROWS(world.loop.run(
        world.media_files.write({world.organization, message.id}, model::new_uuid(), file.size(), late)));
    CHECK(world.stored() == std::ssize(file));
    CHECK(world.get(message.path()).body == file);
  }

  TEST_CASE("organizations take turns, however many files one of them has") {
    Copies world;
    std::vector<model::Uuid> others{model::new_uuid(), model::new_uuid()};
    const auto id = world.add_file("video/mp4", "file");
    for (int i = 0; i < 6; ++i) world.add_message(world.organization, id);
    for (const auto& other : others) world.add_message(other, id);
    std::set<model::Uuid> first;
    model::Uuid after;
    for (int i = 0; i < 3; ++i) {
      const auto claimed = world.loop.run(world.pool.write(
          pg::Batch(media::sql::claim, after, media::Place::Database, std::int64_t{1}, std::int64_t{3600})));
      after = claimed.one<media::ClaimedRow>().organization_id;
      first.insert(after);
    }
    CHECK(first.size() == 3);
  }

  TEST_CASE("the files of a deleted contact, conversation or organization go, also what just waits") {
    Copies world;
    const auto file = octets_of(1'500'000);
    const auto of_contact = world.receive(file), of_conversation = world.receive(file), other = world.receive(file);
    world.copy();
    const auto waiting = world.receive(file);
    CHECK(world.stored() == 4'500'000);
    world.remove("contact", of_contact.contact);
    CHECK(world.state(of_contact) == "none");
    world.remove("conversation", of_conversation.conversation);
    CHECK(world.state(of_conversation) == "none");
    CHECK(world.stored() == 1'500'000);
    CHECK(world.used() == 1'500'000);
    CHECK(world.get(other.path()).body == file);
    world.remove("contact", waiting.contact);
    CHECK(world.state(waiting) == "none");
    const auto deleted = world.receive("deleted");
    world.database.execute("DELETE FROM message WHERE id = " + quoted(deleted.id));  // as the release before does
    CHECK(world.state(deleted) == "none");
    world.remove("organization", world.organization);
    CHECK(world.state(other) == "none");
    CHECK(world.number("SELECT count(*) FROM media_use") == 0);
    CHECK(world.stored() == 0);
  }

  TEST_CASE("a file goes with the content of its message, and when its time is over") {
    Copies world;
    const auto revoked = world.receive("revoked"), kept = world.receive("kept"), old = world.receive("old");
    world.copy();
    world.database.execute("UPDATE message SET data = '{\"revoked\": true}' WHERE id = " + quoted(revoked.id));
    CHECK(world.state(revoked) == "none");
    world.database.execute("UPDATE media_file SET kept_at = now() - interval '366 days' WHERE message_id = " +
                           quoted(old.id));
    world.copy_until(world.media_files, world.settings(), [](const auto& stats) { return stats.expired == 1; });
    CHECK(world.state(old) == "Missing Expired");
    CHECK(world.state(kept) == "Kept");
    CHECK(world.stored() == 4);
    world.vanish(old.media_id);
    CHECK(world.get(old.path()).body.find("its time was over") != std::string::npos);
  }

  TEST_CASE("files that members send are copied, but none of a campaign's message or of a blocked contact") {
    Copies world;
    const auto id = world.add_file("video/mp4", "file");
    CHECK(world.state(world.add_message(world.organization, id)) == "Waiting");
    CHECK(world.state(world.add_message(world.organization, id, ", campaign_id", ", gen_random_uuid()")) == "none");
    const auto blocked = world.add_message(world.organization, id);
    world.database.execute("INSERT INTO suppression (organization_id, contact_id, blocked) VALUES (" +
                           quoted(world.organization) + "," + quoted(blocked.contact) + ", true)");
    world.database.execute(
        "INSERT INTO message (organization_id, id, conversation_id, contact_id, direction, status, message_type, data) "
        "SELECT organization_id, gen_random_uuid(), conversation_id, contact_id, direction, status, message_type, data "
        "FROM message WHERE id = " +
        quoted(blocked.id));
    CHECK(world.number("SELECT count(*) FROM media_file") == 2);
    world.database.execute("UPDATE suppression SET blocked = false");
    world.database.execute(
        "INSERT INTO message (organization_id, id, conversation_id, contact_id, direction, status, message_type, data) "
        "SELECT organization_id, gen_random_uuid(), conversation_id, contact_id, 'OutBound', 'Queued', message_type, "
        "data FROM message WHERE id = " +
        quoted(blocked.id));
    CHECK(world.copy().kept == 3);
  }
}
