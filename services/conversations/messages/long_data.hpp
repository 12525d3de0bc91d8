#pragma once
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <span>

#include "common/model/message.hpp"
#include "common/pg/batch.hpp"
#include "common/pg/results.hpp"

namespace parley::conversations::messages {

using boost::asio::awaitable;

// Statements that read many messages leave out the data of long ones (short_data.fragment: a JSON null), as most are
// short and need not be measured. It is read by itself, as much as a page may have.
using Ask = std::function<awaitable<pg::Results>(pg::Batch)>;

// Adds what was left out. Returns how many of the messages have their data: those behind it would be too long for a
// page.
awaitable<std::size_t> add_long_data(Ask ask, model::Uuid organization, std::vector<model::Message*> messages);

}  // namespace parley::conversations::messages
