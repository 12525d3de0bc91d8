#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <string>

#include "common/chassis/boundary.hpp"
#include "common/chassis/environment.hpp"
#include "common/chassis/pipeline.hpp"
#include "common/chassis/tracing.hpp"
#include "common/http/deadline.hpp"
#include "common/http/loop.hpp"
#include "common/http/server.hpp"
#include "common/http/upstream.hpp"
#include "common/identity/token.hpp"

namespace parley::pg {
class Pool;
}
namespace parley::redis {
class Client;
class CountCache;
}  // namespace parley::redis

namespace parley::chassis {

// The configuration that every process has.
struct ProcessSettings {
  std::string name;  // "contacts": in logs, and as the signer of its tokens
  std::string role;  // "" serves requests; any other role ("dispatch") has only the admin port
  boost::asio::ip::tcp::endpoint listen, admin_listen;
  Level log_level = Level::info;
  identity::Seed identity_key{};
  identity::Trusted trusted;
  identity::Unaddressed unaddressed = identity::Unaddressed::refused;
  std::chrono::milliseconds drain_notice{5'000};  // how long it accepts after SIGTERM, until others know
  std::chrono::milliseconds drain_time{20'000};   // for responses in progress after that
  // MiB in memory at once for long responses (http::AnswerRoom), and the same again for other services' responses.
  int answers_mib = 40;
  TracingSettings tracing;

  // With a role, `listen` is not read.
  static ProcessSettings read(Environment& environment, std::string name, const std::string& listen,
                              const std::string& admin_listen, std::string role = {});
};

class Process;

// The program's own part of a process. Destroyed before the parts of the process that it uses.
class Application {
 public:
  virtual ~Application() = default;
  virtual void start() {}
  // Called when no more requests are accepted: ends long waits of the requests in progress.
  virtual void finish_waits() {}
  // Called after the last response: ends the background work.
  virtual awaitable<void> stop() { co_return; }
  // The reason why this process should not receive requests yet; "" when it is ready.
  virtual std::string not_ready() const { return {}; }
};

// One process, one thread: event loop, ports, log, metrics, and the lifecycle from start to drain.
class Process {
 public:
  explicit Process(ProcessSettings settings);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  boost::asio::io_context& context() { return context_; }
  http::DeadlineSweeper& wheel() { return wheel_; }
  Log& log() { return log_; }
  Metrics& metrics() { return metrics_; }
  Tracer& tracer() { return tracer_; }
  Boundary& boundary() { return boundary_; }
  // The memory budget for other services' responses.
  const std::shared_ptr<http::BodyRoom>& gathered_answers() const { return gathered_answers_; }
  identity::Signer& signer() { return signer_; }
  identity::Verifier& verifier() { return verifier_; }
  // The routes of a service. The gateway uses its own handler instead: see serve_with().
  Pipeline& pipeline() { return pipeline_; }
  void serve_with(std::function<awaitable<http::Response>(http::Request&)> handler) { handler_ = std::move(handler); }
  http::ServerLimits& limits() { return limits_; }

  // Exports the state of a pool or client as metrics; the object must outlive the last scrape.
  void watch(pg::Pool& pool);
  void watch(redis::Client& client);
  // `service` names the purpose: "contacts", or "contacts-events" if one service is called for several purposes.
  void watch(const std::string& service, http::Upstream& upstream);
  void watch(const std::string& cache, const redis::CountCache& counts);
  // Counters of cache lookups, to be incremented by the cache.
  struct CacheCounters {
    prometheus::Counter &hits, &misses, &stale, &bypasses, &errors;
  };
  CacheCounters watch_cache(const std::string& cache);
  // Runs a coroutine in the background; an exception is logged and ends the coroutine.
  void spawn(std::string name, awaitable<void> work);

  // Runs until SIGTERM or SIGINT, drains, and returns the exit status. Destroys coroutines that still wait in the loop.
  int run(Application& application);

 private:
  void listen();
  void listen_for_admin(Application& application);
  std::function<void(std::uint64_t, std::uint64_t)> show_bodies();
  void show_server_metrics();
  void show_gathered_answers();
  void watch_errors(pg::Pool& pool);
  void watch_times(pg::Pool& pool);
  void watch_replica(pg::Pool& pool);
  prometheus::Counter& shed(const char* reason);
  awaitable<http::Response> serve_admin(http::Request& request, const Application& application);
  awaitable<void> tick();
  void on_signal();
  awaitable<void> drain();
  awaitable<void> finish_requests();

  ProcessSettings settings_;
  http::Loop context_;
  http::DeadlineSweeper wheel_{context_};
  Log log_;
  Metrics metrics_;
  Metrics unserved_;  // the route metrics of a role, which has no port for requests
  Tracer tracer_;
  Boundary boundary_;
  identity::Signer signer_;
  identity::Verifier verifier_;
  Pipeline pipeline_;
  http::ServerLimits limits_;
  std::shared_ptr<http::BodyRoom> gathered_answers_ = std::make_shared<http::BodyRoom>();
  std::function<awaitable<http::Response>(http::Request&)> handler_;
  std::unique_ptr<http::Server> server_;  // nullptr for a role
  std::unique_ptr<http::Server> admin_;
  Application* application_ = nullptr;
  boost::asio::signal_set signals_;
  boost::asio::steady_timer tick_timer_, drain_timer_;
  bool draining_ = false, stopped_ = false;
};

}  // namespace parley::chassis
