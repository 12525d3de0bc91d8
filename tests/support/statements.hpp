#pragma once
#include <map>
#include <regex>
#include <string>
#include <vector>

namespace parley::support {

std::vector<std::string> files_below(const std::string& folder, const std::regex& wanted);

// All statements of services and common, by FOLDER/NAME, with their includes expanded.
std::map<std::string, std::string> source_statements();

// The name that sql.cmake gives a statement: `contacts.lists.page` for `services/contacts/lists/sql/page`.
std::string statement_name(const std::string& path);

}  // namespace parley::support
