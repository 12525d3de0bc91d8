#include "conversations/inbox/webhooks/asking.hpp"

#include <algorithm>

#include "common/async/all.hpp"
#include "common/async/loop.hpp"
#include "common/chassis/process.hpp"

namespace parley::conversations::webhooks {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t kMaxAtOnce = 64;
constexpr auto kAskingTime = 4s;  // for all questions
constexpr auto kProbeTime = 2'000ms;
constexpr auto kFirstFailurePause = 1s, kMaxFailurePause = 60s;  // of an organization without an answer
constexpr int kMaxDoublings = 6;
constexpr auto kFailureIsOver = 10min;
constexpr std::size_t kMaxFailing = 1'000;

std::string key_of(const Item& item) {
  const auto& sender = item.element->sender;
  return sender.phone + ' ' + sender.user_id + ' ' + sender.former_phone + ' ' + sender.former_user_id;
}

bool is_open(const Item* item) { return !item->contact && item->error.empty(); }

// `pause`: set if they were not asked about.
void wait(std::span<Item* const> items, Awaited awaited, const std::string& why,
          std::optional<std::chrono::seconds> pause = {}) {
  for (auto* item : items)
    if (is_open(item)) let_wait(*item, awaited, "contacts did not answer: " + why, pause);
}

}  // namespace

Asking::Asking(chassis::Process& process, chassis::ServiceClient& contacts) : process_(process), contacts_(contacts) {}

// Organizations that failed lately are asked about sender by sender, and last: others do not wait for them.
std::vector<Asking::Question> Asking::questions_about(std::span<Item* const> items) {
  const auto now = Clock::now();
  std::erase_if(failing_, [&](const auto& each) { return each.second.forget < now; });
  const auto pause_of = [&](const Subject& subject) {
    const auto failing = failing_.find(subject);
    return failing == failing_.end() ? 0s : std::chrono::ceil<std::chrono::seconds>(failing->second.again - now);
  };
  std::map<Subject, std::vector<Item*>> subjects;
  for (auto* item : items) {
    const Subject all{item->organization};
    const bool apart = failing_.contains(all) && pause_of(all) <= 0s;
    subjects[apart ? Subject{item->organization, key_of(*item)} : all].push_back(item);
  }
  std::vector<Question> out;
  for (auto& [subject, theirs] : subjects)
    if (const auto pause = pause_of(subject); pause > 0s)
      wait(theirs, Awaited::answer, "it did not before", pause);
    else
      out.push_back({subject, std::move(theirs), {}});
  std::partition(out.begin(), out.end(), [](const auto& question) { return question.about.sender.empty(); });
  return out;
}

awaitable<void> Asking::ask(std::span<Item* const> items) {
  if (absence_.holds()) co_return wait(items, Awaited::contacts, "it is away", 0s);
  auto questions = questions_about(items);
  const auto deadline = Clock::now() + kAskingTime;
  std::vector<awaitable<void>> works;
  for (auto& question : questions) works.push_back(put(question, question.items, deadline));
  co_await async::all(std::move(works), kMaxAtOnce);

  const auto is_silent = [](const Question& question) {
    return std::any_of(question.items.begin(), question.items.end(), is_open);
  };
  const auto silent = std::find_if(questions.begin(), questions.end(), is_silent);
  if (silent == questions.end()) co_return;
  bool there = std::any_of(questions.begin(), questions.end(), [](const auto& question) { return question.answered; });
  if (!there)
    there = co_await is_there(silent->about.organization);  // contacts may be unable to answer only this question
  if (!there)
    absence_.begin([this, organization = silent->about.organization] { return is_there(organization); },
                   silent->failure);
  for (const auto& question : questions) {
    if (!is_silent(question)) continue;
    if (there && question.was_put) note_failure(question);
    if (!there)
      wait(question.items, Awaited::contacts, question.failure, 0s);
    else
      wait(question.items, Awaited::answer, question.failure, question.was_put ? std::nullopt : std::optional(1s));
  }
  for (const auto& question : questions)
    if (question.answered) note_answer(question);
}

// If contacts refuses a question, splits it in half until the refused senders are found.
awaitable<void> Asking::put(Question& question, std::span<Item* const> items, Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  if (left <= 0ms) {
    question.failure = "there was no time left";
    co_return;
  }
  question.was_put = true;
  std::string refusal;
  try {
    std::vector<const Sender*> senders;
    for (const auto* item : items) senders.push_back(&item->element->sender);
    const auto found = co_await resolve(contacts_, question.about.organization, senders, left);
    for (std::size_t i = 0; i < items.size(); ++i) items[i]->contact = found[i];
    question.answered = true;
  } catch (const RefusedSenders& error) {
    refusal = error.what();
    question.answered = true;
  } catch (...) {
    question.failure = async::words_of(std::current_exception());
  }
  if (refusal.empty()) co_return;
  const bool is_one = std::all_of(items.begin(), items.end(),
                                  [&](const Item* item) { return key_of(*item) == key_of(*items.front()); });
  if (is_one)
    for (auto* item : items) item->error = refusal;
  if (is_one) co_return;
  const auto half = items.size() / 2;
  co_await put(question, items.first(half), deadline);
  co_await put(question, items.subspan(half), deadline);
}

awaitable<bool> Asking::is_there(model::Uuid organization) {
  try {
    co_await resolve(contacts_, organization, {}, kProbeTime);
    co_return true;
  } catch (...) {
    co_return false;
  }
}

Asking::Failing& Asking::delay(const Subject& subject) {
  auto& failing = failing_[subject];
  const auto pause = kFirstFailurePause * (1 << std::min(failing.times++, kMaxDoublings));
  failing.again = Clock::now() + std::min<Clock::duration>(pause, kMaxFailurePause);
  failing.forget = Clock::now() + kFailureIsOver;
  return failing;
}

// The first failure of a sender may concern the whole organization: delays all of it. Later ones delay only the sender.
void Asking::note_failure(const Question& question) {
  if (failing_.size() >= kMaxFailing) failing_.erase(failing_.begin());  // noted again when it fails
  const Subject all{question.about.organization};
  const bool is_first = delay(question.about).times == 1;
  if (question.about.sender.empty() && is_first)
    process_.log()
        .warn("contacts does not answer for an organization: what its people write waits")
        .with("organization", all.organization)
        .with("error", question.failure);
  if (question.about.sender.empty()) return;
  if (is_first) delay(all);
  failing_[all].forget = Clock::now() + kFailureIsOver;
}

// Other senders of the organization need not wait.
void Asking::note_answer(const Question& question) {
  if (const auto failing = failing_.find({question.about.organization}); failing != failing_.end()) {
    failing->second.times = 0;
    failing->second.again = {};
  }
  if (!question.about.sender.empty()) failing_.erase(question.about);
}

}  // namespace parley::conversations::webhooks
