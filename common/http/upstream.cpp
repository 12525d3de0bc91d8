#include "common/http/upstream.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>
#include <map>
#include <optional>
#include <random>

#include "common/http/connection.hpp"

namespace parley::http {

namespace asio = boost::asio;
using asio::ip::tcp;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kNoEndpoint = static_cast<std::size_t>(-1);
constexpr unsigned kFailuresToEject = 5;
constexpr auto kEjectTime = 5s;
// A second attempt for every fifth request, and this many a second beside; as many at once as there may be requests,
// all of which one endpoint's end may break.
constexpr double kRetriesARequest = 0.2;
constexpr double kRetriesASecond = 3;
constexpr Clock::duration kResolveInterval = 5s;
constexpr auto kFirstLookUp = 3s;  // a request waits so long where no address is known yet
constexpr Clock::duration kResolveRetry = 1s;

std::size_t random_below(std::size_t bound) {
  thread_local std::minstd_rand generator{std::random_device{}()};
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(generator);
}

struct Base {
  bool tls;
  std::string host, port, authority, path;
};

std::optional<Base> parse_base(std::string_view text) {
  using boost::urls::scheme;
  const auto url = boost::urls::parse_uri({text.data(), text.size()});
  if (!url.has_value() || url->host().empty() || url->has_userinfo() || url->has_query() || url->has_fragment())
    return {};
  if (url->scheme_id() != scheme::http && url->scheme_id() != scheme::https) return {};
  Base out{url->scheme_id() == scheme::https, url->host_address(), std::string(url->port()),
           std::string(url->encoded_host_and_port()), std::string(url->encoded_path())};
  if (out.port.empty()) out.port = out.tls ? "443" : "80";
  if (out.port.size() > 5 || std::stoi(out.port) < 1 || std::stoi(out.port) > 65535) return {};
  if (out.path.ends_with('/')) out.path.pop_back();
  return out;
}

std::vector<std::optional<Base>> bases_in(std::string_view list) {
  std::vector<std::optional<Base>> out;
  for (;;) {
    const auto comma = list.find(',');
    out.push_back(parse_base(list.substr(0, comma)));
    if (comma == list.npos) return out;
    list.remove_prefix(comma + 1);
  }
}

// Shared by the upstreams that trust the same authorities: reading the system's store takes longer than many a request.
std::shared_ptr<asio::ssl::context> tls_context_for(const std::string& ca_file) {
  thread_local std::map<std::string, std::weak_ptr<asio::ssl::context>> known;
  auto& kept = known[ca_file];
  if (auto tls = kept.lock()) return tls;
  auto tls = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_client);
  SSL_CTX_set_min_proto_version(tls->native_handle(), TLS1_2_VERSION);
  if (ca_file.empty())
    tls->set_default_verify_paths();
  else
    tls->load_verify_file(ca_file);
  kept = tls;
  return tls;
}

}  // namespace

bool is_upstream_url(std::string_view list) {
  const auto bases = bases_in(list);
  return std::all_of(bases.begin(), bases.end(), [&](auto& base) { return base && base->tls == bases.front()->tls; });
}

Exchange::Exchange(Upstream& upstream, std::unique_ptr<Connection> connection, std::size_t endpoint)
    : upstream_(upstream), connection_(std::move(connection)), endpoint_(endpoint) {}

Exchange::~Exchange() {
  const bool reusable = connection_->reusable();
  upstream_.give_back(std::move(connection_), endpoint_, reusable);
}

unsigned Exchange::status() const { return connection_->head().status; }
std::span<const Field> Exchange::fields() const { return connection_->head().fields(); }
std::optional<std::uint64_t> Exchange::content_length() const { return connection_->head().content_length; }
bool Exchange::has_body() const { return !connection_->whole(); }
awaitable<std::string_view> Exchange::next() { return connection_->next(); }
void Exchange::abandon() { connection_->close(); }

Upstream::Upstream(asio::io_context& context, DeadlineWheel& wheel, UpstreamSettings settings)
    : context_(context),
      wheel_(wheel),
      settings_(std::move(settings)),
      known_(context),
      budget_(static_cast<double>(settings_.in_flight)) {
  parse_url();
  use_numeric_names();
  if (tls_) tls_context_ = tls_context_for(settings_.tls_ca_file);
  // Before the first request: name servers may be slow.
  asio::post(context_, [this, alive = std::weak_ptr<void>(alive_)] {
    if (!alive.expired()) refresh();
  });
}

Upstream::~Upstream() = default;

Upstream::Endpoint::Endpoint(tcp::endpoint address_, std::string name_)
    : address(std::move(address_)), name(std::move(name_)) {}
Upstream::Endpoint::Endpoint(Endpoint&&) noexcept = default;
Upstream::Endpoint& Upstream::Endpoint::operator=(Endpoint&&) noexcept = default;
Upstream::Endpoint::~Endpoint() = default;

