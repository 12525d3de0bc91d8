#include "organizations/organizations/store.hpp"

#include "common/http/problem.hpp"
#include "organizations/organizations/rows.hpp"
#include "organizations/organizations/sql.hpp"

namespace parley::organizations::organizations {

namespace {

model::Organization to_organization(OrganizationRow row, const secrets::KeyRing& keys) {
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
                          row.is_onboarding_completed};
  if (!row.business_account_id) return out;
  // With an account all its columns are there.
  out.messagingBusinessAccountDetails = model::MessagingBusinessAccountDetails{
      *row.business_account_id,
      row.phone_number_id.value(),
      secrets::mask(keys.open(row.id, "access_token", row.access_token.value())),
      secrets::mask(keys.open(row.id, "webhook_secret", row.webhook_secret.value())),
      row.verification_status.value(),
      row.is_registered.value()};
  return out;
}

}  // namespace

awaitable<Page> Store::list(model::Uuid organization, model::Uuid member, http::Paging paging, bool descending) {
  pg::Batch batch;
  batch.add(sql::page[{descending ? "descending" : ""}], organization, member, paging.per_page, paging.skip);
  batch.add(sql::count, organization, member);
  const auto results = co_await database_.read(std::move(batch));
  Page page;
  for (auto& row : results.rows<OrganizationRow>(0))
    page.organizations.push_back(to_organization(std::move(row), keys_));
  page.total = results.one<std::int64_t>(1);
  co_return page;
}

awaitable<model::Organization> Store::create(model::Uuid organization, model::Uuid member, NewOrganization made) {
  const auto id = model::new_uuid();
  pg::Batch batch;
  batch.add(sql::insert, organization, member, id, made.name, made.description, made.website_url);
  batch.add(sql::insert_owner, organization, member, id, model::new_uuid());
  const auto results = co_await database_.write(std::move(batch));
  const auto created_at = results.optional<model::Timestamp>(0);
  if (!created_at) throw http::Problem{.status = 403, .detail = "you are no member of this organization any more"};
  model::Organization out;
  out.uniqueId = id;
  out.name = std::move(made.name);
  out.description = std::move(made.description);
  out.createdAt = *created_at;
  out.websiteUrl = std::move(made.website_url);
  co_return out;
}

}  // namespace parley::organizations::organizations
