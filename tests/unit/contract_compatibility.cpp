// The contract against that of the last release: what programs were made from stays.
#include "tests/support/compatibility.hpp"

#include <doctest/doctest.h>

#include <boost/json/parse.hpp>
#include <fstream>
#include <iterator>

#include "gateway/openapi/document.hpp"

namespace json = boost::json;
using parley::support::breaking_changes;

namespace {

using Breaks = std::vector<std::string>;

constexpr std::string_view kBefore = R"({
  "paths": {"/things/{id}": {
    "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
    "post": {
      "operationId": "change",
      "parameters": [{"name": "dry", "in": "query", "schema": {"type": "boolean"}}],
      "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Change"}}}},
      "responses": {"200": {"headers": {"ETag": {}}, "content": {
        "application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}}, "404": {}}}}},
  "components": {"schemas": {
    "Change": {"type": "object", "required": ["kind"], "properties": {
      "kind": {"type": "string", "enum": ["a", "b"]}, "name": {"type": "string", "minLength": 2, "maxLength": 9}}},
    "Thing": {"type": "object", "required": ["kind", "name"], "properties": {
      "kind": {"type": "string", "enum": ["a", "b"]}, "name": {"type": ["string", "null"]},
      "parts": {"type": "array", "items": {"$ref": "#/components/schemas/Part"}}}},
    "Part": {"oneOf": [{"$ref": "#/components/schemas/Wheel"}], "discriminator": {"propertyName": "type",
      "mapping": {"Wheel": "#/components/schemas/Wheel"}}},
    "Wheel": {"type": "object", "required": ["type"], "properties": {"type": {"type": "string", "enum": ["Wheel"]},
      "inches": {"type": "integer"}}}}}})";

constexpr std::string_view kOperation = "/paths/~1things~1{id}/post", kSchemas = "/components/schemas";

json::value read(std::string_view text) { return json::parse({text.data(), text.size()}); }

// The breaks once the document has this value at a pointer; without a value, once it lacks what is there.
Breaks with(std::string_view root, std::string_view at, std::string_view value) {
  auto after = read(kBefore);
  const auto pointer = std::string(root) + std::string(at);
  const auto slash = pointer.rfind('/');
  auto& owner = after.at_pointer(pointer.substr(0, slash)).as_object();
  if (value.empty())
    owner.erase(pointer.substr(slash + 1));
  else
    owner[pointer.substr(slash + 1)] = read(value);
  return breaking_changes(read(kBefore), after);
}

}  // namespace

TEST_CASE("what programs rely on must not go away") {
  const std::string at = "post /things/{id}";
  CHECK(breaking_changes(read(kBefore), read(kBefore)) == Breaks{});
  CHECK(with("/paths/~1things~1{id}", "/post", "") == Breaks{at + ": is gone"});
  CHECK(with(kOperation, "/operationId", R"("alter")") == Breaks{at + R"(: is called "alter")"});
  CHECK(with(kOperation, "/parameters", "[]") == Breaks{at + " dry: is gone"});
  CHECK(with(kOperation, "/parameters", R"([{"name": "dry", "in": "query", "schema": {"type": "string"}}])") ==
        Breaks{at + " dry: has other types"});
  CHECK(with(kOperation, "/requestBody", "") == Breaks{at + ": takes no body"});
  CHECK(with(kOperation, "/requestBody/required", "true") == Breaks{at + ": needs a body"});
  CHECK(with(kOperation, "/responses/404", "") == Breaks{at + " 404: is gone"});
  CHECK(with(kOperation, "/responses/200/headers", "{}") == Breaks{at + " 200: lacks the header ETag"});
  const auto body = at + " application/json", answer = at + " 200 application/json";
  CHECK(with(kSchemas, "/Change/properties/kind/enum", R"(["a"])") == Breaks{body + R"(/kind: does not take "b")"});
  CHECK(with(kSchemas, "/Change/properties/name/maxLength", "8") == Breaks{body + "/name: has a narrower maxLength"});
  CHECK(with(kSchemas, "/Change/properties/name/minLength", "3") == Breaks{body + "/name: has a narrower minLength"});
  CHECK(with(kSchemas, "/Change/properties/name/pattern", R"("a")") == Breaks{body + "/name: has another pattern"});
  CHECK(with(kSchemas, "/Change/required", R"(["kind", "name"])") == Breaks{body + ": needs name"});
  CHECK(with(kSchemas, "/Thing/required", R"(["kind"])") == Breaks{answer + ": may lack name"});
  CHECK(with(kSchemas, "/Thing/properties/name", "").size() == 1);
  CHECK(with(kSchemas, "/Thing/properties/kind/type", R"(["string", "null"])") ==
        Breaks{answer + "/kind: has other types"});
  CHECK(with(kSchemas, "/Wheel/properties/inches/type", R"("number")") ==
        Breaks{answer + "/parts/0(Wheel)/inches: has other types"});
}

TEST_CASE("what programs pass over may come") {
  CHECK(with("/paths", "/things", R"({"get": {"operationId": "list", "responses": {}}})") == Breaks{});
  CHECK(with(kOperation, "/responses/410", "{}") == Breaks{});
  CHECK(with(kSchemas, "/Change/properties/more", R"({"type": "string"})") == Breaks{});
  CHECK(with(kSchemas, "/Change/properties/name/maxLength", "") == Breaks{});
  CHECK(with(kSchemas, "/Change/properties/kind/enum", R"(["a", "b", "c"])") == Breaks{});
  CHECK(with(kSchemas, "/Thing/properties/more", R"({"type": "string"})") == Breaks{});
  CHECK(with(kSchemas, "/Thing/properties/kind/enum", R"(["a", "b", "c"])") == Breaks{});
  CHECK(with(kSchemas, "/Thing/properties/name/type", R"("string")") == Breaks{});
  CHECK(with(kSchemas, "/Thing/required", R"(["kind", "name", "parts"])") == Breaks{});
}

TEST_CASE("the published document breaks nothing of the last release's") {
  std::ifstream file(PARLEY_SOURCE_DIR "/gateway/openapi/released.json");
  const std::string released{std::istreambuf_iterator<char>(file), {}};
  REQUIRE(!released.empty());
  CHECK(breaking_changes(read(released), read(parley::gateway::openapi_json)) == Breaks{});
}
