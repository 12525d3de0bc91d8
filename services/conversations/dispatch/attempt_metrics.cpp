#include "conversations/dispatch/attempt_metrics.hpp"

#include <array>

namespace parley::conversations::dispatch {

namespace {

constexpr std::array kResults{"sent", "failed", "unknown", "not_sent", "retried", "rate_limited"};
constexpr std::size_t kReactions =
    boost::mp11::mp_size<boost::describe::describe_enumerators<channel::Reaction>>::value;
constexpr std::size_t kKinds = 2;

}  // namespace

AttemptMetrics::AttemptMetrics(chassis::Process& process)
    : family_(process.metrics().counters("dispatch_messages_total",
                                         "Attempts to send, by what became of them and how the channel refused them")),
      known_(kKinds * kResults.size() * (kReactions + 1)) {
  using channel::Reaction;
  for (const auto kind : {Kind::Message, Kind::Receipt}) {
    for (const auto result : {Result::sent, Result::failed, Result::unknown, Result::not_sent})
      at(kind, result, std::nullopt);
    for (const auto refused : {Reaction::slow_number, Reaction::slow_recipient})
      at(kind, Result::rate_limited, refused);
    for (const auto refused : {Reaction::retry, Reaction::wait_for_maintenance}) at(kind, Result::retried, refused);
  }
}

prometheus::Counter& AttemptMetrics::at(Kind kind, Result result, std::optional<channel::Reaction> refused) {
  const auto reaction = refused ? static_cast<std::size_t>(*refused) + 1 : 0;
  const auto what = static_cast<std::size_t>(result);
  auto& counter = known_.at((static_cast<std::size_t>(kind) * kResults.size() + what) * (kReactions + 1) + reaction);
  if (!counter)
    counter = &family_.Add({{"kind", std::string(model::name_of(kind))},
                            {"result", kResults.at(what)},
                            {"class", refused ? std::string(model::name_of(*refused)) : ""}});
  return *counter;
}

}  // namespace parley::conversations::dispatch