void Upstream::parse_url() {
  if (!settings_.url.empty() && !is_upstream_url(settings_.url))
    throw std::invalid_argument("not an http or https URL: " + settings_.url);
  for (const auto& base : bases_in(settings_.url)) {
    tls_ = base->tls;
    names_.push_back({base->host, base->port});
    host_ = base->authority;
    base_path_ = base->path;
  }
}

// Addresses instead of names need no asking, now or later.
void Upstream::use_numeric_names() {
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

// Needs nothing of an upstream, which may be gone before a name server answers.
awaitable<Upstream::Found> Upstream::look_up(asio::io_context& context, std::vector<Name> names) {
  Found found;
  tcp::resolver resolver(context);
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

// Asks for the names again every few seconds, beside the requests: replicas come and go.
void Upstream::refresh() {
  if (looking_up_ || Clock::now() < look_up_at_) return;
  looking_up_ = true;
  if (endpoints_.empty()) known_.expires_after(kFirstLookUp);
  auto looking = look_up(context_, names_);
  asio::co_spawn(context_, std::move(looking),
                 [this, alive = std::weak_ptr<void>(alive_)](std::exception_ptr, const Found& found) {
                   if (alive.expired()) return;
                   take(found);
                   looking_up_ = false;
                   look_up_at_ = Clock::now() + (endpoints_.empty() ? kResolveRetry : kResolveInterval);
                   known_.cancel();
                 });
}

// What was known of a name stays while there is no answer about it.
void Upstream::take(const Found& found) {
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

Upstream::Waiter::Waiter(Upstream& upstream_) : upstream(upstream_), timer(upstream_.context_) {
  upstream.waiting_.push_back(this);
}
Upstream::Waiter::~Waiter() { std::erase(upstream.waiting_, this); }

awaitable<bool> Upstream::admit() {
  if (in_flight_ < settings_.in_flight && waiting_.empty()) {
    ++in_flight_;
    co_return true;
  }
  if (waiting_.size() < settings_.queue) {
    Waiter waiter(*this);
    waiter.timer.expires_after(settings_.queue_time);
    co_await waiter.timer.async_wait(asio::as_tuple(asio::deferred));
    if (waiter.admitted) co_return true;
    ++counted_.late;
  } else {
    ++counted_.queue_full;
  }
  co_return false;
}

void Upstream::leave() {
  if (!waiting_.empty()) {  // its place goes to the one that waits longest
    Waiter* const next = waiting_.front();
    waiting_.pop_front();
    next->admitted = true;
    next->timer.cancel();
  } else {
    --in_flight_;
  }
}

std::size_t Upstream::choose(std::size_t not_this) {
  const auto now = Clock::now();
  std::vector<std::size_t> good, others, known;
  for (std::size_t i = 0; i < endpoints_.size(); ++i) {
    if (!endpoints_[i].resolved) continue;
    known.push_back(i);
    if (i == not_this) continue;
    others.push_back(i);
    // On trial it gets one request at a time: should it still hang, no more are lost to it.
    const bool tried = endpoints_[i].on_trial && endpoints_[i].outstanding > 0;
    if (endpoints_[i].ejected_until <= now && !tried) good.push_back(i);
  }
  // Rather one that failed a while ago than the one that failed just now, and rather that than none.
  const auto& from = !good.empty() ? good : !others.empty() ? others : known;
  if (from.empty()) throw Unreachable(Unreachable::Why::refused, "no address is known for " + host_, true);
  const auto a = from[random_below(from.size())];
  const auto b = from[random_below(from.size())];
  return endpoints_[a].outstanding <= endpoints_[b].outstanding ? a : b;
}

std::unique_ptr<Connection> Upstream::take_idle(Endpoint& endpoint) {
  while (!endpoint.idle.empty()) {  // the last used first, so that the others grow old and go
    auto connection = std::move(endpoint.idle.back());
    endpoint.idle.pop_back();
    // Looked at however short it was idle: octets that came unasked would pass for the next request's answer.
    if (Clock::now() - connection->idle_since < settings_.idle_time && connection->still_open()) return connection;
  }
  return nullptr;
}

// Asked of the very address that is connected to: a name may lead elsewhere a moment after it was looked at.
awaitable<std::unique_ptr<Connection>> Upstream::connect(std::size_t endpoint) {
  if (settings_.may_call && !settings_.may_call(endpoints_[endpoint].address.address()))
    throw Unreachable(Unreachable::Why::refused, "the address is not one that may be called", true);
  auto connection = std::make_unique<Connection>(context_, wheel_, settings_.answer_limit, settings_.abort_time);
  auto* const tls = static_cast<asio::ssl::context*>(tls_context_.get());
  co_await connection->open(endpoints_[endpoint].address, endpoints_[endpoint].name, tls, settings_.connect_time);
  if (tls) counted_.certificate_expiry = connection->certificate_expiry();
  co_return connection;
}

awaitable<std::unique_ptr<Exchange>> Upstream::attempt(const Outgoing& request, std::size_t endpoint, bool fresh) {
  auto& counts = endpoints_[endpoint];
  ++counts.outstanding;
  std::exception_ptr broken;
  try {
    std::unique_ptr<Connection> connection;
    if (!fresh) connection = take_idle(counts);
    if (!connection) connection = co_await connect(endpoint);
    co_await connection->send(request, request.answer_time.count() > 0 ? request.answer_time : settings_.answer_time);
    counts.failures = 0;
    counts.on_trial = false;
    counts.ejected_until = {};  // it was asked as all others were left alone too, and is well
    co_return std::make_unique<Exchange>(*this, std::move(connection), endpoint);
  } catch (...) {
    broken = std::current_exception();
  }
  --counts.outstanding;
  std::rethrow_exception(broken);
}

void Upstream::report(Clock::time_point start, std::optional<Unreachable::Why> failure) const {
  if (observer_) observer_({failure, std::chrono::duration<double>(Clock::now() - start).count()});
}

void Upstream::add_to_budget(Clock::time_point now) {
  const double elapsed = std::chrono::duration<double>(now - budget_at_).count();
  budget_at_ = now;
  budget_ += kRetriesARequest + elapsed * kRetriesASecond;
  budget_ = std::min(budget_, static_cast<double>(settings_.in_flight));
}

// Or a service that is in trouble would get twice the load.
bool Upstream::may_retry() {
  if (budget_ < 1) {
    ++counted_.retries_denied;
    return false;
  }
  budget_ -= 1;
  ++counted_.retries;
  return true;
}

awaitable<std::unique_ptr<Exchange>> Upstream::exchange(Outgoing request) {
  const auto start = Clock::now();
  add_to_budget(start);
  refresh();
  if (endpoints_.empty() && looking_up_) co_await known_.async_wait(asio::as_tuple(asio::deferred));
  const bool admitted = co_await admit();
  if (!admitted) {
    report(start, Unreachable::Why::overloaded);
    throw Unreachable(Unreachable::Why::overloaded, "too many requests at once", true);
  }
  std::exception_ptr broken;
  std::optional<Unreachable::Why> why;
  std::size_t tried = kNoEndpoint;
  for (int attempts = 0; attempts < 2; ++attempts) {
    try {
      tried = choose(tried);
      auto answered = co_await attempt(request, tried, attempts > 0);
      report(start, std::nullopt);
      co_return answered;
    } catch (const Unreachable& error) {
      broken = std::current_exception();
      why = error.why;
      using Why = Unreachable::Why;
      if (tried != kNoEndpoint) failed(tried);
      // What cannot have had an effect is tried once more, elsewhere: also when no connection was made in time, as with
      // a machine that is gone. So is what may have its effect twice, on a new connection, but for an answer that was
      // waited for in vain: that used up the caller's patience. A source that was read from cannot be read again.
      const bool again = error.sent_nothing || (error.why != Why::timeout && request.replayable && !request.source);
      if (!again || attempts > 0 || !may_retry()) break;
    } catch (...) {
      broken = std::current_exception();  // of the body's source: not this upstream's
      why.reset();
      break;
    }
  }
  leave();
  if (why) report(start, why);
  std::rethrow_exception(broken);
}

void Upstream::failed(std::size_t number) {
  auto& endpoint = endpoints_[number];
  endpoint.idle.clear();  // they lead to the same process
  if (++endpoint.failures < kFailuresToEject && !endpoint.on_trial) return;
  endpoint.ejected_until = Clock::now() + kEjectTime;
  endpoint.failures = 0;
  endpoint.on_trial = true;
}

void Upstream::give_back(std::unique_ptr<Connection> connection, std::size_t number, bool reusable) {
  auto& endpoint = endpoints_[number];
  --endpoint.outstanding;
  if (reusable && endpoint.resolved && endpoint.idle.size() < settings_.idle) {
    connection->idle_since = Clock::now();
    endpoint.idle.push_back(std::move(connection));
  } else if (!reusable && connection->whole()) {
    endpoint.idle.clear();  // it said Connection: close: it is leaving
  }
  leave();
}

UpstreamStats Upstream::stats() const {
  UpstreamStats out = counted_;
  out.in_flight = in_flight_;
  out.queued = waiting_.size();
  for (const auto& endpoint : endpoints_) {
    out.idle += endpoint.idle.size();
    if (!endpoint.resolved) continue;
    ++out.endpoints;
    out.ejected += endpoint.ejected_until > Clock::now();
  }
  out.circuit = circuit_of(out);
  return out;
}

Circuit Upstream::circuit_of(const UpstreamStats& stats) const {
  const bool was_looked_up = look_up_at_ != Clock::time_point{};
  if (stats.ejected == stats.endpoints) return stats.endpoints > 0 || was_looked_up ? Circuit::open : Circuit::closed;
  const bool on_trial = std::any_of(endpoints_.begin(), endpoints_.end(),
                                    [](const Endpoint& endpoint) { return endpoint.resolved && endpoint.on_trial; });
  return on_trial ? Circuit::partly : Circuit::closed;
}

void Upstream::close() {
  for (auto& endpoint : endpoints_) endpoint.idle.clear();
}

}  // namespace parley::http
