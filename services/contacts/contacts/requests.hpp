#pragma once
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <string>
#include <vector>

#include "common/chassis/pipeline.hpp"
#include "contacts/contacts/shapes.hpp"

namespace parley::contacts::contacts {

using boost::asio::awaitable;

// Reads and checks requests. Invalid requests throw a Problem 400 that names each fault.

// The checks of filters wherever they stand; attributes by the pointer of each.
void check_attributes(const std::vector<std::pair<std::string, std::string>>& attributes,
                      const std::function<std::string(std::string_view name)>& pointer_of, http::Faults& faults);
void check_search(std::string_view pointer, std::string_view search, http::Faults& faults);

PageFilter read_page_filter(const ListQuery& query);
Filter read_export_filter(const ExportQuery& query);

struct NewContacts {
  std::vector<Changes> contacts;
  bool are_several = false;  // so the response is of several too
};
// An object, or an array of up to 1,000. Throws a Problem 409 for a repeated number. `country` as for model::to_e164().
awaitable<NewContacts> read_new_contacts(chassis::Call& call, const std::string& country);
// Passes an invalid number on to Store::update(), which accepts it if the contact already has it.
awaitable<Changes> read_changes(chassis::Call& call, const std::string& country);

}  // namespace parley::contacts::contacts
