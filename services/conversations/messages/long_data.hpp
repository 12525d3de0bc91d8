#pragma once
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <span>

#include "common/model/message.hpp"
#include "common/pg/batch.hpp"
#include "common/pg/results.hpp"

namespace parley::conversations::messages {

using boost::asio::awaitable;

// Statements for many messages yield null for long data (short_data.fragment): most data need not be measured then.
using Ask = std::function<awaitable<pg::Results>(pg::Batch)>;

// Fills in the missing data. Returns how many messages have their data; the rest would exceed the limit of a page.
awaitable<std::size_t> add_long_data(Ask ask, model::Uuid organization, std::vector<model::Message*> messages);

}  // namespace parley::conversations::messages
