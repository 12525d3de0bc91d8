#pragma once
// The statements around a batch's own. Internal to common/pg.

#include <span>

#include "common/pg/pipelined_batch.hpp"

namespace parley::pg {

std::span<const Statement* const> before(Frame frame);
std::span<const Statement* const> after(Frame frame);
// What a session of the lane begins with. The read lanes' transactions are REPEATABLE READ READ ONLY by default, so
// that the implicit transaction of a batch, which ends at its sync whatever happens, has one snapshot. Explicit BEGIN
// and COMMIT around it would stay open when a statement fails, and take the next batch in the pipeline with them.
std::span<const Statement* const> session_statements(Lane lane);
inline bool commits(Frame frame) { return frame == Frame::commit || frame == Frame::transaction; }
const Statement& rollback_statement();

}  // namespace parley::pg
