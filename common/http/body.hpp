#pragma once
#include "common/http/problem.hpp"

namespace parley::http {

// Refuses a request whose body is not one identity-coded JSON text in UTF-8 by its head: Problem 415.
void require_json(const Request& request);

// Parses a body strictly (model::parse); a Problem 400 says what is wrong and where.
boost::json::value parse_body(std::string_view body);

// Throws what a reader found as one Problem 400.
void throw_faults(std::vector<model::Fault> faults);

// Reads a JSON body into a described struct. Fields it does not know are ignored.
template <model::Described T>
awaitable<T> read_body(Request& request) {
  require_json(request);
  const auto text = co_await request.body();
  const auto json = parse_body(text);
  T out;
  model::Reader reader;
  reader.read(json, out);
  throw_faults(std::move(reader.faults));
  co_return out;
}

// An answer of 200 (or another status) with a described struct as its JSON.
template <class T>
Response json_response(const T& value, unsigned status = 200) {
  Response response;
  response.status = status;
  model::write(response.body, value);
  return response;
}

// An answer of 201 for something made, which is found at `location`.
template <class T>
Response created(const T& value, std::string_view location) {
  auto response = json_response(value, 201);
  response.add("Location", location);
  return response;
}

// An answer of 204: done, and there is nothing to tell.
inline Response no_content() {
  Response response;
  response.status = 204;
  response.content_type = {};
  return response;
}

}  // namespace parley::http
