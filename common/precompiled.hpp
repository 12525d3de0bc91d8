#pragma once
// Precompiled headers that nearly every file includes: see precompile() in the top CMakeLists.txt. No file may rely on
// it: each includes what it uses, and the tree builds without it (-DPARLEY_PRECOMPILE=OFF).
#include <algorithm>
#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/describe.hpp>
#include <boost/json/value.hpp>
#include <boost/mp11.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>
