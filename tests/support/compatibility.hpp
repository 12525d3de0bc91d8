#pragma once
// Whether programs that were made from one OpenAPI document still work with a later one.
#include <boost/json/value.hpp>
#include <string>
#include <vector>

namespace parley::support {

// The changes that break a client of `before`, each with its place in the document, such as
// `GET /api/lists 200 application/json/lists/0: lacks name`. Both documents must be sound (Contract::faults).
//
// Allowed: new operations, optional parameters, optional members of bodies, members of answers, values of enumerations
// and alternatives in answers, events; wider bounds of what is sent, narrower ones of what is answered.
std::vector<std::string> breaking_changes(const boost::json::value& before, const boost::json::value& after);

}  // namespace parley::support
