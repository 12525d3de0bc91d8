#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace parley::model {

// True for an ISO 3166-1 region in capitals ("DE") whose numbering plan is known; "XK" is Kosovo.
bool is_phone_country(std::string_view region);

// A telephone number as people and spreadsheets write it, in E.164: "+491701234567". nullopt for what cannot be one.
//
// Taken: an international number, with its plus or with 00 (or what the country dials instead, such as 011); a national
// one, with or without its trunk prefix, if `country` says where it is dialled, "" for nowhere; "tel:" (RFC 3966)
// before either. Spaces, dashes, dots, slashes, parentheses and invisible marks are passed over, digits may be
// full-width or Arabic, and a trunk zero behind the calling code goes: "+44 (0)20 7946 0018". A national number that
// begins with the country's own calling code and is longer than usual there is taken to have lost its plus. Refused:
// letters, extensions, calling codes that are not assigned, and as many digits as no number of the calling code has,
// unless the channel has people by such numbers, whose plan has changed: "+52 1 55 1234 5678", which stays as it is.
// Whether a number is in use only dialling it would tell; Argentina's 15 and carrier codes stay.
std::optional<std::string> to_e164(std::string_view typed, std::string_view country);

// Whether this is a plus and as many digits as E.164 has, of whatever plan.
bool is_international(std::string_view text);

// What is wrong with how many digits there are in what to_e164() refused, for people: "+49 is followed by 4 to 13
// digits, not 3". "" if that is not what is wrong.
std::string wrong_length_of(std::string_view typed, std::string_view country);

}  // namespace parley::model
