#pragma once

namespace parley::chassis {

// What was built: in a file of its own, as it changes with every commit.
extern const char* const kVersion;
extern const char* const kCommit;  // "unknown" unless whoever built it said (-DPARLEY_COMMIT)

}  // namespace parley::chassis
