#include "common/http/endpoints.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>
#include <random>

#include "common/http/connection.hpp"

namespace parley::http {

namespace asio = boost::asio;
using asio::ip::tcp;
using namespace std::chrono_literals;

namespace {

constexpr unsigned kFailuresToEject = 5;
constexpr unsigned kRefusalsToEject = 10;  // as many good responses make the other endpoints good
constexpr auto kEjectTime = 5s;
constexpr Clock::duration kResolveInterval = 5s;
constexpr Clock::duration kResolveRetry = 1s;  // after no address was found, or one did not answer
// Without a lookup for this long all replicas may have been replaced. Steady requests keep addresses younger.
constexpr Clock::duration kOld = 2 * kResolveInterval;
constexpr Clock::duration kWaitForNews = 500ms;

std::size_t random_below(std::size_t bound) {
  thread_local std::minstd_rand generator{std::random_device{}()};
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(generator);
}

bool is_refusal(unsigned status) { return status >= 502 && status <= 504; }

}  // namespace

Endpoint::Endpoint(tcp::endpoint address_, std::string name_) : address(std::move(address_)), name(std::move(name_)) {}
Endpoint::Endpoint(Endpoint&&) noexcept = default;
Endpoint& Endpoint::operator=(Endpoint&&) noexcept = default;
Endpoint::~Endpoint() = default;

Endpoints::Endpoints(asio::io_context& context, asio::any_io_executor names, const std::vector<Base>& bases,
                     std::chrono::milliseconds first_look_up, bool unasked)
    : context_(context),
      executor_(std::move(names)),
      first_look_up_(first_look_up),
      unasked_(unasked),
      known_(context),
      unknown_(context) {
  for (const auto& base : bases) names_.push_back({base.host, base.port});
  use_numeric_names();
  // Resolves before the first request, as name servers may be slow.
  asio::post(context_, [this, alive = std::weak_ptr<void>(alive_)] {
    if (!alive.expired()) refresh();
  });
}

Endpoints::~Endpoints() = default;

void Endpoints::use_numeric_names() {
  std::vector<Endpoint> numeric;
  for (const auto& name : names_) {
    boost::system::error_code not_numeric;
    const auto address = asio::ip::make_address(name.host, not_numeric);
    if (not_numeric) return;
    numeric.emplace_back(tcp::endpoint(address, static_cast<unsigned short>(std::stoi(name.port))), name.host);
  }
  std::move(numeric.begin(), numeric.end(), std::back_inserter(endpoints_));
  look_up_at_ = Clock::time_point::max();
}

// Static: it may run in another thread, and the object may be destroyed before a name server answers.
awaitable<Endpoints::Found> Endpoints::look_up(asio::any_io_executor executor, std::vector<Name> names) {
  Found found;
  tcp::resolver resolver(executor);
  for (const auto& name : names) {
    const auto [error, results] = co_await resolver.async_resolve(name.host, name.port, asio::as_tuple(asio::deferred));
    if (error) {
      found.unanswered.push_back(name.host);
      continue;
    }
    const bool has_v4 =
        std::any_of(results.begin(), results.end(), [](const auto& r) { return r.endpoint().address().is_v4(); });
    for (const auto& result : results)
      if (result.endpoint().address().is_v4() == has_v4) found.addresses.emplace_back(result.endpoint(), name.host);
  }
  co_return found;
}

void Endpoints::refresh() {
  if (looking_up_ || Clock::now() < look_up_at_) return;
  looking_up_ = true;
  known_.expires_after(any_is_known() ? kWaitForNews : first_look_up_);
  auto looking = look_up(executor_, names_);
  auto take_it = [this, alive = std::weak_ptr<void>(alive_)](std::exception_ptr, const Found& found) {
    if (alive.expired()) return;
    take(found);
    looking_up_ = false;
    looked_up_ = Clock::now();
    look_up_at_ = looked_up_ + (any_is_known() ? kResolveInterval : kResolveRetry);
    known_.cancel();
    if (unasked_ && !any_is_known()) look_up_unasked();
  };
  asio::co_spawn(executor_, std::move(looking), asio::bind_executor(context_.get_executor(), std::move(take_it)));
}

// Services that start together may have no DNS entries yet; this keeps the first request from waiting for them.
void Endpoints::look_up_unasked() {
  unknown_.expires_after(kResolveInterval);
  unknown_.async_wait([this, alive = std::weak_ptr<void>(alive_)](boost::system::error_code cancelled) {
    if (!cancelled && !alive.expired()) refresh();
  });
}

bool Endpoints::any_is_known() const {
  return std::any_of(endpoints_.begin(), endpoints_.end(), [](const Endpoint& endpoint) { return endpoint.resolved; });
}

bool Endpoints::must_wait() const { return looking_up_ && (!any_is_known() || Clock::now() - looked_up_ > kOld); }

awaitable<void> Endpoints::wait() { co_await known_.async_wait(asio::as_tuple(asio::deferred)); }

void Endpoints::take(const Found& found) {
  const auto is_answered = [&](const Endpoint& endpoint) {
    return std::find(found.unanswered.begin(), found.unanswered.end(), endpoint.name) == found.unanswered.end();
  };
  const auto is_found = [&](const Endpoint& endpoint) {
    return std::any_of(found.addresses.begin(), found.addresses.end(),
                       [&](auto& f) { return f.first == endpoint.address; });
  };
  for (auto& endpoint : endpoints_) {
    endpoint.resolved = is_found(endpoint) || (endpoint.resolved && !is_answered(endpoint));
    if (!endpoint.resolved) endpoint.idle.clear();
  }
  for (const auto& [address, host] : found.addresses) {
    if (std::any_of(endpoints_.begin(), endpoints_.end(), [&](auto& e) { return e.address == address; })) continue;
    const auto free =
        std::find_if(endpoints_.begin(), endpoints_.end(), [](auto& e) { return !e.resolved && e.outstanding == 0; });
    if (free != endpoints_.end())
      *free = Endpoint(address, host);
    else
      endpoints_.emplace_back(address, host);
  }
}

// One request at a time on trial, in case the endpoint still hangs; responses whose head has come do not count.
bool Endpoints::is_good(const Endpoint& endpoint, Clock::time_point now) const {
  return endpoint.ejected_until <= now && !(endpoint.on_trial && endpoint.asked > 0);
}

std::optional<std::size_t> Endpoints::choose(std::optional<std::size_t> not_this) {
  const auto now = Clock::now();
  for (auto* list : {&good_, &others_, &all_}) list->clear();
  for (std::size_t i = 0; i < endpoints_.size(); ++i) {
    if (!endpoints_[i].resolved) continue;
    all_.push_back(i);
    if (i == not_this) continue;
    others_.push_back(i);
    if (is_good(endpoints_[i], now)) good_.push_back(i);
  }
  // A retry must not fail again: if an endpoint is known to answer, excludes those that may still be starting.
  const auto answers = [this](std::size_t i) { return endpoints_[i].good > 0; };
  if (not_this && std::any_of(good_.begin(), good_.end(), answers))
    std::erase_if(good_, [&](std::size_t i) { return !answers(i); });
  // Prefers an endpoint that failed a while ago to the one that just failed, and that one to none.
  const auto& from = !good_.empty() ? good_ : !others_.empty() ? others_ : all_;
  if (from.empty()) return std::nullopt;
  const auto a = from[random_below(from.size())];
  const auto b = from[random_below(from.size())];
  return endpoints_[a].outstanding <= endpoints_[b].outstanding ? a : b;
}

// An endpoint that refuses everything is never busy and would attract ever more requests, so it is ejected. If all
// refuse, as under overload, none is: ejecting one would only shift its load to the others.
void Endpoints::answered(std::size_t number, unsigned status) {
  auto& endpoint = endpoints_[number];
  endpoint.failures = 0;
  endpoint.refusals = is_refusal(status) ? endpoint.refusals + 1 : 0;
  endpoint.good = is_refusal(status) ? 0 : endpoint.good + 1;
  const bool is_bad = endpoint.refusals >= kRefusalsToEject || (endpoint.on_trial && endpoint.refusals > 0);
  if (is_bad && may_do_without(endpoint)) {
    eject(endpoint);
    return;
  }
  endpoint.on_trial = false;
  endpoint.ejected_until = {};  // an ejected endpoint that was asked as a last resort has recovered
}

// Whether at least half of all endpoints, without this one, answer well.
bool Endpoints::may_do_without(const Endpoint& endpoint) const {
  const auto now = Clock::now();
  std::size_t all = 0, good = 0;
  for (const auto& each : endpoints_) {
    all += each.resolved;
    good += each.resolved && &each != &endpoint && is_good(each, now) && each.good >= kRefusalsToEject;
  }
  return good > 0 && 2 * good >= all;
}

void Endpoints::failed(std::size_t number) {
  auto& endpoint = endpoints_[number];
  endpoint.good = 0;
  endpoint.idle.clear();  // they lead to the same process
  if (looked_up_ != Clock::time_point{}) look_up_at_ = std::min(look_up_at_, looked_up_ + kResolveRetry);
  if (++endpoint.failures >= kFailuresToEject || endpoint.on_trial) eject(endpoint);
}

void Endpoints::eject(Endpoint& endpoint) {
  endpoint.ejected_until = Clock::now() + kEjectTime;
  endpoint.failures = 0;
  endpoint.on_trial = true;
}

void Endpoints::close_idle() {
  for (auto& endpoint : endpoints_) endpoint.idle.clear();
}

Endpoints::Stats Endpoints::stats() const {
  Stats out;
  for (const auto& endpoint : endpoints_) {
    out.idle += endpoint.idle.size();
    if (!endpoint.resolved) continue;
    ++out.endpoints;
    out.ejected += endpoint.ejected_until > Clock::now();
  }
  out.circuit = circuit_of(out);
  return out;
}

Circuit Endpoints::circuit_of(const Stats& stats) const {
  const bool was_looked_up = look_up_at_ != Clock::time_point{};
  if (stats.ejected == stats.endpoints) return stats.endpoints > 0 || was_looked_up ? Circuit::open : Circuit::closed;
  const bool on_trial = std::any_of(endpoints_.begin(), endpoints_.end(),
                                    [](const Endpoint& endpoint) { return endpoint.resolved && endpoint.on_trial; });
  return on_trial ? Circuit::partly : Circuit::closed;
}

}  // namespace parley::http
