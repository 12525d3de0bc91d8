#include "common/http/upstream.hpp"

#include <map>

#include "common/http/connection.hpp"

namespace parley::http {

namespace asio = boost::asio;

namespace {

// Cached per CA file: loading the system's store takes longer than many requests.
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

Exchange::Exchange(Upstream& upstream, std::unique_ptr<Connection> connection, std::size_t endpoint,
                   Admission::Owner owner)
    : upstream_(upstream), connection_(std::move(connection)), endpoint_(endpoint), owner_(owner) {}

Exchange::~Exchange() { upstream_.give_back(std::move(connection_), endpoint_, owner_); }

unsigned Exchange::status() const { return connection_->head().status; }
std::span<const Field> Exchange::fields() const { return connection_->head().fields(); }
std::optional<std::uint64_t> Exchange::content_length() const { return connection_->head().content_length; }
bool Exchange::has_body() const { return !connection_->whole(); }
awaitable<std::string_view> Exchange::next() { return connection_->next(); }
void Exchange::abandon() { connection_->close(); }

Upstream::Upstream(asio::io_context& context, DeadlineSweeper& wheel, UpstreamSettings settings)
    : context_(context),
      wheel_(wheel),
      settings_(std::move(settings)),
      endpoints_(context, settings_.names ? settings_.names : context.get_executor(), bases_in(settings_.url),
                 settings_.first_look_up, settings_.look_up_unasked),
      admission_(context, settings_.in_flight, settings_.queue, settings_.queue_time) {
  for (const auto& base : bases_in(settings_.url)) {
    tls_ = base.tls;
    host_ = base.authority;
    base_path_ = base.path;
  }
  if (tls_) tls_context_ = tls_context_for(settings_.tls_ca_file);
}

Upstream::~Upstream() = default;

// As many requests may wait for an address as could then be in flight or queued.
awaitable<bool> Upstream::know_address() {
  if (unaddressed_ >= settings_.in_flight + settings_.queue) {
    ++unaddressed_refused_;
    co_return false;
  }
  ++unaddressed_;
  co_await endpoints_.wait();
  --unaddressed_;
  co_return true;
}

std::unique_ptr<Connection> Upstream::take_idle(Endpoint& endpoint) {
  while (!endpoint.idle.empty()) {  // last used first, so that the others age and are closed
    auto connection = std::move(endpoint.idle.back());
    endpoint.idle.pop_back();
    // Checked however briefly it was idle: unsolicited octets would be read as the next response.
    if (Clock::now() - connection->idle_since < settings_.idle_time && connection->still_open()) return connection;
  }
  return nullptr;
}

// Checks the address that is connected to, as a name may resolve differently a moment later.
awaitable<std::unique_ptr<Connection>> Upstream::connect(std::size_t number) {
  const auto& endpoint = endpoints_[number];
  if (settings_.may_call && !settings_.may_call(endpoint.address.address()))
    throw Unreachable(Unreachable::Why::refused, "the address is not one that may be called", true);
  auto connection = std::make_unique<Connection>(context_, wheel_, settings_.answer_limit, settings_.read_buffer,
                                                 settings_.abort_time);
  auto* const tls = static_cast<asio::ssl::context*>(tls_context_.get());
  co_await connection->open(endpoint.address, endpoint.name, tls, settings_.connect_time);
  if (tls) certificate_expiry_ = connection->certificate_expiry();
  co_return connection;
}

awaitable<std::unique_ptr<Exchange>> Upstream::attempt(const Outgoing& request, std::size_t number, bool fresh) {
  auto& endpoint = endpoints_[number];
  ++endpoint.outstanding;
  ++endpoint.asked;
  std::exception_ptr broken;
  try {
    std::unique_ptr<Connection> connection;
    if (!fresh) connection = take_idle(endpoint);
    if (!connection) connection = co_await connect(number);
    co_await connection->send(request, request.answer_time.count() > 0 ? request.answer_time : settings_.answer_time);
    --endpoint.asked;
    endpoints_.answered(number, connection->head().status);
    co_return std::make_unique<Exchange>(*this, std::move(connection), number, Admission::owner_of(request.owner));
  } catch (...) {
    broken = std::current_exception();
  }
  --endpoint.asked;
  --endpoint.outstanding;
  std::rethrow_exception(broken);
}

void Upstream::report(Clock::time_point start, std::optional<Unreachable::Why> failure) const {
  if (observer_) observer_({failure, std::chrono::duration<double>(Clock::now() - start).count()});
}

awaitable<std::unique_ptr<Exchange>> Upstream::exchange(Outgoing request) {
  const auto start = Clock::now();
  admission_.add_to_budget(start);
  endpoints_.refresh();
  bool admitted = true;
  if (endpoints_.must_wait()) admitted = co_await know_address();
  const auto owner = Admission::owner_of(request.owner);
  if (admitted) admitted = co_await admission_.enter(owner);
  if (!admitted) {
    report(start, Unreachable::Why::overloaded);
    throw Unreachable(Unreachable::Why::overloaded, "too many requests at once", true);
  }
  std::exception_ptr broken;
  std::optional<Unreachable::Why> why;
  std::optional<std::size_t> tried;
  for (int attempts = 0; attempts < 2; ++attempts) {
    if (attempts > 0) {  // all replicas may have been replaced, and all known addresses be stale
      endpoints_.refresh();
      if (endpoints_.looking_up()) co_await endpoints_.wait();
    }
    try {
      tried = endpoints_.choose(tried);
      if (!tried) throw Unreachable(Unreachable::Why::refused, "no address is known for " + host_, true);
      auto answered = co_await attempt(request, *tried, attempts > 0);
      report(start, std::nullopt);
      co_return answered;
    } catch (const Unreachable& error) {
      broken = std::current_exception();
      why = error.why;
      using Why = Unreachable::Why;
      if (tried) endpoints_.failed(*tried);
      // Retries once, elsewhere, what had no effect (also after a connect timeout), and a replayable request on a new
      // connection, but not after a response timeout, which used up the caller's time. A source cannot be read twice.
      const bool again = error.sent_nothing || (error.why != Why::timeout && request.replayable && !request.source);
      if (!again || attempts > 0 || !admission_.may_retry()) break;
    } catch (...) {
      broken = std::current_exception();  // thrown by the body's source, not a failure of this upstream
      why.reset();
      break;
    }
  }
  admission_.leave(owner);
  if (why) report(start, why);
  std::rethrow_exception(broken);
}

void Upstream::give_back(std::unique_ptr<Connection> connection, std::size_t number, Admission::Owner owner) {
  const bool reusable = connection->reusable();
  auto& endpoint = endpoints_[number];
  --endpoint.outstanding;
  if (reusable && endpoint.resolved && endpoint.idle.size() < settings_.idle) {
    connection->idle_since = Clock::now();
    endpoint.idle.push_back(std::move(connection));
  } else if (!reusable && connection->whole()) {
    endpoint.idle.clear();  // the server sent Connection: close: it is shutting down
  }
  admission_.leave(owner);
}

UpstreamStats Upstream::stats() const {
  const auto endpoints = endpoints_.stats();
  const auto admission = admission_.stats();
  return {.in_flight = admission.in_flight,
          .queued = admission.queued,
          .idle = endpoints.idle,
          .endpoints = endpoints.endpoints,
          .ejected = endpoints.ejected,
          .retries = admission.retries,
          .retries_denied = admission.retries_denied,
          .queue_full = admission.queue_full + unaddressed_refused_,
          .late = admission.late,
          .circuit = endpoints.circuit,
          .certificate_expiry = certificate_expiry_};
}

void Upstream::close() { endpoints_.close_idle(); }

}  // namespace parley::http
