#include "conversations/channel/templates/catalogue.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>

namespace parley::conversations::templates {

using namespace std::chrono_literals;

namespace {
// A channel that did not answer is not asked again at once: each who wants to see the list would wait for it.
constexpr auto kPause = 15s;
}  // namespace

// One question for all who want to see the same list.
struct Catalogue::Asking {
  explicit Asking(boost::asio::io_context& context) : over(context) { over.expires_at(http::Clock::time_point::max()); }
  boost::asio::steady_timer over;  // cancelled then
  bool is_over = false, is_good = false;
  http::Clock::time_point again{};  // after a failure
};

Catalogue::Catalogue(chassis::Process& process, channel::Accounts& accounts, channel::Client& channel, Store& store)
    : context_(process.context()), accounts_(accounts), channel_(channel), store_(store) {}

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
  const std::pair key(account.organizationId, kind);
  if (const auto known = asking_.find(key); known != asking_.end()) {
    const auto asking = known->second;
    if (!asking->is_over) co_await asking->over.async_wait(boost::asio::as_tuple(boost::asio::deferred));
    if (asking->is_good || http::Clock::now() < asking->again) co_return asking->is_good;
  }
  const auto asking = std::make_shared<Asking>(context_);
  asking_[key] = asking;
  struct End {
    Asking& asking;
    ~End() {
      asking.is_over = true;
      asking.over.cancel();
    }
  } const end{*asking};
  asking->is_good = co_await ask(account, kind, now);
  asking->again = http::Clock::now() + kPause;
  if (asking->is_good) asking_.erase(key);
  co_return asking->is_good;
}

// The client has logged what went wrong.
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
