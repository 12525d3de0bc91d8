#include "conversations/events/subscriptions/authorization.hpp"

#include <map>

#include "common/events/changes.hpp"
#include "common/events/organization_changes.hpp"
#include "common/events/outbox/sql.hpp"
#include "common/events/quota_changes.hpp"
#include "common/http/answer.hpp"
#include "common/model/organization.hpp"
#include "common/removals/organizations.hpp"
#include "conversations/events/public_events/notices.hpp"
#include "conversations/events/subscriptions/shapes.hpp"
#include "conversations/events/subscriptions/sql.hpp"

namespace parley::conversations::subscriptions {

namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kLeaseSeconds = 30;
constexpr std::int64_t kNextSeconds = 24 * 3600;
constexpr std::int64_t kMax = 200;       // webhooks per step
constexpr std::size_t kMaxMembers = 10;  // per request: with all their roles each may be long

identity::PermissionSet permissions_of(std::string_view member_json) {
  const auto member = model::from_json<model::OrganizationMember>(member_json);
  if (!member) throw std::runtime_error("organizations told of a member what is none");
  if (member->accessLevel != model::AccessLevel::Member) return identity::PermissionSet::all();
  identity::PermissionSet out;
  for (const auto& role : member->roles)
    for (const auto& name : role.permissions)
      if (const auto permission = identity::parse_permission(name)) out.add(*permission);
  return out;
}

bool may_hear(const chassis::Fragments& members, const DoubtedRow& webhook) {
  const auto part = members.of(webhook.answerable_id.value_or(model::Uuid{}));
  return part && unheard(webhook.events, permissions_of(*part)).empty();
}

}  // namespace

std::vector<std::size_t> unheard(const std::vector<std::string>& events, identity::PermissionSet permissions) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < events.size(); ++i)
    if (events[i] != kTestType && !permissions.contains(public_events::permissions_of(events[i]))) out.push_back(i);
  return out;
}

awaitable<void> apply_organizations(pg::Transaction& transaction, std::span<const events::Event> events) {
  std::vector<model::Uuid> organizations;
  std::vector<std::optional<model::Uuid>> members;
  events::Changes passed_on;  // of this service from here on: the stream and webhooks tell only its own
  for (const auto& event : events)
    for (const auto& change : events::changes_of(event)) {
      if (const auto reached = change.as<events::QuotaReached>()) passed_on.add(*reached);
      const auto access = change.as<events::AccessChanged>();
      if (!access || access->credentialId || access->personId) continue;  // these leave permissions as they are
      organizations.push_back(access->organizationId);
      members.push_back(access->memberId);
    }
  if (!organizations.empty()) co_await transaction.run(pg::Batch(sql::doubt, organizations, members));
  if (!passed_on.empty()) co_await transaction.run(pg::Batch(events::outbox::append, passed_on.json()));
  co_await removals::apply_organizations(transaction, events);
}

awaitable<void> doubt_all(pg::Transaction& transaction) { co_await transaction.run(pg::Batch(sql::doubt_all)); }

AuthorizationWatch::AuthorizationWatch(chassis::Process& process, pg::Pool& database, AskMembers ask)
    : database_(database),
      ask_(std::move(ask)),
      report_([&process](const auto& what) { process.log().warn("webhooks' members").with("error", what); }),
      loop_(process.context(), {1s, 30s}, [this] { return step(); }, report_) {
  process.metrics().counter_from("webhooks_disabled_total",
                                 "Webhooks switched off as their member may not see any more what they tell",
                                 {{"reason", "permission"}}, [this] { return double(disabled_); });
}

// A failure for one organization does not delay others; its webhooks are checked again after their lease.
awaitable<std::chrono::milliseconds> AuthorizationWatch::step() {
  const auto taken = co_await database_.write(pg::Batch(sql::take_checks, kLeaseSeconds, kMax));
  std::map<model::Uuid, std::vector<DoubtedRow>> doubted;
  for (auto& row : taken.rows<DoubtedRow>()) doubted[row.organization_id].push_back(std::move(row));
  for (const auto& [organization, webhooks] : doubted) {
    for (std::size_t first = 0; first < webhooks.size(); first += kMaxMembers) {
      const auto some = std::span(webhooks).subspan(first, std::min(kMaxMembers, webhooks.size() - first));
      const auto thrown = co_await async::attempt(check(organization, some));
      if (!thrown) continue;
      report_(async::words_of(thrown));
      break;
    }
  }
  co_return doubted.empty() ? 500ms : 0ms;
}

awaitable<void> AuthorizationWatch::check(model::Uuid organization, std::span<const DoubtedRow> webhooks) {
  std::vector<model::Uuid> members;
  for (const auto& webhook : webhooks)
    if (webhook.active && webhook.answerable_id) members.push_back(*webhook.answerable_id);
  const auto parts = co_await ask_(organization, std::move(members));
  if (!parts) throw std::runtime_error("organizations cannot be asked");
  for (const auto& webhook : webhooks) {
    const bool stays = !webhook.active || may_hear(*parts, webhook);
    pg::Batch batch;
    if (stays) {
      batch.add(sql::pass, organization, webhook.id, webhook.taken_until, kNextSeconds);
    } else {
      batch.add(sql::disable, organization, webhook.id, webhook.taken_until);
      batch.add(sql::tell_health, organization, webhook.id);
    }
    const auto results = co_await database_.write(std::move(batch));
    if (!stays) disabled_ += results.affected();
  }
}

}  // namespace parley::conversations::subscriptions
