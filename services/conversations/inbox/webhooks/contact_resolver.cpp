#include "conversations/inbox/webhooks/contact_resolver.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "common/model/text.hpp"

namespace parley::conversations::webhooks {

namespace {

namespace contract = contracts::contacts;

std::optional<std::string> some(const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); }

awaitable<std::vector<Contact>> ask(chassis::ServiceClient& contacts, contract::Resolve question,
                                    std::chrono::milliseconds answer_time) {
  contract::Resolved answer;
  try {
    answer = co_await contacts.ask(contract::resolve, question, chassis::RequestContext::own(),
                                   {.answer_time = answer_time});
  } catch (const chassis::Refusal& refusal) {
    if (refusal.status != 400) throw;
    throw RefusedSenders(refusal.what() + (": " + model::repaired(model::first_octets(refusal.body, 500))));
  }
  if (answer.contacts.size() != question.people.size())
    throw http::Unreachable(http::Unreachable::Why::bad_answer, contacts.context() + " told of other people", false);
  co_return std::move(answer.contacts);
}

}  // namespace

awaitable<std::vector<Contact>> resolve(chassis::ServiceClient& contacts, model::Uuid organization,
                                        std::span<const Sender* const> senders, std::chrono::milliseconds answer_time) {
  // Each sender is asked about once; `places` has its place in the question.
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::size_t> places;
  std::vector<std::size_t> place_of_sender;
  std::vector<contract::Person> people;
  for (const auto* sender : senders) {
    const auto [at, is_new] = places.emplace(
        std::tuple(sender->phone, sender->user_id, sender->former_phone, sender->former_user_id), people.size());
    if (is_new)
      people.push_back(
          {some(sender->phone), some(sender->user_id), {}, some(sender->former_phone), some(sender->former_user_id)});
    if (!sender->name.empty()) people[at->second].name = sender->name;
    place_of_sender.push_back(at->second);
  }
  std::vector<Contact> found;
  for (std::size_t first = 0; first == 0 || first < people.size(); first += contract::kMaxPeople) {
    const auto begin = people.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end =
        people.begin() + static_cast<std::ptrdiff_t>(std::min(first + contract::kMaxPeople, people.size()));
    auto some_found = co_await ask(contacts, {organization, {begin, end}}, answer_time);
    found.insert(found.end(), some_found.begin(), some_found.end());
  }
  std::vector<Contact> out;
  for (const auto place : place_of_sender) out.push_back(found[place]);
  co_return out;
}

}  // namespace parley::conversations::webhooks
