#pragma once

namespace parley::chassis {

// The build's version and commit; in a file of their own, as they change with every commit.
extern const char* const kVersion;
extern const char* const kCommit;  // "unknown" without git and without -DPARLEY_COMMIT

}  // namespace parley::chassis
