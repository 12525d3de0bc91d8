#include "conversations/inbox/webhooks/people.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "common/http/answer.hpp"
#include "common/model/text.hpp"

namespace parley::conversations::webhooks {

namespace {

constexpr std::size_t kMaxPeople = 1'000;  // of a question

struct Person {
  std::optional<std::string> phone, channelUserId, name, formerPhone;
};
BOOST_DESCRIBE_STRUCT(Person, (), (phone, channelUserId, name, formerPhone))

struct Question {
  model::Uuid organizationId;
  std::vector<Person> people;
};
BOOST_DESCRIBE_STRUCT(Question, (), (organizationId, people))

struct Answer {
  std::vector<Contact> contacts;
};
BOOST_DESCRIBE_STRUCT(Answer, (), (contacts))

std::optional<std::string> some(const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); }

awaitable<std::vector<Contact>> ask(chassis::ServiceClient& contacts, Question question,
                                    std::chrono::milliseconds answer_time) {
  chassis::RequestContext scope;
  scope.request_id = model::new_uuid().text();
  http::ClientRequest request{.method = http::Method::post,
                              .target = "/internal/contacts/resolve",
                              .head = "Content-Type: application/json\r\n",
                              .body = model::to_json(question),
                              .replayable = true,
                              .answer_time = answer_time};
  const auto answered = co_await contacts.send(std::move(request), scope);
  if (answered.status == 400)
    throw RefusedPeople("contacts answered " + std::to_string(answered.status) + ": " +
                        model::repaired(model::first_octets(answered.body, 500)));
  auto answer = http::read_answer<Answer>(answered, contacts.context());
  if (answer.contacts.size() != question.people.size())
    throw http::Unreachable(http::Unreachable::Why::bad_answer, contacts.context() + " told of other people", false);
  co_return std::move(answer.contacts);
}

}  // namespace

awaitable<std::vector<Contact>> resolve(chassis::ServiceClient& contacts, model::Uuid organization,
                                        std::span<const Sender* const> senders, std::chrono::milliseconds answer_time) {
  // Each once, as one who writes a lot is in every other element; the place in the question by sender.
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places;
  std::vector<std::size_t> place_of_sender;
  std::vector<Person> people;
  for (const auto* sender : senders) {
    const auto [at, is_new] =
        places.emplace(std::tuple(sender->phone, sender->user_id, sender->former_phone), people.size());
    if (is_new) people.push_back({some(sender->phone), some(sender->user_id), {}, some(sender->former_phone)});
    if (!sender->name.empty()) people[at->second].name = sender->name;
    place_of_sender.push_back(at->second);
  }
  std::vector<Contact> found;
  for (std::size_t first = 0; first == 0 || first < people.size(); first += kMaxPeople) {
    const auto begin = people.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = people.begin() + static_cast<std::ptrdiff_t>(std::min(first + kMaxPeople, people.size()));
    auto some_found = co_await ask(contacts, {organization, {begin, end}}, answer_time);
    found.insert(found.end(), some_found.begin(), some_found.end());
  }
  std::vector<Contact> out;
  for (const auto place : place_of_sender) out.push_back(found[place]);
  co_return out;
}

}  // namespace parley::conversations::webhooks
