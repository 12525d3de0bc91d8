#pragma once
// What a webhook tells, its organization's members must be allowed to see: whoever says where it leads and what it
// hears answers for it, and it is called only for as long as they may see all of that.
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

// Which of these types of events a holder of these permissions may not hear, by their places.
std::vector<std::size_t> unheard(const std::vector<std::string>& events, identity::PermissionSet permissions);

// What the consumer of organizations' feed does: events::ConsumerWork. What may have changed of members' rights is
// asked about soon, and all of it where events are missing.
awaitable<void> apply_organizations(pg::Transaction& transaction, std::span<const events::Event> events);
awaitable<void> doubt_all(pg::Transaction& transaction);

// Asks organizations what members may do, and gives a part each (model::OrganizationMember); nullopt when it cannot be
// asked. Members that are no more have no part.
using AskMembers = std::function<awaitable<std::optional<chassis::Fragments>>(model::Uuid organization,
                                                                              std::vector<model::Uuid> members)>;

// Looks through webhooks whose members' rights are in doubt, and each once a day besides, and switches those off whose
// member may not see any more what they tell. While organizations cannot be asked they are left as they are, and looked
// at again. Any number of processes may.
class RightsWatch {
 public:
  RightsWatch(chassis::Process& process, pg::Pool& database, AskMembers ask);

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
