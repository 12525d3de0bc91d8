#pragma once
// What a person's authenticator app does with the secret that it was given: it shows the code of the moment.
#include <string>

namespace parley::support {

// The code of a secret in Base32, now or `steps` steps of 30 s later. A step may end before the code is used: ask for
// no code that is accepted in this one alone.
std::string authenticator_code(const std::string& secret, int steps = 0);

}  // namespace parley::support
