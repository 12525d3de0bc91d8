// Copies of files in a bucket, on a real S3 server.
#include "conversations/channel/media/sql.hpp"
#include "tests/integration/channel_copies_bed.hpp"
#include "tests/support/s3_server.hpp"

using namespace parley;
using namespace parley::channel_tests;

namespace {

support::S3Server& server() {
  static support::S3Server made;
  return made;
}

media::BucketSettings bucket() {
  media::BucketSettings out;
  out.url = "http://127.0.0.1:" + std::to_string(server().port()) + "/files/parley";
  out.region = "us-east-1";
  out.key = support::S3Server::key;
  out.secret = support::S3Server::secret;
  return out;
}

struct Stored {
  explicit Stored(const media::BucketSettings& settings = bucket()) : store(loop.process.context(), settings) {}
  void put(const std::string& key, const std::string& octets, std::size_t breaks_off_at = std::string::npos) {
    Pieces content(octets, breaks_off_at);
    loop.run(store.put(key, octets.size(), content));
  }
  std::optional<std::string> get(const std::string& key, std::uint64_t first, std::uint64_t most) {
    return loop.run(store.get(model::new_uuid(), key, first, most));
  }

  Loop loop;
  media::Bucket store;
};

// The server does not answer meanwhile.
struct Pause {
  Pause() { server().pause(); }
  ~Pause() { server().resume(); }
};

}  // namespace

