// Files of messages in a bucket, on a real S3 server.
#include <ctime>

#include "tests/e2e/channel_bed.hpp"
#include "tests/support/s3_server.hpp"

using namespace parley;
using namespace parley::e2e;

namespace json = boost::json;

TEST_CASE(
    "media: a file whose dispatcher is killed while it copies is in the bucket in the end, and leaves it with its "
    "contact") {
  support::S3Server store;
  System system({.environment = {{"PARLEY_MEDIA_URL", store.url()}}});
  Channel channel(system, "bucket", "291100000041");
  auto client = channel.client();
  auto& sql = system.sql("conversations");
  const std::string file(3'000'000, 'x');
  const auto id = std::string(client.post("/api/messages/media", file, {{"Content-Type", "application/pdf"}})
                                  .json()
                                  .at("media")
                                  .at("id")
                                  .as_string());
  store.pause();
  channel.deliver(channel.body({json::object{{"from", "4915711100041"},
                                             {"id", "wamid.bucket.1"},
                                             {"timestamp", std::to_string(std::time(nullptr))},
                                             {"type", "document"},
                                             {"document", {{"id", id}, {"mime_type", "application/pdf"}}}}}));
  wait_for("it is being copied", [&] { return sql.value("SELECT count(*) FROM media_file WHERE octets > 0") == "1"; });
  system.dispatcher().kill();
  store.resume();
  sql.rows("UPDATE media_file SET due_at = now()");  // its lease is over
  system.dispatcher().start();
  wait_for("it is copied", [&] { return sql.value("SELECT place FROM media_file WHERE state = 'Kept'") == "Bucket"; });
  channel.simulator("DELETE", "/simulator/media?id=" + id);

  const auto path = "/api/messages/" + sql.value("SELECT message_id FROM media_file") + "/media";
  CHECK(client.get(path).body == file);
  const auto part = client("GET", path, "", {{"Range", "bytes=-10"}});
  CHECK_EQ(part.status, 206);
  CHECK_EQ(part.body.size(), 10);
  CHECK_EQ(sql.value("SELECT count(*) FROM media_chunk"), "0");

  const auto contact = std::string(channel.contact("4915711100041").at("uniqueId").as_string());
  CHECK_EQ(client("DELETE", "/api/contacts/" + contact).status, 204);
  wait_for("its file is gone", [&] { return sql.value("SELECT count(*) FROM media_file") == "0"; });
  CHECK_EQ(client.get(path).status, 404);
  wait_for("its object is deleted", [&] { return sql.value("SELECT count(*) FROM media_garbage") == "0"; });
}
