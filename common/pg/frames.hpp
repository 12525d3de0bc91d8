#pragma once
// The statements sent around a batch's own. Internal to common/pg.

#include <span>

#include "common/pg/pipelined_batch.hpp"

namespace parley::pg {

std::span<const Statement* const> before(Frame frame);
std::span<const Statement* const> after(Frame frame);
// The statements that set up a session of the lane. Transactions of the read lanes default to REPEATABLE READ READ
// ONLY, so a batch's implicit transaction, which always ends at its sync, has one snapshot. An explicit BEGIN .. COMMIT
// would stay open when a statement fails, and the next batch in the pipeline would run in it.
std::span<const Statement* const> session_statements(Lane lane);
inline bool commits(Frame frame) { return frame == Frame::commit || frame == Frame::transaction; }
const Statement& rollback_statement();

}  // namespace parley::pg
