#pragma once
#include <chrono>
#include <optional>

#include "common/async/loop.hpp"
#include "common/async/task_group.hpp"
#include "common/chassis/process.hpp"
#include "common/pg/pool.hpp"
#include "common/secrets/key_ring.hpp"
#include "organizations/mail/rows.hpp"
#include "organizations/mail/smtp.hpp"

namespace parley::organizations::mail {

struct WorkerSettings {
  std::chrono::seconds lease{60};  // longer than an attempt
  std::chrono::milliseconds idle_pause{1'000};
  // Between attempts: doubled with each failure, until the mail expires.
  std::chrono::milliseconds first_pause{5'000}, longest_pause{600'000};
  std::chrono::seconds stop_time{10};  // for what is being sent, which is broken off then
  Smtp::Limits limits{};
};

struct WorkerStats {
  std::int64_t waiting = 0;                         // mails, at the last look
  std::uint64_t sent = 0, refused = 0, failed = 0;  // attempts
  std::uint64_t given_up = 0;                       // mails that were refused or have expired
  std::uint64_t failures = 0;                       // of this process's own work
};

// Sends the mails that wait, a few at once, each at least once: the server's answer may be lost, and a process may be
// killed before it has noted it. Every replica runs one. Without mail settings it only removes those that have expired.
class Worker {
 public:
  Worker(chassis::Process& process, pg::Pool& database, const secrets::KeyRing& keys, std::optional<Settings> mail,
         WorkerSettings settings = {});

  void start() { process_.spawn("mail", loop_.run()); }
  awaitable<void> stop();
  const WorkerStats& stats() const { return stats_; }

 private:
  awaitable<std::chrono::milliseconds> step();
  awaitable<void> take();
  awaitable<void> deliver(MailRow mail);
  awaitable<void> attempt(MailRow mail);
  awaitable<std::optional<Letter>> letter_of(MailRow mail);
  awaitable<std::optional<Letter>> make_link(MailRow mail, std::string email);
  awaitable<std::optional<Letter>> password(std::string token);
  awaitable<std::optional<Letter>> invitation(std::string token);
  awaitable<void> record(const MailRow& mail, const Sent& sent);
  awaitable<void> remove(const MailRow& mail);
  void failed(std::string_view what);
  void show();

  chassis::Process& process_;
  pg::Pool& database_;
  const secrets::KeyRing& keys_;
  const std::optional<Settings> mail_;
  const WorkerSettings settings_;
  std::unique_ptr<Smtp> smtp_;  // nullptr without mail settings
  async::TaskGroup deliveries_;
  WorkerStats stats_;
  async::Loop loop_;
};

}  // namespace parley::organizations::mail
