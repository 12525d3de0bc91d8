#pragma once
#include "common/http/problem.hpp"

namespace parley::http {

// Throws a Problem 415 unless the head announces one identity-coded JSON text in UTF-8.
void require_json(const Request& request);

// Parses a body strictly (model::parse_of_client). Throws a Problem 400 that says what is wrong and where.
boost::json::value parse_body(std::string_view body);

void throw_faults(std::vector<model::Fault> faults);

// Reads a JSON body into a described struct. Ignores unknown fields. Clients' nulls are refused, but for
// model::Nullable; other services write absent members as null.
template <model::Described T>
awaitable<T> read_body(Request& request, model::Nulls nulls = model::Nulls::refused) {
  require_json(request);
  const auto text = co_await request.body();
  const auto json = parse_body(text);
  T out;
  model::Reader reader(nulls);
  reader.read(json, out);
  throw_faults(std::move(reader.faults));
  co_return out;
}

// The same for a body that may be left out.
template <model::Described T>
awaitable<T> read_optional_body(Request& request) {
  if ((co_await request.body()).empty()) co_return T{};
  co_return co_await read_body<T>(request);
}

template <class T>
Response json_response(const T& value, unsigned status = 200) {
  Response response;
  response.status = status;
  model::write(response.body, value);
  return response;
}

template <class T>
Response created(const T& value, std::string_view location) {
  auto response = json_response(value, 201);
  response.add("Location", location);
  return response;
}

inline Response no_content() {
  Response response;
  response.status = 204;
  response.content_type = {};
  return response;
}

}  // namespace parley::http
