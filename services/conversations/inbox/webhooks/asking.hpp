#pragma once
#include <map>

#include "conversations/inbox/webhooks/absence.hpp"
#include "conversations/inbox/webhooks/apply.hpp"

namespace parley::conversations::webhooks {

// Asks contacts who those are that wrote, for all organizations at once and under one deadline. Whoever is not answered
// for waits, and nobody else: their organization is not asked about again for a while, and from then on about one
// person at a time. When contacts answers nobody at all, nothing is asked until it is back.
class Asking {
 public:
  Asking(chassis::Process& process, chassis::ServiceClient& contacts);

  // Of each of these, which have a sender and an organization: sets `contact`, or `error` where contacts refuses them,
  // or lets it wait. Takes a few seconds at most. Not to be called within a transaction, nor by two at once. Throws
  // nothing.
  awaitable<void> ask(std::span<Item* const> items);
  Absence& absence() { return absence_; }

 private:
  using Clock = std::chrono::steady_clock;
  // Of an organization as a whole, or one of its senders.
  struct Subject {
    model::Uuid organization;
    std::string sender{};  // "": all of them
    auto operator<=>(const Subject&) const = default;
  };
  struct Question {
    Subject about;
    std::vector<Item*> items;
    std::string failure;
    bool was_put = false, answered = false;  // in part at least
  };
  // Who was not answered for while others were.
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
