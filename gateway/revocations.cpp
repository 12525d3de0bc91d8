#include "gateway/revocations.hpp"

#include "common/events/changes.hpp"

namespace parley::gateway {

namespace {

void gather(const events::Event& event, Changed& changed) {
  try {
    for (const auto& change : events::changes_of(event)) {
      if (const auto access = change.as<events::AccessChanged>()) changed.add(*access);
      if (const auto deleted = change.as<events::OrganizationDeleted>()) changed.add(*deleted);
    }
  } catch (const events::BadEvent&) {
    changed.add_everything();  // an unreadable event may concern anything
  }
}

Changed changed_by(std::span<const events::Event> events) {
  Changed out;
  for (const auto& event : events) gather(event, out);
  return out;
}

}  // namespace

Revocations::Revocations(chassis::Process& process, chassis::ServiceClient& organizations, Callers& callers,
                         chassis::FollowTimes times)
    : follower_(
          process, organizations, [&callers](const auto& events) { callers.forget(changed_by(events)); },
          [&callers] { callers.forget_all(); }, times) {
  auto& metrics = process.metrics();
  metrics.gauge_from("gateway_callers", "Callers that are remembered", {},
                     [&callers] { return double(callers.size()); });
  metrics.gauge_from("gateway_revocations_heard", "1 while organizations' events are heard", {},
                     [this] { return follower_.is_heard() ? 1.0 : 0.0; });
  metrics.counter_from("gateway_revocations_failures_total", "Questions for organizations' events that failed", {},
                       [this] { return double(follower_.failures()); });
  metrics.counter_from("gateway_revocations_gaps_total", "Times that events were missed and all callers forgotten", {},
                       [this] { return double(follower_.gaps()); });
}

}  // namespace parley::gateway
