#include "conversations/channel/templates/catalogue.hpp"

namespace parley::conversations::templates {

using namespace std::chrono_literals;

namespace {
// After a failure: without this pause, each request for the list would wait for a channel that does not respond.
constexpr auto kPause = 15s;
}  // namespace

Catalogue::Catalogue(channel::Accounts& accounts, channel::Client& channel, Store& store)
    : accounts_(accounts), channel_(channel), store_(store) {}

awaitable<Refreshed> Catalogue::refresh(model::Uuid organization, Kind kind, std::chrono::seconds good_for) {
  const auto listed = co_await store_.find_list(organization, kind, good_for);
  std::shared_ptr<const channel::Account> account;
  try {
    account = co_await accounts_.of_organization(organization);
  } catch (const http::Unreachable&) {
    co_return Refreshed{listed.business_account_id, "organizations", listed.business_account_id.has_value()};
  }
  if (!account) co_return Refreshed{};
  const bool is_kept = listed.business_account_id == account->businessAccountId;
  if (is_kept && listed.fresh.value_or(false)) co_return Refreshed{account->businessAccountId, "", true};
  const bool is_asked = co_await ask_once(*account, kind, listed.now);
  co_return Refreshed{account->businessAccountId, is_asked ? "" : "channel", is_asked || is_kept};
}

awaitable<std::optional<std::string>> Catalogue::refresh(chassis::Call& call, Kind kind) {
  auto refreshed = co_await refresh(call.organization(), kind);
  if (!refreshed.away.empty()) call.degraded(refreshed.away);
  co_return std::move(refreshed.business_account_id);
}

awaitable<bool> Catalogue::ask_once(const channel::Account& account, Kind kind, model::Timestamp now) {
  const Key key(account.organizationId, account.businessAccountId, kind);
  if (const auto failed = failed_.find(key); failed != failed_.end() && http::Clock::now() < failed->second)
    co_return false;
  const bool is_good = co_await asking_.run(key, [&] { return ask(account, kind, now); });
  if (is_good)
    failed_.erase(key);
  else
    failed_[key] = http::Clock::now() + kPause;
  co_return is_good;
}

awaitable<bool> Catalogue::ask(const channel::Account& account, Kind kind, model::Timestamp now) {
  try {
    if (kind == Kind::Templates) {
      auto templates = co_await channel_.templates(account);
      co_await store_.save(account.organizationId, account.businessAccountId, now, std::move(templates));
    } else {
      auto numbers = co_await channel_.phone_numbers(account);
      co_await store_.save(account.organizationId, account.businessAccountId, now, std::move(numbers));
    }
    co_return true;
  } catch (const http::Problem&) {
    co_return false;
  }
}

}  // namespace parley::conversations::templates
