#include "conversations/templates/catalogue.hpp"

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
    : process_(process), accounts_(accounts), channel_(channel), store_(store) {}

awaitable<std::optional<std::string>> Catalogue::refresh(chassis::Call& call, Kind kind) {
  const auto listed = co_await store_.find_list(call.organization(), kind);
  std::shared_ptr<const channel::Account> account;
  try {
    account = co_await accounts_.of_organization(call.organization());
  } catch (const http::Unreachable&) {
    call.degraded("organizations");
    co_return listed.business_account_id;
  }
  if (!account) co_return std::nullopt;
  const bool is_good = listed.fresh.value_or(false) && listed.business_account_id == account->businessAccountId;
  if (!is_good) {
    const bool is_asked = co_await ask_once(*account, kind, listed.now);
    if (!is_asked) call.degraded("channel");
  }
  co_return account->businessAccountId;
}

awaitable<bool> Catalogue::ask_once(const channel::Account& account, Kind kind, model::Timestamp now) {
  const std::pair key(account.organizationId, kind);
  if (const auto known = asking_.find(key); known != asking_.end()) {
    const auto asking = known->second;
    if (!asking->is_over) co_await asking->over.async_wait(boost::asio::as_tuple(boost::asio::deferred));
    if (asking->is_good || http::Clock::now() < asking->again) co_return asking->is_good;
  }
  const auto asking = std::make_shared<Asking>(process_.context());
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
