#pragma once
// The SQL statements of the source tree.
#include <map>
#include <regex>
#include <string>
#include <vector>

namespace parley::support {

// The files below a folder of the source tree whose paths are wanted, in alphabetical order.
std::vector<std::string> files_below(const std::string& folder, const std::regex& wanted);

// The statements of services and common by FOLDER/NAME, with what they include: the sections of queries.sql, and files
// of their own.
std::map<std::string, std::string> source_statements();

// What sql.cmake calls that of `services/contacts/lists/sql/page`: `contacts.lists.page`.
std::string statement_name(const std::string& path);

}  // namespace parley::support
