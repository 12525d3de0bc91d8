#include "common/chassis/build.hpp"

namespace parley::chassis {

const char* const kVersion = PARLEY_VERSION;
const char* const kCommit = PARLEY_COMMIT;

}  // namespace parley::chassis
