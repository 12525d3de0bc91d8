#include "common/pg/types.hpp"

#include <algorithm>
#include <iterator>

namespace parley::pg::oid {
namespace {

struct Known {
  Oid type, array;
  const char* name;
};

constexpr Known known[] = {
    {boolean, boolean_array, "bool"},
    {bytea, bytea_array, "bytea"},
    {int2, int2_array, "int2"},
    {int4, int4_array, "int4"},
    {int8, int8_array, "int8"},
    {text, text_array, "text"},
    {varchar, varchar_array, "varchar"},
    {json, json_array, "json"},
    {jsonb, jsonb_array, "jsonb"},
    {float8, float8_array, "float8"},
    {timestamptz, timestamptz_array, "timestamptz"},
    {uuid, uuid_array, "uuid"},
    {numeric, 1231, "numeric"},
    {float4, 1021, "float4"},
    {name, 1003, "name"},
    {bpchar, 1014, "char"},
};

}  // namespace

Oid element_of(Oid array) {
  const auto* found = std::ranges::find(known, array, &Known::array);
  return found == std::end(known) ? 0 : found->type;
}

std::string name_of(Oid type) {
  for (const auto& entry : known) {
    if (entry.type == type) return entry.name;
    if (entry.array == type) return std::string(entry.name) + "[]";
  }
  return "type " + std::to_string(type);
}

}  // namespace parley::pg::oid
