#include "tests/support/contract.hpp"

#include <doctest/doctest.h>

#include <boost/json/parse.hpp>
#include <stdexcept>

namespace json = boost::json;
using namespace parley::support;

namespace {

Faults validate(std::string_view schema, std::string_view value, Direction direction = Direction::answer) {
  const json::value document = {{"schema", json::parse({schema.data(), schema.size()})}};
  Faults faults;
  Schemas(document).validate(document.at("schema"), json::parse({value.data(), value.size()}), direction, "", faults);
  return faults;
}

Faults inspect(std::string_view schema) {
  const json::value document = {{"schema", json::parse({schema.data(), schema.size()})}};
  Faults faults;
  Schemas(document).inspect(document.at("schema"), Direction::answer, "/schema", faults);
  return faults;
}

struct Sample {
  std::string_view schema, good, bad;
};

// A small document whose every part the tests below exercise.
constexpr std::string_view kDocument = R"json({
  "openapi": "3.1.0",
  "info": {"title": "t", "version": "1"},
  "security": [{"bearer": []}],
  "x-responses-outside-operations": {
    "405": {"description": "d", "headers": {"Allow": {"required": true, "description": "d", "schema": {"type": "string"}}},
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}, "example": {"status": 405}}}},
    "default": {"$ref": "#/components/responses/Error"}},
  "paths": {
    "/things": {
      "get": {
        "operationId": "list", "summary": "s", "description": "d", "tags": ["t"], "x-permission": "Get:Thing",
        "parameters": [
          {"name": "per_page", "in": "query", "description": "d", "schema": {"type": "integer", "minimum": 1, "maximum": 100}},
          {"name": "since", "in": "query", "description": "d", "schema": {"type": "string", "format": "date-time"}},
          {"name": "If-None-Match", "in": "header", "description": "d", "schema": {"type": "string", "minLength": 3}}],
        "responses": {
          "200": {"description": "d",
                  "headers": {"X-Count": {"required": true, "description": "d", "schema": {"type": "integer"}},
                              "ETag": {"description": "d", "schema": {"type": "string", "pattern": "^\".+\"$"}}},
                  "content": {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Thing"}},
                                                   "example": [{"id": 1, "name": "a"}]}}},
          "304": {"description": "d"},
          "default": {"$ref": "#/components/responses/Error"}}},
      "post": {
        "operationId": "create", "summary": "s", "description": "d", "tags": ["t"], "x-permission": null,
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"},
                                                                           "example": {"name": "a", "id": 1}}}},
        "responses": {"201": {"description": "d", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"},
                                                                                   "example": {"id": 1, "name": "a"}}}},
                      "default": {"$ref": "#/components/responses/Error"}}}},
    "/things/{id}": {
      "parameters": [{"name": "id", "in": "path", "required": true, "description": "d", "schema": {"type": "string", "format": "uuid"}}],
      "get": {
        "operationId": "get", "summary": "s", "description": "d", "tags": ["t"], "x-permission": "Get:Thing", "security": [],
        "responses": {"200": {"description": "d", "content": {"text/csv": {"schema": {"type": "string"}, "example": "a,b"}}},
                      "default": {"$ref": "#/components/responses/Error"}}}},
    "/things/export": {
      "get": {
        "operationId": "export", "summary": "s", "description": "d", "tags": ["t"], "x-permission": "Export:Things",
        "responses": {"200": {"description": "d"}, "default": {"$ref": "#/components/responses/Error"}}}}},
  "components": {
    "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
    "responses": {
      "Error": {"description": "d", "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"},
                                                                             "example": {"status": 500, "requestId": "r"}}}}},
    "schemas": {
      "Thing": {"type": "object", "required": ["id", "name"],
                "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}},
      "Problem": {"type": "object", "required": ["status"], "properties": {"status": {"type": "integer"}, "requestId": {"type": "string"}}}}}
})json";

