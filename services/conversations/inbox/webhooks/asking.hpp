#pragma once
#include <map>

#include "conversations/inbox/webhooks/absence.hpp"
#include "conversations/inbox/webhooks/apply.hpp"

namespace parley::conversations::webhooks {

// Asks contacts who the senders are, for all organizations at once under one deadline. An organization without an
// answer is skipped for a while, then asked about sender by sender. While contacts is away, nothing is asked.
class Asking {
 public:
  Asking(chassis::Process& process, chassis::ServiceClient& contacts);

  // Sets `contact` of each item, or `error` if contacts refuses the sender, or lets the item wait. Items need a sender
  // and an organization. Takes up to a few seconds: not for use within a transaction, nor concurrently. Throws nothing.
  awaitable<void> ask(std::span<Item* const> items);
  Absence& absence() { return absence_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Subject {
    model::Uuid organization;
    std::string sender{};  // "": all of them
    auto operator<=>(const Subject&) const = default;
  };
  struct Question {
    Subject about;
    std::vector<Item*> items;
    std::string failure;
    bool was_put = false, answered = false;  // `answered`: at least in part
  };
  // A subject that contacts failed to answer for while it answered others.
  struct Failing {
    int times = 0;
    Clock::time_point again{}, forget{};
  };
  std::vector<Question> questions_about(std::span<Item* const> items);
  awaitable<void> put(Question& question, std::span<Item* const> items, Clock::time_point deadline);
  awaitable<bool> is_there(model::Uuid organization);
  void note_failure(const Question& question);
  void note_answer(const Question& question);
  Failing& delay(const Subject& subject);

  chassis::Process& process_;
  chassis::ServiceClient& contacts_;
  Absence absence_{process_, "contacts"};
  std::map<Subject, Failing> failing_;
};

}  // namespace parley::conversations::webhooks
