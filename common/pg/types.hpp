#pragma once
// OIDs of the supported built-in types (pg_type.dat); they are the same in all PostgreSQL versions.

#include <postgres_ext.h>

#include <string>

namespace parley::pg::oid {

inline constexpr Oid boolean = 16, bytea = 17, name = 19, int8 = 20, int2 = 21, int4 = 23, text = 25, json = 114,
                     float4 = 700, float8 = 701, bpchar = 1042, varchar = 1043, timestamptz = 1184, numeric = 1700,
                     uuid = 2950, jsonb = 3802;
inline constexpr Oid boolean_array = 1000, bytea_array = 1001, int2_array = 1005, int4_array = 1007, text_array = 1009,
                     varchar_array = 1015, int8_array = 1016, float8_array = 1022, timestamptz_array = 1185,
                     json_array = 199, uuid_array = 2951, jsonb_array = 3807;
// Types made by CREATE TYPE or an extension have OIDs from here; of these only enumerations are supported, as text.
inline constexpr Oid first_user_defined = 16384;

// The element type, or 0 for no array.
Oid element_of(Oid array);
// Returns "uuid", "int8[]" or the number.
std::string name_of(Oid type);

}  // namespace parley::pg::oid