constexpr std::string_view kId = "01949c3a-7b2e-7c41-9d3f-5a8e2b6c1f04";

Contract small() { return Contract(json::parse({kDocument.data(), kDocument.size()})); }

// What is wrong with the small document once it has this value at a pointer, put there or replaced.
Faults faults_with(std::string_view pointer, json::value value) {
  auto document = json::parse({kDocument.data(), kDocument.size()});
  const auto slash = pointer.rfind('/');
  std::string last(pointer.substr(slash + 1));
  for (auto at = last.find("~1"); at != last.npos; at = last.find("~1", at)) last.replace(at, 2, "/");
  boost::system::error_code error;
  auto* owner = slash == 0 ? &document : document.find_pointer(pointer.substr(0, slash), error);
  REQUIRE(owner != nullptr);
  if (owner->is_array())
    owner->get_array().insert(owner->get_array().begin() + std::stoi(last), std::move(value));
  else
    owner->as_object()[last] = std::move(value);
  return Contract(std::move(document)).faults();
}

Faults list_answer(std::string_view body, std::string_view type = "application/json",
                   const Headers& headers = {{"x-count", "1"}}) {
  return small().check("GET", "/things?per_page=2", 200, type, headers, body);
}

bool contains(const Faults& faults, std::string_view text) {
  for (const auto& fault : faults)
    if (fault.find(text) != fault.npos) return true;
  return false;
}

}  // namespace

