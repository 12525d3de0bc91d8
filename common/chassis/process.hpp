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

// What every process is configured with.
struct ProcessSettings {
  std::string name;  // "contacts": in logs, and as the signer of its tokens
  std::string role;  // "" serves requests; another ("dispatch") has no port but the admin's
  boost::asio::ip::tcp::endpoint listen, admin_listen;
  Level log_level = Level::info;
  identity::Seed identity_key{};
  identity::Trusted trusted;
  identity::Unaddressed unaddressed = identity::Unaddressed::refused;
  std::chrono::milliseconds drain_notice{5'000};  // from SIGTERM on still accepting, as others learn late that we leave
  std::chrono::milliseconds drain_time{20'000};   // for the answers under way after that
  // MiB in memory at once: of long answers (http::AnswerRoom), and as much of what other services answered.
  int answers_mib = 40;
  TracingSettings tracing;

  // `listen` is not read for a role.
  static ProcessSettings read(Environment& environment, std::string name, const std::string& listen,
                              const std::string& admin_listen, std::string role = {});
};

class Process;

// What a program does beside what every process does. Destroyed before the process's parts that it uses.
class Application {
 public:
  virtual ~Application() = default;
  virtual void start() {}
  // No more requests are accepted: ends what makes those under way wait for something to happen.
  virtual void finish_waits() {}
  // After the last request was answered: ends what runs in the background.
  virtual awaitable<void> stop() { co_return; }
  // Why this process should not be sent requests yet; "" when it is ready.
  virtual std::string not_ready() const { return {}; }
};

// One process, one thread: its loop, ports, log, metrics, and its life from start to drain.
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
  // Where what other services answer counts while it is in memory.
  const std::shared_ptr<http::BodyRoom>& gathered_answers() const { return gathered_answers_; }
  identity::Signer& signer() { return signer_; }
  identity::Verifier& verifier() { return verifier_; }
  // The routes of a service. The gateway has its own handler instead: see serve_with().
  Pipeline& pipeline() { return pipeline_; }
  void serve_with(std::function<awaitable<http::Response>(http::Request&)> handler) { handler_ = std::move(handler); }
  http::ServerLimits& limits() { return limits_; }

  // Shows a pool's or a client's state as metrics. They must outlive the last scrape.
  void watch(pg::Pool& pool);
  void watch(redis::Client& client);
  // `service` is what it is called for: "contacts", or "contacts-events" where it is called for several things apart.
  void watch(const std::string& service, http::Upstream& upstream);
  void watch(const std::string& cache, const redis::CountCache& counts);
  // What a cache was asked for: increment the counters where it is.
  struct CacheCounters {
    prometheus::Counter &hits, &misses, &stale, &bypasses, &errors;
  };
  CacheCounters watch_cache(const std::string& cache);
  // Runs a coroutine beside the requests; what it throws is logged and ends it.
  void spawn(std::string name, awaitable<void> work);

  // Runs until SIGTERM or SIGINT, drains, returns the exit status. What waits in the loop is gone when it returns.
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
  Metrics unserved_;  // what the routes of a role would count, if it had a port
  Tracer tracer_;
  Boundary boundary_;
  identity::Signer signer_;
  identity::Verifier verifier_;
  Pipeline pipeline_;
  http::ServerLimits limits_;
  std::shared_ptr<http::BodyRoom> gathered_answers_ = std::make_shared<http::BodyRoom>();
  std::function<awaitable<http::Response>(http::Request&)> handler_;
  std::unique_ptr<http::Server> server_;  // none in a role
  std::unique_ptr<http::Server> admin_;
  Application* application_ = nullptr;
  boost::asio::signal_set signals_;
  boost::asio::steady_timer tick_timer_, drain_timer_;
  bool draining_ = false, stopped_ = false;
};

}  // namespace parley::chassis
