#include "common/pg/log_position.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/describe.hpp>
#include <utility>

#include "common/pg/waits.hpp"

namespace parley::pg {
namespace {

struct MarkRow {
  std::int64_t position = 0;
  std::string timeline;
  model::Timestamp started;
};
BOOST_DESCRIBE_STRUCT(MarkRow, (), (position, timeline, started))

const Statement primary_position(
    "pg.primary_position",
    "SELECT (pg_current_wal_flush_lsn() - '0/0')::int8 AS position, "
    "left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) AS timeline, pg_postmaster_start_time() AS started",
    Lane::read, {}, Statement::Kind::unlisted);

}  // namespace

awaitable<std::optional<Mark>> LogPosition::ask_primary(std::shared_ptr<LogPosition> self) {
  if (!self->next_) self->next_ = std::make_shared<Question>();
  const auto question = self->next_;
  if (!self->asked_) self->send_next();
  co_await question->over.wait();
  co_return question->mark;
}

// One query is in flight at a time; callers that arrive meanwhile share the next one.
void LogPosition::send_next() {
  asked_ = std::exchange(next_, nullptr);
  asio::co_spawn(primary_->context(), send(shared_from_this(), asked_), asio::detached);
}

awaitable<void> LogPosition::send(std::shared_ptr<LogPosition> self, std::shared_ptr<Question> question) {
  auto answered = co_await ask(self->primary_, primary_position);
  if (question->over.is_set()) co_return;  // shut() was called meanwhile
  if (answered_well(*answered)) {
    const auto row = Results(std::move(answered)).one<MarkRow>();
    question->mark = Mark{row.position, {row.timeline, row.started}};
  }
  question->over.set();
  self->asked_.reset();
  if (self->next_) self->send_next();
}

void LogPosition::shut() {
  for (auto* question : {&asked_, &next_})
    if (const auto left = std::exchange(*question, nullptr)) left->over.set();
}

}  // namespace parley::pg