TEST_CASE("each keyword lets good values pass and refuses bad ones") {
  const Sample samples[] = {
      {R"({"type": "string"})", R"("a")", "1"},
      {R"({"type": "integer"})", "-3", "1.0"},
      {R"({"type": "number"})", "1.5", R"("1.5")"},
      {R"({"type": "boolean"})", "false", "0"},
      {R"({"type": "array"})", "[]", "{}"},
      {R"({"type": "object"})", "{}", "[]"},
      {R"({"type": "null"})", "null", R"("")"},
      {R"({"type": ["string", "null"]})", "null", "1"},
      {R"({"properties": {"a": {"type": "string"}}})", R"({"a": "x"})", R"({"a": 1})"},
      {R"({"properties": {"a": {}}})", R"({"a": 1})", R"({"a": 1, "b": 2})"},
      {R"({"properties": {"a": {}}, "additionalProperties": true})", R"({"a": 1, "b": 2})", ""},
      {R"({"properties": {"a": {}}, "required": ["a"]})", R"({"a": null})", "{}"},
      {R"({"properties": {"a": {}}, "additionalProperties": false})", R"({"a": 1})", R"({"a": 1, "b": 2})"},
      {R"({"additionalProperties": {"type": "integer"}})", R"({"a": 1})", R"({"a": "1"})"},
      {R"({"items": {"type": "integer"}})", "[1, 2]", R"([1, "2"])"},
      {R"({"uniqueItems": true})", "[1, 2]", "[1, 2, 1]"},
      {R"({"enum": ["Active", "Closed"]})", R"("Closed")", R"("closed")"},
      {R"({"const": "Text"})", R"("Text")", R"("text")"},
      {R"({"oneOf": [{"type": "integer"}, {"type": "null"}]})", "null", R"("a")"},
      {R"({"oneOf": [{"type": "integer"}, {"minimum": 5}]})", "3", "7"},
      {R"({"anyOf": [{"type": "integer"}, {"minimum": 5}]})", "7", "1.5"},
      {R"({"allOf": [{"type": "integer"}, {"minimum": 5}]})", "7", "3"},
      {R"({"oneOf": [{"$ref": "#/schema/x-a"}, {"$ref": "#/schema/x-b"}],
           "discriminator": {"propertyName": "t", "mapping": {"a": "#/schema/x-a", "b": "#/schema/x-b"}},
           "x-a": {"properties": {"t": {"enum": ["a"]}, "n": {"type": "integer"}}},
           "x-b": {"properties": {"t": {"enum": ["b"]}, "n": {"type": "string"}}}})",
       R"({"t": "b", "n": "x"})", R"({"t": "a", "n": "x"})"},
      {R"({"if": {"type": "integer"}, "then": {"minimum": 5}})", R"("a")", "3"},
      {R"({"if": {"type": "integer"}, "else": {"type": "string"}})", "3", "null"},
      {R"({"$ref": "#/schema/x-other", "x-other": {"type": "string"}})", R"("a")", "1"},
      {R"({"pattern": "^[a-z]+$"})", R"("abc")", R"("ab1")"},
      {R"({"minimum": 1})", "1", "0"},
      {R"({"maximum": 100})", "100", "100.5"},
      {R"({"minLength": 2})", R"("éé")", R"("é")"},
      {R"({"maxLength": 2})", R"("日本")", R"("abc")"},
      {R"({"minItems": 1})", "[0]", "[]"},
      {R"({"maxItems": 1})", "[0]", "[0, 1]"},
      {R"({"format": "int32"})", "2147483647", "2147483648"},
      {R"({"format": "int64"})", "9223372036854775807", "9223372036854775808"},
      {R"({"format": "date"})", R"("2024-02-29")", R"("2023-02-29")"},
      {R"({"format": "uuid"})", R"("01949c3a-7b2e-7c41-9d3f-5a8e2b6c1f04")",
       R"("01949C3A-7b2e-7c41-9d3f-5a8e2b6c1f04")"},
      {R"({"format": "uuid"})", "null", R"("01949c3a7b2e7c419d3f5a8e2b6c1f04")"},
      {R"({"format": "date-time"})", R"("2026-01-31T12:34:56.789Z")", R"("2026-01-31T12:34:56Z")"},
      {R"({"format": "date-time"})", R"("2024-02-29T00:00:00.000Z")", R"("2026-02-29T00:00:00.000Z")"},
      {R"({"format": "date-time"})", R"("2026-01-31T23:59:59.999Z")", R"("2026-01-31T24:00:00.000Z")"},
      {R"({"format": "date-time"})", "1", R"("2026-01-31T12:34:56.789+00:00")"},
      {"true", "1", ""},
      {R"({"type": "string", "title": "t", "description": "d", "x-more": 1, "default": "", "examples": ["a"]})",
       R"("a")", "1"},
  };
  for (const auto& sample : samples) {
    CAPTURE(sample.schema);
    CHECK(validate(sample.schema, sample.good) == Faults{});
    if (!sample.bad.empty()) CHECK(validate(sample.schema, sample.bad).size() == 1);
    CHECK(inspect(sample.schema) == Faults{});
  }
  CHECK(validate("false", "1").size() == 1);
}

TEST_CASE("faults name the place") {
  const auto faults = validate(R"({"properties": {"a/b": {"items": {"type": "string"}}}})", R"({"a/b": ["x", 2]})");
  REQUIRE(faults.size() == 1);
  CHECK(faults[0] == R"(/a~1b/1 is not of type "string": 2)");
}

TEST_CASE("requests may write moments, ids and orders more freely than answers") {
  constexpr std::string_view moment = R"({"format": "date-time"})";
  for (const auto* text :
       {R"("2026-01-31T12:34:56Z")", R"("2026-01-31T12:34:56.1+01:00")", R"("2026-01-31T12:34:56-11:30")"}) {
    CHECK(validate(moment, text, Direction::request) == Faults{});
    CHECK(validate(moment, text, Direction::answer).size() == 1);
  }
  for (const auto* text : {R"("2026-01-31")", R"("2026-01-31T12:34:56")", R"("2026-01-31T12:34:56.Z")",
                           R"("2026-01-31T12:34:56+25:00")", R"("2024-02-30T00:00:00Z")", R"("2026-01-31 12:34:56Z")"})
    CHECK(validate(moment, text, Direction::request).size() == 1);

  constexpr std::string_view ordered = R"({"properties": {"a": {}, "b": {}, "c": {}}})";
  CHECK(validate(ordered, R"({"a": 1, "b": 2, "c": 3})") == Faults{});
  CHECK(validate(ordered, R"({"a": 1, "x": 0, "c": 3})") == Faults{"/x is not declared"});
  CHECK(validate(ordered, R"({"a": 1, "x": 0, "c": 3})", Direction::request) == Faults{});
  CHECK(validate(ordered, R"({"b": 2, "a": 1, "c": 3})") == Faults{"/ has a after b"});
  CHECK(validate(ordered, R"({"c": 2, "b": 1, "a": 3})").size() == 2);
  CHECK(validate(ordered, R"({"b": 2, "a": 1, "c": 3})", Direction::request) == Faults{});
}

