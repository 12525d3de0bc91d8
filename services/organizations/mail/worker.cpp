#include "organizations/mail/worker.hpp"

#include <algorithm>
#include <ctime>

#include "organizations/invites/token.hpp"
#include "organizations/mail/sql.hpp"
#include "organizations/mail/texts.hpp"
#include "organizations/users/ownership.hpp"
#include "organizations/users/sql.hpp"

namespace parley::organizations::mail {

namespace {

constexpr int kMaxFailurePauses = 10;  // times the shortest one
constexpr int kMaxDoublings = 20;

}  // namespace

Worker::Worker(chassis::Process& process, pg::Pool& database, const secrets::KeyRing& keys,
               std::optional<Settings> mail, WorkerSettings settings)
    : process_(process),
      database_(database),
      keys_(keys),
      mail_(std::move(mail)),
      settings_(settings),
      smtp_(mail_ ? std::make_unique<Smtp>(process.context(), *mail_, settings.limits) : nullptr),
      loop_(
          process.context(), {settings.idle_pause, kMaxFailurePauses * settings.idle_pause}, [this] { return step(); },
          [this](const auto& what) { failed(what); }) {
  show();
}

void Worker::show() {
  auto& metrics = process_.metrics();
  const auto count = [&](const char* result, const std::uint64_t& value) {
    metrics.counter_from("mail_attempts_total", "Attempts to send a mail, by what the server said",
                         {{"result", result}}, [&value] { return double(value); });
  };
  count("sent", stats_.sent);
  count("refused", stats_.refused);
  count("failed", stats_.failed);
  metrics.counter_from("mails_given_up_total", "Mails that were refused, or could not be sent in time", {},
                       [this] { return double(stats_.given_up); });
  metrics.gauge_from("mails_waiting", "Mails that wait to be sent", {}, [this] { return double(stats_.waiting); });
  metrics.counter_from("mail_failures_total", "Attempts to work that failed and are made again", {},
                       [this] { return double(stats_.failures); });
}

void Worker::failed(std::string_view what) {
  ++stats_.failures;
  process_.log().warn("mail").with("error", what);
}

awaitable<void> Worker::stop() {
  loop_.request_stop();
  const bool ended = co_await deliveries_.join(std::chrono::steady_clock::now() + settings_.stop_time);
  if (!ended && smtp_) smtp_->stop();
  co_await loop_.stop();
  co_await deliveries_.join();
}

awaitable<std::chrono::milliseconds> Worker::step() {
  const auto results = co_await database_.read(pg::Batch(sql::look));  // cheaper than a write that finds nothing
  const auto look = results.one<LookRow>();
  stats_.waiting = look.waiting;
  if (look.due > 0) co_await take();
  co_return settings_.idle_pause;
}

awaitable<void> Worker::take() {
  const auto free = Smtp::kThreads - std::min(Smtp::kThreads, deliveries_.size());
  pg::Batch batch(sql::give_up);
  if (smtp_ && free > 0) batch.add(sql::claim, settings_.lease.count(), free);
  const bool claims = batch.size() > 1;
  const auto results = co_await database_.write(std::move(batch));
  if (results.affected(0) > 0) {
    stats_.given_up += results.affected(0);
    process_.log().warn("mails were given up").with("mails", results.affected(0));
  }
  if (!claims) co_return;
  for (auto& mail : results.rows<MailRow>(1)) process_.spawn("mail", deliveries_.run(deliver(std::move(mail))));
}

awaitable<void> Worker::deliver(MailRow mail) {
  const auto thrown = co_await async::attempt(attempt(std::move(mail)));
  if (thrown) failed(async::words_of(thrown));  // tried again when the lease ends
  loop_.notify();                               // there is room
}

awaitable<void> Worker::attempt(MailRow mail) {
  const auto letter = co_await letter_of(mail);
  if (!letter) co_return co_await remove(mail);
  Sent sent{Sent::Result::refused, "no mail can be sent to this address"};
  if (is_mailable(letter->to))
    sent = co_await smtp_->send(letter->to, message_of(*letter, mail_->from, mail.id.text(), std::time(nullptr)));
  co_await record(mail, sent);
}

// What the mail says by now; nullopt if there is nothing to say any more.
awaitable<std::optional<Letter>> Worker::letter_of(MailRow mail) {
  auto secret = keys_.open(mail.id, kField, mail.secret);
  if (mail.kind == Kind::Request) co_return co_await make_link(std::move(mail), std::move(secret));
  if (mail.kind == Kind::Password) co_return co_await password(std::move(secret));
  co_return co_await invitation(std::move(secret));
}

// The token is kept with the mail, so that each attempt brings the same.
awaitable<std::optional<Letter>> Worker::make_link(MailRow mail, std::string email) {
  auto transaction = co_await database_.begin();
  const auto found = co_await transaction.run(pg::Batch(users::sql::lock_by_email, email));
  const auto person = found.optional<model::Uuid>();
  if (!person) co_return std::nullopt;
  auto token = (co_await users::issue_token(transaction, *person, kLinkSeconds)).passwordToken;
  const auto kept =
      co_await transaction.run(pg::Batch(sql::set_link, mail.id, mail.tries, keys_.seal(mail.id, kField, token)));
  if (kept.affected() == 0) throw std::runtime_error("a mail was claimed again before its link was made");
  co_await transaction.commit();
  co_return co_await password(std::move(token));
}

awaitable<std::optional<Letter>> Worker::password(std::string token) {
  const auto read = users::PasswordToken::parse(token).value();
  const auto results = co_await database_.read(pg::Batch(sql::account, read.person_id, read.secret_hash()));
  auto email = results.optional<std::string>();
  if (!email) co_return std::nullopt;
  co_return password_letter(mail_->pages, std::move(*email), token);
}

awaitable<std::optional<Letter>> Worker::invitation(std::string token) {
  const auto read = invites::Token::parse(token).value();
  const auto results =
      co_await database_.read(pg::Batch(sql::invitation, read.organization_id, read.invite_id, read.secret_hash()));
  auto row = results.optional<InvitationRow>();
  if (!row) co_return std::nullopt;
  co_return invitation_letter(mail_->pages, std::move(row->email), row->organization, row->expires_at, token);
}

awaitable<void> Worker::record(const MailRow& mail, const Sent& sent) {
  if (sent.result == Sent::Result::sent) {
    ++stats_.sent;
    co_return co_await remove(mail);
  }
  const bool is_refused = sent.result == Sent::Result::refused;
  ++(is_refused ? stats_.refused : stats_.failed);
  process_.log()
      .warn(is_refused ? "a mail was refused" : "a mail was not sent")
      .with("mail", mail.id.text())
      .with("kind", boost::describe::enum_to_string(mail.kind, ""))
      .with("tries", mail.tries)
      .with("error", sent.error);
  if (is_refused) {
    ++stats_.given_up;
    co_return co_await remove(mail);
  }
  const auto doublings = std::min<std::int64_t>(mail.tries - 1, kMaxDoublings);
  const auto pause = std::min(settings_.longest_pause, settings_.first_pause * (std::int64_t{1} << doublings));
  co_await database_.write(pg::Batch(sql::retry, mail.id, mail.tries, pause.count()));
}

awaitable<void> Worker::remove(const MailRow& mail) { co_await database_.write(pg::Batch(sql::remove, mail.id)); }

}  // namespace parley::organizations::mail
