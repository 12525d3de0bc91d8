#include "common/pg/frames.hpp"

namespace parley::pg {
namespace {

using Kind = Statement::Kind;

const Statement begin("BEGIN", "BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE", Lane::write, {});
const Statement commit("COMMIT", "COMMIT", Lane::write, {});
const Statement rollback("ROLLBACK", "ROLLBACK", Lane::write, {});
const Statement begin_snapshot("BEGIN", "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY", Lane::read, {},
                               Kind::unprepared);
const Statement set_local_timeout("SET", "SET LOCAL statement_timeout = '30s'", Lane::slow, {}, Kind::unprepared);
const Statement snapshot_by_default(
    "SET", "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY", Lane::read, {},
    Kind::unprepared);
// The statements of the read and write lanes are written for one plan each, and replanning costs more than most of
// them. A search on the slow lane has a plan that depends on its text, and planning is cheap beside running it.
const Statement one_plan("SET", "SET plan_cache_mode = force_generic_plan", Lane::read, {}, Kind::unprepared);
const Statement plan_each("SET", "SET plan_cache_mode = force_custom_plan", Lane::slow, {}, Kind::unprepared);
// JIT compilation takes longer than it saves here; its cost estimate also includes parts of the plan that are not run.
const Statement no_compiler("SET", "SET jit = off", Lane::read, {}, Kind::unprepared);
const Statement set_timeout("SET", "SET statement_timeout = '30s'", Lane::slow, {}, Kind::unprepared);

// Each table that grows has an index for these statements, as a test asserts. A plan made while a table was empty would
// read it whole until the table's next ANALYZE.
const Statement by_index("SET", "SET enable_seqscan = off", Lane::read, {}, Kind::unprepared);

const Statement* const begin_only[] = {&begin};
const Statement* const commit_only[] = {&commit};
const Statement* const snapshot_only[] = {&begin_snapshot};
const Statement* const snapshot_and_timeout[] = {&begin_snapshot, &set_local_timeout};
const Statement* const read_session[] = {&snapshot_by_default, &one_plan, &by_index, &no_compiler};
const Statement* const write_session[] = {&one_plan, &by_index, &no_compiler};
const Statement* const slow_session[] = {&snapshot_by_default, &set_timeout, &plan_each, &no_compiler};

}  // namespace

std::span<const Statement* const> before(Frame frame) {
  switch (frame) {
    case Frame::begin:
    case Frame::transaction:
      return begin_only;
    case Frame::snapshot:
      return snapshot_only;
    case Frame::slow:
      return snapshot_and_timeout;
    default:
      return {};
  }
}

std::span<const Statement* const> after(Frame frame) {
  switch (frame) {
    case Frame::commit:
    case Frame::transaction:
    case Frame::snapshot:
    case Frame::slow:
      return commit_only;
    default:
      return {};
  }
}

std::span<const Statement* const> session_statements(Lane lane) {
  switch (lane) {
    case Lane::read:
      return read_session;
    case Lane::write:
      return write_session;
    case Lane::slow:
      return slow_session;
    default:
      return {};
  }
}

const Statement& rollback_statement() { return rollback; }

}  // namespace parley::pg