TEST_CASE("what the validator does not know is a fault, not a pass") {
  for (const auto* schema : {R"({"exclusiveMinimum": 1})", R"({"format": "email"})", R"({"$ref": "#/nowhere"})",
                             R"({"$ref": "other.json"})", R"({"$ref": "#/schema"})", R"({"items": {"not": {}}})"}) {
    CAPTURE(schema);
    CHECK_FALSE(validate(schema, "[1]").empty());
  }
  for (const auto* schema : {R"({"exclusiveMinimum": 1})",
                             R"({"format": "email"})",
                             R"({"$ref": "#/nowhere"})",
                             R"({"items": {"not": {}}})",
                             R"({"type": "text"})",
                             R"({"type": ["string", 1]})",
                             R"({"required": ["a"]})",
                             R"({"required": ["a"], "properties": {"b": {}}})",
                             R"({"pattern": "("})",
                             R"({"minimum": "1"})",
                             R"({"anyOf": []})",
                             R"({"allOf": [{"foo": 1}]})",
                             R"({"properties": {"a": 1}})",
                             R"({"oneOf": [{"type": "null"}], "discriminator": {"propertyName": "t", "mapping": {}}})",
                             R"({"oneOf": [{"$ref": "#/schema/x-a"}], "x-a": {"properties": {"t": {"enum": ["a"]}}},
            "discriminator": {"propertyName": "t", "mapping": {"a": "#/schema/x-a", "b": "#/schema/x-a"}}})",
                             R"({"discriminator": {"propertyName": "t"}})",
                             R"({"additionalProperties": {"foo": 1}})",
                             R"({"type": "integer", "default": "1"})",
                             R"({"type": "integer", "examples": [1, "2"]})",
                             "7"}) {
    CAPTURE(schema);
    CHECK(inspect(schema).size() == 1);
  }
}

TEST_CASE("the operation is found by its path, literal segments before parameters") {
  const Contract judge = small();
  REQUIRE(judge.operations().size() == 4);
  CHECK(judge.operations()[0].path == "/things");
  CHECK(judge.operations()[0].permission == "Get:Thing");
  CHECK_FALSE(judge.operations()[1].permission.has_value());
  CHECK(judge.operations()[1].needs_credential);
  CHECK_FALSE(judge.operations()[2].needs_credential);
  CHECK(judge.find("GET", "/things?a=b")->id == "list");
  CHECK(judge.find("HEAD", "/things")->id == "list");
  CHECK(judge.find("GET", "/things/export")->id == "export");
  CHECK(judge.find("GET", "/things/1")->id == "get");
  CHECK(judge.find("GET", "/things/") == nullptr);
  CHECK(judge.find("POST", "/things/1") == nullptr);
  CHECK(judge.find("GET", "/things/1/2") == nullptr);
  CHECK(judge.find("get", "/things") == nullptr);
}

