// The conversations that contacts embed: requests that are read together ask for theirs together.
#include <doctest/doctest.h>

#include "contacts/contacts/embedding.hpp"
#include "tests/integration/conversations_service.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/process.hpp"

namespace parley::contacts_tests {

namespace {

using contacts::contacts::Embedding;
using model::Uuid;
constexpr auto kPath = "/internal/conversations/of-contacts";

struct Bed {
  ~Bed() {
    conversations.stop();
    turn_until([&] { return conversations.stopped(); });
  }

  chassis::Process process{support::process_settings("contacts")};
  conversations_tests::Neighbour conversations{process};
  chassis::ServiceClient peer{process, "conversations", conversations.url()};
  Embedding embedding{process, peer};
  chassis::RequestContext scope = chassis::RequestContext::own();
  Uuid organization = model::new_uuid();
  std::vector<std::string> answers;  // of those that have one
  int missing = 0;

  void turn_until(const std::function<bool()>& condition) { support::run_until(process.context(), condition); }

  void ask(const Uuid& contact, std::int64_t messages = 20) { ask_of(organization, contact, messages); }
  void ask_of(const Uuid& of, const Uuid& contact, std::int64_t messages = 20) {
    const auto wait = [](Bed& bed, Embedding::Asked asked, Uuid id) -> boost::asio::awaitable<void> {
      const auto answer = co_await bed.embedding.answer(bed.scope, std::move(asked));
      if (answer)
        bed.answers.push_back(id.text() + answer->text);
      else
        ++bed.missing;
    };
    process.spawn("a question", wait(*this, embedding.ask(scope, of, messages, contact), contact));
  }
  void until_answered(std::size_t count) {
    turn_until([&] { return answers.size() + static_cast<std::size_t>(missing) == count; });
  }
  std::vector<std::string> asked() const { return conversations.asked(kPath); }
  std::string target(std::span<const Uuid> contacts, int messages = 20) const {
    auto out =
        kPath + ("?organization_id=" + organization.text()) + "&messages=" + std::to_string(messages) + "&contact_ids=";
    for (const auto& contact : contacts) out += (&contact == contacts.data() ? "" : ",") + contact.text();
    return out;
  }
};

std::vector<Uuid> new_ids(std::size_t count) {
  std::vector<Uuid> out(count);
  for (auto& id : out) id = model::new_uuid();
  return out;
}

}  // namespace

TEST_CASE("embedding: contacts asked for in one turn are one request, and each gets its own conversations") {
  Bed bed;
  const auto ids = new_ids(3);
  bed.conversations.body = ids[2].text() + " [2]\n" + ids[0].text() + " [0]\n";
  for (const auto& id : ids) bed.ask(id);
  bed.until_answered(3);
  CHECK(bed.answers == std::vector{ids[0].text() + "[0]", ids[1].text() + "[]", ids[2].text() + "[2]"});
  CHECK(bed.asked() == std::vector{bed.target(ids)});

  bed.ask(ids[1]);  // nothing is kept for later
  bed.until_answered(4);
  CHECK(bed.asked().back() == bed.target({&ids[1], 1}));
}

TEST_CASE("embedding: two requests for one contact ask for it once") {
  Bed bed;
  const auto ids = new_ids(1);
  bed.conversations.body = ids[0].text() + " [0]\n";
  for (int i = 0; i < 20; ++i) bed.ask(ids[0]);
  bed.until_answered(20);
  CHECK(bed.answers == std::vector(20, ids[0].text() + "[0]"));
  CHECK(bed.asked() == std::vector{bed.target(ids)});
}

TEST_CASE("embedding: organizations and permissions are never asked for together, nor too many contacts") {
  Bed bed;
  const auto ids = new_ids(2 * contracts::conversations::kSeveralContacts + 1);
  const auto other = model::new_uuid();
  for (const auto& id : ids) bed.ask(id);
  bed.ask(ids[0], 0);
  bed.ask_of(other, ids[0]);
  bed.until_answered(ids.size() + 2);
  CHECK(bed.missing == 0);
  auto asked = bed.asked();
  std::ranges::sort(asked);
  const std::span all(ids);
  constexpr auto most = contracts::conversations::kSeveralContacts;
  std::vector<std::string> expected{bed.target(all.first(most)), bed.target(all.subspan(most, most)),
                                    bed.target(all.subspan(2 * most)), bed.target(all.first(1), 0)};
  bed.organization = other;
  expected.push_back(bed.target(all.first(1)));
  std::ranges::sort(expected);
  CHECK(asked == expected);
}

TEST_CASE("embedding: all miss what could not be read, and the next ones ask again") {
  Bed bed;
  const auto ids = new_ids(2);
  for (const auto& [status, body] : {std::pair{500U, ""}, std::pair{200U, "no line\n"}}) {
    INFO(status);
    bed.missing = 0;
    bed.conversations.status = status;
    bed.conversations.body = body;
    for (const auto& id : ids) bed.ask(id);
    bed.until_answered(2);
    CHECK(bed.missing == 2);
  }
  bed.conversations.body = ids[0].text() + " [0]\n";
  bed.ask(ids[0]);
  bed.turn_until([&] { return !bed.answers.empty(); });
  CHECK(bed.answers.back() == ids[0].text() + "[0]");
}

TEST_CASE("embedding: whose messages are too long for an answer about several is asked for alone") {
  Bed bed;
  const auto ids = new_ids(3);
  bed.conversations.when_asked = [&] {
    const bool alone = bed.asked().size() > 1;
    bed.conversations.body = alone ? ids[1].text() + " [\"long\"]\n"
                                   : ids[0].text() + " [0]\n" + ids[1].text() + " null\n" + ids[2].text() + " [2]\n";
  };
  for (const auto& id : ids) bed.ask(id);
  bed.until_answered(3);
  CHECK(bed.answers == std::vector{ids[0].text() + "[0]", ids[2].text() + "[2]", ids[1].text() + "[\"long\"]"});
  CHECK(bed.asked() == std::vector{bed.target(ids), bed.target({&ids[1], 1})});
}

TEST_CASE("embedding: a request whose trace is recorded asks alone") {
  Bed bed;
  const auto ids = new_ids(3);
  bed.ask(ids[0]);
  {
    auto trace = model::TraceContext::begin();
    trace.flags |= model::TraceContext::kSampled;
    const model::InTrace traced(trace);
    bed.ask(ids[1]);
  }
  bed.ask(ids[2]);
  bed.until_answered(3);
  auto asked = bed.asked();
  std::ranges::sort(asked, {}, &std::string::size);
  CHECK(asked == std::vector{bed.target({&ids[1], 1}), bed.target(std::vector{ids[0], ids[2]})});
}

}  // namespace parley::contacts_tests
