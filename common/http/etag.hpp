#pragma once
// Entity tags and conditional requests (RFC 9110, 8.8.3 and 13.1).
#include <span>
#include <string>
#include <string_view>

#include "common/http/message.hpp"
#include "common/model/uuid.hpp"

namespace parley::http {

// Adds rows that belong to a resource to its version, by their ids in a fixed order. A version starts with the number
// in the resource's row and changes with the resource, not with other data in its response. The tag is "VERSION-HASH":
// If-Match compares the version, If-None-Match the whole tag.
void add_to_version(std::string& version, std::span<const model::Uuid> ids);

// Whether If-Match lists a tag of this version, or `*`. The list may span several fields; malformed text ends it. The
// comparison is strong: W/"..." never matches.
bool matches_version(const Request& request, std::string_view version);

// Whether If-None-Match lists the tag, or is `*` (weak comparison).
bool names_tag(const Request& request, std::string_view tag);

// Adds the ETag to a 200 of a GET, or turns it into a 304 without body if If-None-Match lists it (weak comparison).
// `version` is "" for a resource that cannot be changed.
void add_etag(const Request& request, Response& response, std::string_view version);

}  // namespace parley::http
