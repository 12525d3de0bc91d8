#pragma once
#include <string_view>

namespace parley::gateway {

// The contract's documentation page and its script, embedded from the files beside this one.
extern const std::string_view docs_page;
extern const std::string_view docs_script;

}  // namespace parley::gateway
