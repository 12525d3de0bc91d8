// The walk over contacts that makes up for events which can be read no more.
#include "conversations/recovery/reconciliation/reconciler.hpp"

#include <map>

#include "common/chassis/service_client.hpp"
#include "tests/integration/conversations_hearing.hpp"

using namespace parley;
using namespace parley::conversations_tests;
using conversations::reconciliation::begin_walk;
using conversations::reconciliation::Reconciler;

namespace {

// What the walk looks at, and the name that a contract's Address must have.
struct Address {
  std::string status;
  std::optional<model::Timestamp> statusAt;
  std::string name{};
};
BOOST_DESCRIBE_STRUCT(Address, (), (status, statusAt, name))

struct Bed : Hearing {
  std::map<Uuid, Address> known;  // what contacts would answer
  std::vector<std::size_t> asked;
  int failures = 0;  // still to come
  int strange = 0;   // answers of something that is not contacts, likewise
  std::function<void()> meanwhile = [] {};

  void begin() {
    loop.run([](Bed& bed) -> awaitable<void> {
      auto transaction = co_await bed.loop.pool.begin();
      co_await begin_walk(transaction);
      co_await transaction.commit();
    }(*this));
  }
  awaitable<http::ClientResponse> answer(http::ClientRequest request) {
    if (failures > 0 && failures-- > 0) throw std::runtime_error("nobody answers");
    if (strange > 0 && strange-- > 0) co_return http::ClientResponse{200, "<html>\n</html>\n"};
    chassis::Lines<Address> lines;
    const auto ids = request.target.substr(request.target.find("contact_ids=") + 12);
    std::size_t count = 0;
    for (std::size_t at = 0; at < ids.size(); at += 37, ++count) {
      const auto id = Uuid::parse(ids.substr(at, 36)).value();
      const bool ours = request.target.find(organization.text()) != std::string::npos;
      if (ours && known.contains(id)) lines.append(id, known.at(id));
    }
    asked.push_back(count);
    meanwhile();
    co_return http::ClientResponse{200, std::move(lines.text)};
  }
  std::unique_ptr<Reconciler> walker(std::int64_t most = 3) {
    return std::make_unique<Reconciler>(
        loop.context(), loop.pool, [this](http::ClientRequest request) { return answer(std::move(request)); },
        [](std::string_view) {},
        conversations::reconciliation::ReconcilerSettings{
            .most = most, .busy_pause = 1ms, .idle_pause = 1ms, .retry_pause = 1ms});
  }
  // To the walk's end, by several.
  void walk(int walkers = 1) {
    std::vector<std::unique_ptr<Reconciler>> all;
    for (int i = 0; i < walkers; ++i) loop.launch(all.emplace_back(walker())->run());
    loop.until([&] { return database.number("SELECT count(*) FROM contact_walk") == 0; });
    for (auto& each : all) each->stop();
    loop.finish();
  }
  void suppress(const Uuid& who, bool opted_out, std::optional<int> opted_out_at, bool blocked,
                std::optional<int> blocked_at) {
    const auto time = [](std::optional<int> at) {
      return at ? "to_timestamp(" + std::to_string(*at) + ")" : "timestamptz '-infinity'";
    };
    database.execute("INSERT INTO suppression VALUES (" + quoted(organization) + ", " + quoted(who) + ", " +
                     (opted_out ? "true" : "false") + ", " + time(opted_out_at) + ", " + (blocked ? "true" : "false") +
                     ", " + time(blocked_at) + ")");
  }
  std::string suppression(const Uuid& who) {
    return database.execute(
        "SELECT concat(CASE WHEN opted_out THEN 'out' ELSE 'in' END, ' ', CASE WHEN blocked THEN "
        "'blocked' ELSE 'free' END) FROM suppression WHERE contact_id = " +
        quoted(who));
  }
  std::string status_of(const Uuid& id) {
    return database.execute("SELECT status FROM conversation WHERE id = " + quoted(id));
  }
};

std::optional<model::Timestamp> second(int n) { return model::Timestamp{n * 1'000}; }

}  // namespace

TEST_SUITE("integration: conversations, walk over contacts") {
  TEST_CASE("contacts that are no more are buried, and kept for a week in case they come back") {
    Bed bed;
    std::vector<Uuid> there, gone;
    for (int i = 0; i < 7; ++i) {
      there.push_back(bed.database.add_conversation(bed.organization, model::new_uuid()));
      bed.known[*Uuid::parse(bed.database.execute("SELECT contact_id FROM conversation WHERE id = " +
                                                  quoted(there.back())))] = {"Active", {}};
      gone.push_back(bed.database.add_conversation(i % 2 ? bed.organization : bed.other, model::new_uuid()));
      bed.database.add_message(i % 2 ? bed.organization : bed.other, gone.back(), "Unread", 1, R"({"text": "secret"})");
    }
    bed.failures = 2;
    bed.begin();
    bed.walk(3);
    for (const auto& id : there) CHECK_EQ(bed.status_of(id), "Active");
    for (const auto& id : gone) CHECK_EQ(bed.status_of(id), "Deleted");
    CHECK_EQ(bed.database.number("SELECT count(*) FROM message WHERE data ->> 'text' = 'secret'"), 7);
    CHECK_EQ(bed.database.number("SELECT count(*) FROM removal WHERE due_at > now() + interval '6 days'"), 7);
    for (const auto count : bed.asked) CHECK_LE(count, 3);

    // The right backup was found for three of them.
    int back = 0;
    for (const auto& id : gone)
      if (const auto who =
              Uuid::parse(bed.database.execute("SELECT contact_id FROM conversation WHERE organization_id = " +
                                               quoted(bed.organization) + " AND id = " + quoted(id)))) {
        bed.known[*who] = {"Active", {}};
        ++back;
      }
    REQUIRE_EQ(back, 3);
    bed.begin();
    bed.walk();
    CHECK_EQ(bed.database.number("SELECT count(*) FROM conversation WHERE status = 'Closed' AND NOT tombstone"), 3);
    CHECK_EQ(bed.database.number("SELECT count(*) FROM removal"), 4);

    bed.database.execute("UPDATE removal SET due_at = now()");
    bed.sweep();
    CHECK_EQ(bed.database.number("SELECT count(*) FROM message WHERE data ->> 'text' = 'secret'"), 3);
    CHECK_EQ(bed.database.drifted(), 0);
  }

  TEST_CASE("an answer without lines that can be read buries nobody") {
    Bed bed;
    const auto id = bed.database.add_conversation(bed.organization, bed.contact);
    bed.known[bed.contact] = {"Active", {}};
    bed.strange = 2;
    bed.begin();
    bed.walk();
    CHECK_EQ(bed.strange, 0);
    CHECK_EQ(bed.status_of(id), "Active");
  }

  TEST_CASE("the newer word holds on either side; who is blocked contacts decides") {
    struct Case {
      bool out;
      std::optional<int> out_at;
      bool blocked;
      std::optional<int> blocked_at;
      Address known;
      std::string becomes, told;
    };
    const std::vector<Case> cases{
        {false, {}, false, {}, {"OptedOut", second(5)}, "out free", ""},
        {false, {}, false, {}, {"Blocked", second(5)}, "in blocked", ""},
        {true, 3, false, {}, {"Active", second(5)}, "in free", ""},
        {true, 5, false, {}, {"Active", second(5)}, "out free", "contact.opted_out"},
        {true, 7, false, {}, {"Active", {}}, "out free", "contact.opted_out"},
        {false, 7, false, 7, {"OptedOut", second(5)}, "in free", "contact.opted_in"},
        {true, 7, false, {}, {"OptedOut", second(5)}, "out free", ""},
        {false, {}, true, 9, {"Active", second(5)}, "in free", ""},
        {false, {}, true, 9, {"Active", {}}, "in free", ""},
        {false, {}, false, 9, {"Blocked", second(5)}, "in blocked", ""},
        {false, {}, true, 5, {"Blocked", second(5)}, "in blocked", ""},
    };
    for (std::size_t i = 0; i < cases.size(); ++i) {
      CAPTURE(i);
      const auto& each = cases[i];
      Bed bed;
      bed.known[bed.contact] = each.known;
      bed.suppress(bed.contact, each.out, each.out_at, each.blocked, each.blocked_at);
      bed.begin();
      bed.walk();
      CHECK_EQ(bed.suppression(bed.contact), each.becomes);
      CHECK_EQ(bed.told(), each.told);
    }
  }

  TEST_CASE("what is heard while contacts is asked is not undone by its answer") {
    Bed bed;
    bed.known[bed.contact] = {"Active", second(5)};
    bed.suppress(bed.contact, false, {}, true, 9);
    bed.begin();
    const auto walker = bed.walker();
    bed.meanwhile = [&] {
      bed.database.execute(
          "UPDATE suppression SET blocked_at = to_timestamp(10), opted_out = true, opted_out_at = to_timestamp(10)");
    };
    bed.loop.launch(walker->run());
    bed.loop.until([&] { return walker->stats().walks == 1; });
    walker->stop();
    bed.loop.finish();
    CHECK_EQ(bed.suppression(bed.contact), "out blocked");
  }

  TEST_CASE("a walk that was begun anew begins anew, and one that was left goes on") {
    Bed bed;
    for (int i = 0; i < 20; ++i) bed.database.add_conversation(bed.organization, model::new_uuid());
    bed.begin();
    for (int round = 0; round < 4; ++round) {  // each is let go after a question
      const auto walker = bed.walker(2);
      const auto before = bed.asked.size();
      bed.loop.launch(walker->run());
      bed.loop.until([&] { return bed.asked.size() > before; });
      walker->stop();
      bed.loop.finish();
    }
    CHECK_EQ(bed.database.number("SELECT count(*) FROM conversation WHERE status = 'Deleted'"), 8);
    bed.database.execute("UPDATE conversation SET status = 'Active', tombstone = false");
    bed.begin();
    bed.walk();
    CHECK_EQ(bed.database.number("SELECT count(*) FROM conversation WHERE status = 'Deleted'"), 20);
  }
}
