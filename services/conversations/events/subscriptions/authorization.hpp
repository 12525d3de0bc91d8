#pragma once
// A webhook sends only what the member who last set its URL or events may see, and is switched off otherwise.
#include <functional>
#include <span>

#include "common/async/loop.hpp"
#include "common/chassis/process.hpp"
#include "common/chassis/service_client.hpp"
#include "common/events/event.hpp"
#include "common/pg/pool.hpp"
#include "conversations/events/subscriptions/rows.hpp"

namespace parley::conversations::subscriptions {

using boost::asio::awaitable;

// The indexes of the events that these permissions do not allow.
std::vector<std::size_t> unheard(const std::vector<std::string>& events, identity::PermissionSet permissions);

// For the consumer of organizations' feed: schedule checks when permissions changed, or events were missed.
awaitable<void> apply_organizations(pg::Transaction& transaction, std::span<const events::Event> events);
awaitable<void> doubt_all(pg::Transaction& transaction);

// The members' permissions (model::OrganizationMember), none for removed ones; nullopt: organizations is unreachable.
using AskMembers = std::function<awaitable<std::optional<chassis::Fragments>>(model::Uuid organization,
                                                                              std::vector<model::Uuid> members)>;

// Checks webhooks after changes of permissions, and daily; switches off those whose member may no longer see their
// events. Retries while organizations is unreachable. May run in several processes.
class AuthorizationWatch {
 public:
  AuthorizationWatch(chassis::Process& process, pg::Pool& database, AskMembers ask);

  awaitable<void> run() { return loop_.run(); }
  awaitable<bool> stop() { return loop_.stop(); }

 private:
  awaitable<std::chrono::milliseconds> step();
  awaitable<void> check(model::Uuid organization, std::span<const DoubtedRow> webhooks);

  pg::Pool& database_;
  AskMembers ask_;
  async::Loop::Failed report_;
  std::uint64_t disabled_ = 0;
  async::Loop loop_;
};

}  // namespace parley::conversations::subscriptions
