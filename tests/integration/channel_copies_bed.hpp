#pragma once
// Messages with files, and what copies these.
#include "common/removals/worker.hpp"
#include "conversations/channel/media/copier.hpp"
#include "conversations/channel/media/sql.hpp"
#include "conversations/recovery/deletions/store.hpp"
#include "tests/integration/channel_world.hpp"

namespace parley::channel_tests {

using conversations_tests::quoted;
namespace media = conversations::media;

inline std::string octets_of(std::size_t size) {
  std::string out(size, '\0');
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<char>(i * 2654435761U >> 13);
  return out;
}

struct Message {
  model::Uuid organization, conversation, contact, id;
  std::string media_id;

  std::string path() const { return "/api/messages/" + id.text() + "/media"; }
};

struct Copies : World {
  explicit Copies(std::optional<media::BucketSettings> bucket = {}) : World(std::move(bucket)) {}

  const model::Uuid organization = organizations.account.organizationId;

  media::CopierSettings settings() const {
    media::CopierSettings out;
    out.quotas = chassis::Quotas({{std::string(media::kQuota), 100}});
    out.idle_pause = 1ms;
    out.first_pause = 1h;  // until pass_time()
    out.longest_pause = 1h;
    return out;
  }
  media::CopierStats copy_until(media::Files& files, const media::CopierSettings& with,
                                const std::function<bool(const media::CopierStats&)>& is_over) {
    media::Copier copier(loop.process, pool, files, organizations.accounts, channel, with);
    copier.start();
    loop.turn_until([&] { return is_over(copier.stats()); });
    loop.run(copier.stop());
    return copier.stats();
  }
  // Copies until nothing is to be done any more.
  media::CopierStats copy(const media::CopierSettings& with) {
    int turns = 0;
    return copy_until(media_files, with, [&](const auto&) { return ++turns % 50 == 0 && due() == 0; });
  }
  media::CopierStats copy() { return copy(settings()); }
  // Of the files that wait: those whose time has come, or that are being copied.
  std::int64_t due() {
    return number("SELECT count(*) FROM media_file WHERE state = 'Waiting' AND (due_at <= now() OR lease IS NOT NULL)");
  }
  void pass_time() { database.execute("UPDATE media_file SET due_at = now() WHERE state = 'Waiting'"); }
  std::int64_t number(const std::string& sql) const { return database.number(sql); }

  std::string add_file(const std::string& type, const std::string& octets) {
    const auto response = loop.run(control_client.send({.method = http::Method::post,
                                                        .target = "/simulator/media",
                                                        .head = "Content-Type: " + type + "\r\n",
                                                        .body = octets}));
    REQUIRE(response.status < 300);
    return std::string(Answer{200, "", response.body}.json().at("id").as_string());
  }
  void vanish(const std::string& media_id) { control(http::Method::del, "/simulator/media?id=" + media_id); }

  Message add_message(const model::Uuid& of, const std::string& media_id, const std::string& columns = "",
                      const std::string& values = "") const {
    Message out{of, {}, model::new_uuid(), model::new_uuid(), media_id};
    out.conversation = database.add_conversation(of, out.contact);
    database.execute(
        "INSERT INTO message (organization_id, id, conversation_id, contact_id, direction, status, message_type, data" +
        columns + ") VALUES (" + quoted(of) + "," + quoted(out.id) + "," + quoted(out.conversation) + "," +
        quoted(out.contact) + ", 'InBound', 'Unread', 'Video', '{\"id\": \"" + media_id + "\"}'" + values + ")");
    return out;
  }
  Message receive(const std::string& octets, const std::string& type = "video/mp4") {
    return add_message(organization, add_file(type, octets));
  }
  std::string state(const Message& message) const {
    return database.execute(
        "SELECT coalesce((SELECT state || coalesce(' ' || reason, '') FROM media_file WHERE "
        "message_id = " +
        quoted(message.id) + "), 'none')");
  }
  // Octets that are stored, and those that are counted.
  std::int64_t stored() const { return number("SELECT coalesce(sum(length(octets)), 0) FROM media_chunk"); }
  std::int64_t used() const { return number("SELECT coalesce(sum(octets), 0) FROM media_use"); }

  void remove(const std::string& kind, const model::Uuid& id) {
    database.execute("INSERT INTO removal (organization_id, kind, id, started_at) VALUES (" + quoted(organization) +
                     ",'" + kind + "'," + quoted(id) + ", now() - interval '3 minutes')");
    removals::Worker worker(loop.process.context(), pool, conversations::deletions::kinds(),
                            [](std::string_view what) { FAIL_CHECK(what); },
                            {.most = 3, .busy_pause = 1ms, .idle_pause = 5ms});
    bool over = false;
    boost::asio::co_spawn(loop.process.context(), worker.run(), [&](std::exception_ptr) { over = true; });
    loop.turn_until([&] { return worker.stats().finished == 1; });
    worker.stop();
    loop.turn_until([&] { return over; });
  }
};

}  // namespace parley::channel_tests
