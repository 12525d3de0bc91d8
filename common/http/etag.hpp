#pragma once
// Entity tags and the conditions on them (RFC 9110, 8.8.3 and 13.1).
#include <span>
#include <string>
#include <string_view>

#include "common/http/message.hpp"
#include "common/model/uuid.hpp"

namespace parley::http {

// What can be changed has a version: another one whenever it changes, though not when something else does that its
// answer shows too. Its tag is "VERSION-HASH", of which If-Match compares the version and If-None-Match all.
//
// A version begins as the number in the resource's row. Other rows that are part of it are added by their ids, in the
// order in which all who make this version read them.
void add_to_version(std::string& version, std::span<const model::Uuid> ids);

// Whether If-Match names a tag of this version. Its tags are a list, perhaps on several lines, or `*` for any; what is
// no tag ends the list. The comparison is strong: W/"..." is never the same.
bool matches_version(const Request& request, std::string_view version);

// Gives a 200 to a GET its ETag, or makes it a 304 without a body where If-None-Match names that (by the weak
// comparison). `version`: of what can be changed, else "".
void add_etag(const Request& request, Response& response, std::string_view version);

}  // namespace parley::http
