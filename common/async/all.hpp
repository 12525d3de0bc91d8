#pragma once
#include <boost/asio/awaitable.hpp>
#include <vector>

namespace parley::async {

using boost::asio::awaitable;

// Runs all works to their ends, at most `max_at_once` concurrently; they start in order. They must not throw.
awaitable<void> all(std::vector<awaitable<void>> works, std::size_t max_at_once);

}  // namespace parley::async