TEST_SUITE("channel: media in a bucket") {
  TEST_CASE("an object is what was put, in any part, until it is removed") {
    Stored bed;
    const auto octets = octets_of(3'000'000);
    bed.put("one", octets);
    CHECK(bed.get("one", 0, 3'000'000) == octets);
    CHECK(bed.get("one", 1'234'567, 100) == octets.substr(1'234'567, 100));
    CHECK(bed.get("one", 2'999'999, 500) == octets.substr(2'999'999));
    CHECK_FALSE(bed.get("none", 0, 1));
    bed.loop.run(bed.store.remove("one"));
    CHECK_FALSE(bed.get("one", 0, 1));
    bed.loop.run(bed.store.remove("one"));
  }

  TEST_CASE("a file that breaks off is no object, and its connection does not wait for the rest") {
    Stored bed;
    CHECK_THROWS_AS(bed.put("half", octets_of(2'000'000), 1'000'000), http::Problem);
    CHECK_FALSE(bed.get("half", 0, 1));
    bed.put("half", "whole");
    CHECK(bed.get("half", 0, 100) == "whole");
  }

  TEST_CASE("nothing is served to who signs with another secret") {
    Stored owner;
    owner.put("secret", "octets");
    auto settings = bucket();
    settings.secret = "another";
    Stored stranger(settings);
    CHECK_THROWS(stranger.put("secret", "other"));
    CHECK_THROWS(stranger.get("secret", 0, 6));
    CHECK_THROWS(stranger.loop.run(stranger.store.remove("secret")));
    CHECK(owner.get("secret", 0, 6) == "octets");
  }

  TEST_CASE("the address of a bucket is read with its key, and a wrong one is named") {
    const auto read = [](const std::string& text) {
      ::setenv("PARLEY_MEDIA_URL", text.c_str(), 1);
      chassis::Environment environment;
      const auto settings = media::BucketSettings::read(environment);
      ::unsetenv("PARLEY_MEDIA_URL");
      return environment.faults().empty() ? settings : std::nullopt;
    };
    const auto local = read(server().url());
    REQUIRE(local);
    CHECK(local->url == bucket().url);
    CHECK(local->key == support::S3Server::key);
    CHECK(local->secret == support::S3Server::secret);
    const auto remote = read("s3://AKIAIOSFODNN7EXAMPLE:wJalrXUtnFEMI@s3.eu-central-1.amazonaws.com/bucket/");
    REQUIRE(remote);
    CHECK(remote->url == "https://s3.eu-central-1.amazonaws.com/bucket");
    for (const auto* text :
         {"s3://host/bucket", "s3://key@host/bucket", "s3://key:secret@host", "s3://key:secret@host/",
          "https://key:secret@host/bucket", "s3://key:secret@host/bucket?x=1", "bucket"}) {
      CAPTURE(text);
      CHECK_FALSE(read(text));
    }
  }

  TEST_CASE("a message's file stays in the bucket, is read from there in parts, and goes with its contact") {
    Copies world(bucket());
    const auto file = octets_of(6'000'000);
    const auto message = world.receive(file);
    CHECK(world.copy().kept == 1);
    CHECK(world.stored() == 0);
    CHECK(world.used() == std::ssize(file));
    world.vanish(message.media_id);
    CHECK(world.get(message.path()).body == file);
    const auto part = world.get(message.path(), {{"Range", "bytes=1999990-3000000"}});
    CHECK(part.status == 206);
    CHECK(part.body == file.substr(1'999'990, 1'000'011));

    world.remove("contact", message.contact);
    CHECK(world.number("SELECT count(*) FROM media_garbage") == 1);
    const auto key = world.database.execute("SELECT object_key FROM media_garbage");
    Stored bed;
    CHECK(bed.get(key, 0, 1));
    world.copy_until(world.media_files, world.settings(), [](const auto& stats) { return stats.cleared == 1; });
    CHECK_FALSE(bed.get(key, 0, 1));
    CHECK(world.number("SELECT count(*) FROM media_garbage") == 0);
  }

  TEST_CASE("a store that does not answer is told as such, and files are copied when it is back") {
    auto settings = bucket();
    settings.request = 1s;
    settings.upload = 2s;
    Copies world(settings);
    const auto copy_until_kept = [&](const Message& message) {
      support::wait_until([&] { return world.state(message) == "Kept"; },
                          [&] {
                            world.pass_time();
                            world.copy();
                          });
    };
    const auto kept = world.receive("kept");
    copy_until_kept(kept);
    std::optional<Pause> pause(std::in_place);
    const auto message = world.receive("later");
    CHECK(world.copy().retries == 1);
    CHECK(world.get(kept.path()).status == 503);
    pause.reset();
    copy_until_kept(message);
    for (const auto& [file, octets] : {std::pair(message, "later"), std::pair(kept, "kept")}) {
      Answer answer;
      support::wait_until([&] { return answer.status == 200; }, [&] { answer = world.get(file.path()); });
      CHECK(answer.body == octets);
    }
  }

  TEST_CASE("what an attempt stored for a message that is gone meanwhile is deleted too") {
    Copies world(bucket());
    const auto message = world.receive("octets");
    std::optional<Pause> pause(std::in_place);
    bool is_removed = false;
    const auto stats = world.copy_until(world.media_files, world.settings(), [&](const auto& so_far) {
      if (is_removed) return so_far.cleared == 1;
      if (world.number("SELECT count(*) FROM media_file WHERE octets IS NOT NULL") == 0) return false;
      is_removed = true;  // it is being stored
      world.database.execute("DELETE FROM message");
      CHECK(world.state(message) == "none");
      CHECK(world.number("SELECT count(*) FROM media_garbage WHERE due_at > now()") == 1);  // when the lease is over
      world.database.execute("DELETE FROM media_garbage");  // as if the attempt had taken longer
      pause.reset();
      return false;
    });
    CHECK(stats.kept == 0);
    CHECK_FALSE(Stored().get(world.organization.text() + "/" + message.id.text(), 0, 1));
  }

  TEST_CASE("a message that has another file by now is copied once the object of the first is deleted") {
    Copies world(bucket());
    const auto message = world.receive(octets_of(1'000));
    CHECK(world.copy().kept == 1);
    const auto second = octets_of(2'000);
    world.database.execute("UPDATE message SET data = '{\"id\": \"" + world.add_file("video/mp4", second) + "\"}'");
    const auto claimed = [&] {
      const auto results =
          world.loop.run(world.pool.write(pg::Batch(media::sql::claim, model::Uuid{}, media::Place::Bucket, 10, 0)));
      return results.row_count();
    };
    CHECK(claimed() == 0);
    CHECK(world.copy().kept == 1);
    CHECK(world.number("SELECT count(*) FROM media_garbage") == 0);
    CHECK(world.get(message.path()).body == second);
  }

  TEST_CASE("what was kept in the database is read from there when there is a bucket") {
    Copies world(bucket());
    media::Files files(world.loop.process, world.pool);
    const auto message = world.receive("in the database");
    world.copy_until(files, world.settings(), [](const auto& stats) { return stats.kept == 1; });
    CHECK(world.stored() == 15);
    world.vanish(message.media_id);
    CHECK(world.get(message.path()).body == "in the database");
  }
}