TEST_CASE("an answer is held to status, media type, headers and schema") {
  CHECK(list_answer(R"([{"id": 1, "name": "a"}])") == Faults{});
  CHECK(list_answer("[]", "application/json; charset=utf-8") == Faults{});
  CHECK(list_answer("[]", "", {{"X-Count", "1"}, {"content-type", "application/json"}}) == Faults{});
  CHECK(list_answer("[]", "application/json", {{"X-Count", "1"}, {"etag", "\"a\""}}) == Faults{});

  CHECK(list_answer(R"([{"id": 1}])") == Faults{"GET /things?per_page=2 200: /0 lacks name"});
  CHECK(list_answer(R"([{"name": "a", "id": 1}])").size() == 1);
  CHECK(contains(list_answer(R"([{"id": 1, "name": "a", "id": 2}])"), "a key twice: id"));
  CHECK(list_answer("[").size() == 1);
  CHECK(list_answer("").size() == 1);
  CHECK(list_answer("[]", "text/html").size() == 1);
  CHECK(list_answer("[]", "application/json; charset=latin1").size() == 1);
  CHECK(list_answer("[]", "application/json", {}).size() == 1);
  CHECK(list_answer("[]", "application/json", {{"X-Count", "many"}}).size() == 1);
  CHECK(list_answer("[]", "application/json", {{"X-Count", "1"}, {"ETag", "a"}}).size() == 1);

  const Contract contract = small();
  CHECK(contract.check("GET", "/things", 304, "", {}, "") == Faults{});
  CHECK(contract.check("GET", "/things", 304, "", {}, "x").size() == 1);
  CHECK(contract.check("HEAD", "/things", 200, "application/json", {{"X-Count", "1"}}, "") == Faults{});
  CHECK(contract.check("HEAD", "/things", 200, "application/json", {{"X-Count", "1"}}, "[]").size() == 1);
  CHECK(contract.check("GET", "/things/1", 200, "text/csv", {}, "a,b\n1,2") == Faults{});
  CHECK(contract.check("POST", "/things", 200, "application/json", {}, R"({"id": 1, "name": "a"})").size() == 1);
}

TEST_CASE("problems must tell the truth about their answer") {
  const Contract contract = small();
  const std::string_view type = "application/problem+json";
  CHECK(contract.check("GET", "/things", 400, type, {}, R"({"status": 400})") == Faults{});
  CHECK(contract.check("GET", "/things", 400, type, {}, R"({"status": 401})").size() == 1);
  CHECK(contract.check("GET", "/things", 400, type, {{"X-Request-Id", "r"}}, R"({"status": 400, "requestId": "r"})") ==
        Faults{});
  CHECK(contract.check("GET", "/things", 400, type, {{"X-Request-Id", "q"}}, R"({"status": 400, "requestId": "r"})")
            .size() == 1);
  CHECK(contract.check("GET", "/things", 400, "application/json", {}, R"({"status": 400})").size() == 1);
}

TEST_CASE("requests outside the operations may only be refused, as documented") {
  const Contract contract = small();
  const std::string_view type = "application/problem+json";
  CHECK(contract.check("GET", "/nothing", 404, type, {}, R"({"status": 404})") == Faults{});
  CHECK(contract.check("GET", "/nothing", 404, "text/plain", {}, "no").size() == 1);
  CHECK(contract.check("GET", "/nothing", 200, "application/json", {}, "{}").size() == 1);
  CHECK(contract.check("DELETE", "/things", 405, type, {{"Allow", "GET"}}, R"({"status": 405})") == Faults{});
  CHECK(contract.check("DELETE", "/things", 405, type, {}, R"({"status": 405})").size() == 1);
  CHECK(contract.check("HEAD", "/things", 405, type, {{"Allow", "POST"}}, "") == Faults{});
}

