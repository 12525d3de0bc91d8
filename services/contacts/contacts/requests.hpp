#pragma once
#include <boost/asio/awaitable.hpp>
#include <string>
#include <vector>

#include "common/chassis/pipeline.hpp"
#include "contacts/contacts/shapes.hpp"

namespace parley::contacts::contacts {

using boost::asio::awaitable;

// What requests ask for, read and checked; what is wrong with them is one Problem 400 that names each fault.

PageFilter read_page_filter(const ListQuery& query);
// The name of a page's order, for cursors.
Filter read_export_filter(const ExportQuery& query);

// One contact to be made or changed. `country` is where numbers without a calling code are dialled, as for to_e164().
struct NewContacts {
  std::vector<Changes> contacts;
  bool is_array = false;  // the body was one, and so is the answer
};
// The body of POST /api/contacts: an object, or an array of up to 1,000. A number that two of them have is a Problem
// 409.
awaitable<NewContacts> read_new_contacts(chassis::Call& call, const std::string& country);
// A number that cannot be one is left to Store::update().
awaitable<Changes> read_changes(chassis::Call& call, const std::string& country);

}  // namespace parley::contacts::contacts
