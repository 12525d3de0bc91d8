#include "common/chassis/process.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <csignal>

#include "common/chassis/build.hpp"
#include "common/chassis/settings.hpp"
#include "common/http/problem.hpp"

namespace parley::chassis {

namespace asio = boost::asio;
using namespace std::chrono_literals;

ProcessSettings ProcessSettings::read(Environment& environment, std::string name, const std::string& listen,
                                      const std::string& admin_listen, std::string role) {
  ProcessSettings out;
  out.name = std::move(name);
  out.role = std::move(role);
  if (out.role.empty()) out.listen = environment.listen_address("PARLEY_LISTEN", listen);
  out.admin_listen = environment.listen_address("PARLEY_ADMIN_LISTEN", admin_listen);
  if (!boost::describe::enum_from_string(environment.text("PARLEY_LOG_LEVEL", "info").c_str(), out.log_level))
    environment.fault("PARLEY_LOG_LEVEL", "must be debug, info, warn or error");
  const auto key = environment.secret("PARLEY_IDENTITY_KEY", 44);
  if (const auto seed = identity::key_from_base64(key))
    out.identity_key = *seed;
  else if (!key.empty())
    environment.fault("PARLEY_IDENTITY_KEY", "must be the base64 of 32 octets: see generate-key");
  out.trusted = read_trusted(environment);
  if (environment.flag("PARLEY_IDENTITY_UNADDRESSED", false)) out.unaddressed = identity::Unaddressed::taken;
  out.answers_mib = environment.number("PARLEY_ANSWERS_MIB", out.answers_mib, 16, 65'536);
  out.tracing = TracingSettings::read(environment);
  out.drain_notice = environment.milliseconds("PARLEY_DRAIN_NOTICE_MS", out.drain_notice);
  out.drain_time = environment.milliseconds("PARLEY_DRAIN_TIME_MS", out.drain_time);
  return out;
}

namespace {

// The name in metrics, logs and traces: a role has its own.
std::string service_of(const ProcessSettings& settings) {
  return settings.role.empty() ? settings.name : settings.name + "-" + settings.role;
}

}  // namespace

Process::Process(ProcessSettings settings)
    : settings_(std::move(settings)),
      log_(settings_.name, settings_.log_level, settings_.role),
      tracer_(context_, wheel_, settings_.tracing, service_of(settings_), kVersion, metrics_, log_),
      boundary_(settings_.role.empty() ? metrics_ : unserved_, log_,
                settings_.name == "gateway" ? Level::info : Level::debug, &tracer_),
      signer_(settings_.name, settings_.identity_key),
      verifier_(settings_.trusted, settings_.name, settings_.unaddressed),
      pipeline_(boundary_, verifier_, settings_.role.empty() ? metrics_ : unserved_),
      handler_([this](http::Request& request) { return pipeline_.serve(request); }),
      signals_(context_, SIGTERM, SIGINT),
      tick_timer_(context_),
      drain_timer_(context_) {
  prometheus::Labels labels{{"version", kVersion}, {"commit", kCommit}};
  if (!settings_.role.empty()) labels.emplace("role", settings_.role);
  limits_.answers = gathered_answers_->most = static_cast<std::uint64_t>(settings_.answers_mib) << 20;
  show_gathered_answers();
  metrics_.gauges("build_info", "The version that runs").Add(labels).Set(1);
}

Process::~Process() = default;

void Process::spawn(std::string name, awaitable<void> work) {
  asio::co_spawn(context_, std::move(work), [this, name = std::move(name)](std::exception_ptr thrown) {
    if (thrown) log_.error("background work ended").with("work", name).with("error", words_of(thrown));
  });
}

void Process::listen() {
  server_ = std::make_unique<http::Server>(
      context_, wheel_, settings_.listen, limits_,
      http::ServerHandler{[this](http::Request& request) { return handler_(request); },
                          [this](unsigned status, std::string_view reason, std::string_view remote) {
                            return boundary_.unreadable(status, reason, remote);
                          },
                          show_bodies()});
  show_server_metrics();
}

void Process::listen_for_admin(Application& application) {
  admin_ = std::make_unique<http::Server>(
      context_, wheel_, settings_.admin_listen, http::ServerLimits{.connections = 256},
      http::ServerHandler{[this, &application](http::Request& request) { return serve_admin(request, application); },
                          [](unsigned status, std::string_view, std::string_view) {
                            return http::to_response({.status = status, .detail = "the request is not sound HTTP/1.1"},
                                                     "", "");
                          }});
}

std::function<void(std::uint64_t, std::uint64_t)> Process::show_bodies() {
  auto& received = metrics_.histograms("http_request_body_bytes", "Bodies of requests").Add({}, kBytes);
  auto& sent = metrics_.histograms("http_response_body_bytes", "Bodies of answers").Add({}, kBytes);
  return [&](std::uint64_t request, std::uint64_t response) {
    received.Observe(double(request));
    sent.Observe(double(response));
  };
}

void Process::show_gathered_answers() {
  const auto& room = *gathered_answers_;
  metrics_.gauge_from("peer_answer_bytes", "Octets of other services' answers in memory", {},
                      [&room] { return double(room.taken); });
  metrics_.counter_from("peer_answers_refused_total",
                        "Other services' answers that were dropped, as those in memory took too much of it", {},
                        [&room] { return double(room.refused + room.over_share); });
}

void Process::show_server_metrics() {
  const auto& stats = server_->stats();
  metrics_.gauge_from("http_connections_open", "Connections open now", {}, [&] { return double(stats.connections); });
  metrics_.gauge_from("http_requests_in_flight", "Requests being served now", {},
                      [&] { return double(stats.serving); });
  const auto count_of = [&stats](const char* reason) {
    return [&stats, reason] {
      const auto found = stats.faults.find(std::string_view(reason));
      return found == stats.faults.end() ? 0.0 : double(found->second);
    };
  };
  for (const char* reason : http::kFaultReasons)
    metrics_.counter_from("http_parse_errors_total", "Messages that could not be read", {{"reason", reason}},
                          count_of(reason));
  metrics_.counter_from("http_connections_refused_total", "Connections of networks that had as many as they may", {},
                        count_of(http::kTooManyConnections));
  metrics_.counter_from("http_connections_evicted_total",
                        "Connections closed for others while they waited for their clients", {},
                        [&stats] { return double(stats.made_room); });
  metrics_.gauge_from("http_read_buffer_bytes",
                      "Octets of long heads, bodies on their way, and answers that were made whole", {},
                      [&stats] { return double(stats.buffered); });
  metrics_.gauge_from("http_gathered_bytes", "Octets of bodies that are gathered in memory", {},
                      [&stats] { return double(stats.bodies.taken); });
  metrics_.gauge_from("http_answer_bytes", "Octets of long answers in memory", {},
                      [&stats] { return double(stats.answers.taken); });
  metrics_.counter_from("http_answers_cut_off_total", "Long answers that were read slowly, and ended for others", {},
                        [&stats] { return double(stats.answers.cut_off); });
  metrics_.counter_from("http_handler_faults_total", "Requests whose handling threw what nobody expected", {},
                        count_of(http::kHandlerFault));
  metrics_.add_from(shed("concurrency"), count_of(http::kTooManyConnections));
  metrics_.add_from(shed("concurrency"), count_of(http::kNoRoom));
  metrics_.add_from(shed("concurrency"), [&stats] { return double(stats.bodies.refused); });
  metrics_.add_from(shed("concurrency"), [&stats] { return double(stats.answers.refused); });
  constexpr auto over_share = "Requests refused as their organization, or network, had its share of memory";
  metrics_.counter_from("http_over_share_total", over_share, {{"of", "bodies"}},
                        [&stats] { return double(stats.bodies.over_share); });
  metrics_.counter_from("http_over_share_total", over_share, {{"of", "answers"}},
                        [&stats] { return double(stats.answers.over_share); });
}

// Serves the admin port, never exposed by the gateway: /livez (the loop runs), /readyz (accepts requests), /metrics
// (everything else).
awaitable<http::Response> Process::serve_admin(http::Request& request, const Application& application) {
  http::Response response;
  response.content_type = "text/plain; charset=utf-8";
  if (request.path == "/livez" || request.path == "/healthz") {
    response.body = "ok\n";
  } else if (request.path == "/readyz") {
    const std::string reason = draining_ ? "draining" : application.not_ready();
    response.status = reason.empty() ? 200 : 503;
    response.body = (reason.empty() ? "ok" : reason) + "\n";
  } else if (request.path == "/metrics") {
    response.content_type = "text/plain; version=0.0.4; charset=utf-8";
    response.body = metrics_.scrape();
  } else {
    response.status = 404;
    response.body = "/livez /readyz /metrics\n";
  }
  co_return response;
}

// Flushes the log, and measures how late the event loop runs.
awaitable<void> Process::tick() {
  auto& lag =
      metrics_.histograms("event_loop_lag_seconds", "How late a timer is, ten times a second").Add({}, kSeconds);
  while (!stopped_) {
    tick_timer_.expires_after(100ms);
    const auto [cancelled] = co_await tick_timer_.async_wait(asio::as_tuple(asio::deferred));
    const auto late = http::Clock::now() - tick_timer_.expiry();
    if (!cancelled) lag.Observe(std::chrono::duration<double>(late).count());
    log_.flush();
  }
}

void Process::on_signal() {
  signals_.async_wait([this](boost::system::error_code error, int) {
    if (error) return;
    if (draining_) std::_Exit(1);  // a second signal ends the process at once
    draining_ = true;
    on_signal();
    spawn("drain", drain());
  });
}

// Readiness ends at once, but load balancers react late: for the notice time all requests are served, and each response
// closes its connection. Then accepting stops, and requests in progress are finished.
awaitable<void> Process::finish_requests() {
  server_->start_draining();
  drain_timer_.expires_after(settings_.drain_notice);
  co_await drain_timer_.async_wait(asio::as_tuple(asio::deferred));
  server_->stop_accepting();
  application_->finish_waits();
  if (!co_await server_->wait_until_closed(http::Clock::now() + settings_.drain_time))
    log_.warn("connections cut off at the drain's end")
        .with("connections", std::uint64_t{server_->stats().connections});
}

awaitable<void> Process::drain() {
  log_.info("draining");
  if (server_) co_await finish_requests();
  try {
    co_await application_->stop();
  } catch (...) {
    log_.error("stopping failed").with("error", words_of(std::current_exception()));
  }
  if (tracer_.on()) co_await tracer_.stop();
  if (server_) server_->close_all();
  admin_->close_all();
  stopped_ = true;
  wheel_.stop();
  tick_timer_.cancel();
  signals_.cancel();
  // Coroutines that still wait shortly afterwards (background work) are destroyed with the loop.
  drain_timer_.expires_after(100ms);
  co_await drain_timer_.async_wait(asio::as_tuple(asio::deferred));
  context_.stop();
}

int Process::run(Application& application) {
  application_ = &application;
  std::signal(SIGPIPE, SIG_IGN);
  try {
    if (settings_.role.empty()) listen();
    listen_for_admin(application);
  } catch (const boost::system::system_error& error) {
    log_.error("cannot listen").with("error", error.what());
    return 1;
  }
  application.start();
  if (server_) server_->start();
  admin_->start();
  on_signal();
  spawn("tick", tick());
  if (tracer_.on()) spawn("traces", tracer_.run());
  {
    auto line = log_.info(server_ ? "serving" : "running");
    if (server_) line.with("port", std::uint64_t{server_->endpoint().port()});
    line.with("admin_port", std::uint64_t{admin_->endpoint().port()});
  }
  log_.flush();
  context_.run();
  context_.end();
  log_.info("stopped");
  return 0;
}

}  // namespace parley::chassis