TEST_CASE("a request is held to parameters and body") {
  const Contract contract = small();
  const auto get = [&](std::string_view target, const Headers& headers = {}) {
    return contract.check_request_documented("GET", target, headers, "", "");
  };
  const auto post = [&](std::string_view type, std::string_view body) {
    return contract.check_request_documented("POST", "/things", {}, type, body);
  };
  CHECK(get("/things") == Faults{});
  CHECK(get("/things?per_page=100&since=2026-01-31T12%3A00%3A00Z") == Faults{});
  CHECK(get("/things?per_page=101").size() == 1);
  CHECK(get("/things?per_page=ten").size() == 1);
  CHECK(get("/things?per_page=1&per_page=2").size() == 1);
  CHECK(get("/things?perpage=1") == Faults{"GET /things?perpage=1: query perpage is not documented"});
  CHECK(get("/things", {{"if-none-match", "\"a\""}}) == Faults{});
  CHECK(get("/things", {{"if-none-match", "a"}}).size() == 1);
  CHECK(get("/things/" + std::string(kId)) == Faults{});
  CHECK(get("/things/1").size() == 1);
  CHECK(get("/nothing").size() == 1);
  CHECK(contract.check_request_documented("GET", "/things", {}, "application/json", "{}").size() == 1);
  CHECK(post("application/json", R"({"name": "a", "id": 1})") == Faults{});
  CHECK(post("application/json", R"({"name": "a"})").size() == 1);
  CHECK(post("text/plain", R"({"name": "a", "id": 1})").size() == 1);
  CHECK_FALSE(post("", "").empty());
}

TEST_CASE("a document that is not sound is found out") {
  CHECK(small().faults() == Faults{});
  CHECK_THROWS_AS(Contract(json::parse(R"({"openapi": "3.0.3", "paths": {}})")), std::invalid_argument);
  CHECK_THROWS_AS(Contract(json::parse("[]")), std::invalid_argument);
  CHECK(faults_with("/unknown", 1).size() == 1);
  CHECK(faults_with("/paths/~1things/post/operationId", "list").size() == 1);
  CHECK(faults_with("/paths/~1things/get/x-permission", "get:thing").size() == 1);
  CHECK(faults_with("/paths/~1things/get/security", json::array{json::object{{"cookie", json::array{}}}}).size() == 1);
  CHECK(faults_with("/paths/~1things/get/parameters/0/schema/format", "tiny").size() == 1);
  CHECK(faults_with("/paths/~1things/get/parameters/0/name", "If-None-Match").empty());
  CHECK(faults_with("/paths/~1things/get/parameters/0/name", "since").size() == 1);
  CHECK(faults_with("/paths/~1things/get/parameters/0/in", "cookie").size() == 1);
  CHECK(faults_with("/paths/~1things/get/parameters/0/style", "form").size() == 1);
  CHECK(faults_with("/paths/~1things~1{id}/parameters/0/name", "other").size() == 1);
  CHECK(faults_with("/paths/~1things/get/responses/2xx", json::object{{"description", "d"}}).size() == 1);
  CHECK(faults_with("/paths/~1things/get/responses/304/links", json::object{}).size() == 1);
  CHECK(faults_with("/paths/~1things/get/responses/200/content/application~1json/example/0/id", "1").size() == 1);
  CHECK(contains(faults_with("/components/schemas/Thing/properties/id/multipleOf", 2),
                 "multipleOf is an unknown keyword"));
  CHECK(contains(faults_with("/components/schemas/Thing/required/2", "colour"), "not declared"));
  CHECK(faults_with("/components/responses/Error/content/application~1problem+json/schema/$ref",
                    "#/components/schemas/None")
            .size() >= 1);
  CHECK(faults_with("/components/callbacks", json::object{}).size() == 1);
}

TEST_CASE("keys that occur twice are found in the text") {
  CHECK(find_duplicate_key(R"({"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]})") == std::nullopt);
  CHECK(find_duplicate_key(R"({"a": "b", "b": "{\"a\":1}", "c": ["a", "a"]})") == std::nullopt);
  CHECK(find_duplicate_key(R"({"a": {"x": 1, "y": [], "x": 2}})") == "x");
}
