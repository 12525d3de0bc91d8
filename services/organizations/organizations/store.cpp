#include "organizations/organizations/store.hpp"

#include "common/events/event.hpp"
#include "common/events/outbox/sql.hpp"
#include "common/removals/sql.hpp"
#include "organizations/credentials/revocations.hpp"
#include "organizations/credentials/sql.hpp"
#include "organizations/members/sql.hpp"
#include "organizations/organizations/removal.hpp"
#include "organizations/organizations/rows.hpp"
#include "organizations/organizations/sql.hpp"

namespace parley::organizations::organizations {

namespace {

model::Organization to_organization(OrganizationRow row, const secrets::KeyRing& keys, Secrets secrets) {
  model::Organization out{row.id,
                          std::move(row.name),
                          std::move(row.description),
                          row.created_at,
                          std::move(row.website_url),
                          std::move(row.logo_url),
                          std::move(row.favicon_url),
                          row.business_account_id.value_or(""),
                          std::nullopt,
                          row.is_auto_handling_conversations_enabled,
                          row.is_onboarding_completed,
                          row.requires_second_factor};
  if (!row.business_account_id) return out;
  // If there is an account, all its columns are set.
  model::MessagingBusinessAccountDetails details{*row.business_account_id,
                                                 row.phone_number_id.value(),
                                                 keys.open(row.id, "access_token", row.access_token.value()),
                                                 keys.open(row.id, "webhook_secret", row.webhook_secret.value()),
                                                 row.verification_status.value(),
                                                 row.is_registered.value()};
  if (secrets == Secrets::masked) {
    details.accessToken = secrets::mask(details.accessToken);
    details.webhookSecret = secrets::mask(details.webhookSecret);
  }
  out.messagingBusinessAccountDetails = std::move(details);
  return out;
}

VersionedOrganization to_organization(model::Versioned<OrganizationRow> row, const secrets::KeyRing& keys,
                                      Secrets secrets) {
  auto version = std::move(row.version);
  return {to_organization(static_cast<OrganizationRow&&>(row), keys, secrets), std::move(version)};
}

// The audit's copy of an organization.
struct Kept {
  std::string name, description, websiteUrl, logoUrl, faviconUrl;
  bool IsAutoHandlingConversationsEnabled = false;
  bool requiresSecondFactor = false;
};
BOOST_DESCRIBE_STRUCT(Kept, (),
                      (name, description, websiteUrl, logoUrl, faviconUrl, IsAutoHandlingConversationsEnabled,
                       requiresSecondFactor))

model::RawJson kept(const model::Organization& organization) {
  return {model::to_json(Kept{organization.name, organization.description, organization.websiteUrl,
                              organization.logoUrl, organization.faviconUrl,
                              organization.IsAutoHandlingConversationsEnabled, organization.requiresSecondFactor})};
}

// Whoever requires it of others is not locked out themself.
awaitable<void> check_own_second_factor(pg::Transaction& transaction, const authorization::Caller& caller) {
  const auto results =
      co_await transaction.run(pg::Batch(sql::has_second_factor, caller.organization(), caller.member()));
  if (results.optional<bool>().value_or(false)) co_return;
  throw http::Problem({.status = 409,
                       .detail = "you have no second factor yourself: POST /api/user/second-factor begins one",
                       .errors = {{"/requiresSecondFactor", "takes a second factor of your own"}}});
}

}  // namespace

awaitable<Page> Store::list(model::Uuid person, Filter filter) {
  const bool by_search = !filter.search.empty();
  const auto after = filter.after.value_or(http::Cursor{});
  pg::Batch batch;
  batch.add(sql::page[{.after = filter.after.has_value(),
                       .by_name = filter.sort_by == SortBy::name,
                       .by_search = by_search,
                       .descending = filter.descending}],
            person, filter.search, after.id, after.text, filter.paging.per_page, filter.paging.skip);
  batch.add(sql::count[{.by_search = by_search}], person, filter.search);
  const auto results = co_await database_.read(std::move(batch));
  Page page;
  for (auto& row : results.rows<OrganizationRow>(0))
    page.organizations.push_back(to_organization(std::move(row), keys_, Secrets::masked));
  page.total = results.one<std::int64_t>(1);
  co_return page;
}

awaitable<std::optional<VersionedOrganization>> Store::find(model::Uuid organization, Secrets secrets) {
  const auto results = co_await database_.read(pg::Batch(sql::find, organization));
  auto row = results.optional<model::Versioned<OrganizationRow>>();
  if (!row) co_return std::nullopt;
  co_return to_organization(std::move(*row), keys_, secrets);
}

awaitable<model::Organization> Store::create(pg::Transaction& transaction, model::Uuid person, audit::Actor actor,
                                             NewOrganization made) {
  if (ownership_) co_await ownership_->require(transaction, person);
  const auto id = model::new_uuid();
  const auto owner = model::new_uuid();
  actor.organization_id = id;  // written to the new organization's audit, as its new member
  actor.member_id = owner;
  pg::Batch batch;
  batch.add(sql::insert, id, made.name, made.description, made.website_url);
  batch.add(members::sql::insert, id, owner, person, model::AccessLevel::Owner);
  audit::record(batch, actor,
                {.action = model::AuditAction::OrganizationCreated, .subject_id = id, .subject = made.name});
  authorization::announce(batch, {id, {}, person, {}});
  try {
    const auto results = co_await transaction.run(std::move(batch));
    model::Organization out;
    out.uniqueId = id;
    out.name = std::move(made.name);
    out.description = std::move(made.description);
    out.createdAt = results.one<model::Timestamp>(0);
    out.websiteUrl = std::move(made.website_url);
    co_return out;
  } catch (const pg::SqlError& error) {
    if (!error.is_foreign_key_violation("member_person_id_fkey")) throw;
    throw http::Problem({.status = 403, .detail = "this account is no more"});
  }
}

awaitable<Locked> Store::lock(pg::Transaction& transaction, authorization::Caller caller, identity::Permission needed) {
  const auto now = co_await authorization::lock(transaction, caller, needed);
  const auto results = co_await transaction.run(pg::Batch(sql::find, caller.organization()));
  co_return Locked{now, to_organization(results.one<model::Versioned<OrganizationRow>>(), keys_, Secrets::masked)};
}

awaitable<model::Organization> Store::change(pg::Transaction& transaction, authorization::Caller caller, Locked locked,
                                             UpdateOrganization change) {
  const auto& organization = locked.organization;
  model::Organization changed = organization;
  changed.name = change.name.value_or(organization.name);
  changed.description = change.description.value_or(organization.description);
  changed.websiteUrl = change.websiteUrl.value_or(organization.websiteUrl);
  changed.logoUrl = change.logoUrl.value_or(organization.logoUrl);
  changed.faviconUrl = change.faviconUrl.value_or(organization.faviconUrl);
  changed.IsAutoHandlingConversationsEnabled =
      change.IsAutoHandlingConversationsEnabled.value_or(organization.IsAutoHandlingConversationsEnabled);
  changed.requiresSecondFactor = change.requiresSecondFactor.value_or(organization.requiresSecondFactor);
  const auto before = kept(organization), after = kept(changed);
  if (before.text == after.text) co_return changed;
  const bool is_other = changed.requiresSecondFactor != organization.requiresSecondFactor;
  if (is_other && changed.requiresSecondFactor) co_await check_own_second_factor(transaction, caller);
  pg::Batch batch(sql::update, organization.uniqueId, changed.name, changed.description, changed.websiteUrl,
                  changed.logoUrl, changed.faviconUrl, changed.IsAutoHandlingConversationsEnabled,
                  changed.requiresSecondFactor);
  if (is_other) authorization::announce(batch, {organization.uniqueId, {}, {}, {}});
  audit::record(batch, caller.actor,
                {.action = model::AuditAction::OrganizationUpdated,
                 .subject_id = organization.uniqueId,
                 .subject = changed.name,
                 .before = before,
                 .after = after});
  co_await transaction.run(std::move(batch));
  co_return changed;
}

awaitable<void> Store::remove(pg::Transaction& transaction, authorization::Caller caller, Locked locked) {
  authorization::check_level(locked.caller, model::AccessLevel::Owner, "");
  const auto& organization = locked.organization;
  events::Changes changes;
  changes.add(events::AccessChanged{organization.uniqueId, {}, {}, {}});
  changes.add(events::OrganizationDeleted{organization.uniqueId});
  pg::Batch batch(sql::mark_deleted, organization.uniqueId);
  audit::record(batch, caller.actor,
                {.action = model::AuditAction::OrganizationDeleted,
                 .subject_id = organization.uniqueId,
                 .subject = organization.name});
  batch.add(removals::sql::begin, organization.uniqueId, removal_of_organizations().name,
            std::vector{organization.uniqueId});
  batch.add(events::outbox::append, changes.json());
  const auto keys = batch.size();
  batch.add(credentials::sql::revoke_all[{}], organization.uniqueId, std::optional<model::Uuid>(),
            std::optional<model::Uuid>());
  const auto results = co_await transaction.run(std::move(batch));
  // Keys created with its keys in other organizations must end, too.
  std::vector<model::Uuid> ids;
  for (const auto& key : results.rows<credentials::RevokedKey>(keys)) ids.push_back(key.id);
  co_await credentials::revoke_made_with(transaction, std::move(ids), caller.actor);
}

}  // namespace parley::organizations::organizations
