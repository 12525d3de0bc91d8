#pragma once
#include "common/http/client.hpp"
#include "common/model/json.hpp"

namespace parley::http {

// Read what one of our own services answered into a described struct. Whatever cannot be read is the fault of `peer`,
// and never that of whoever's request needed the answer: Unreachable, a 503 to them.
template <class T>
T read_answer(std::string_view body, const std::string& peer) {
  model::Fault fault;
  auto out = model::from_json<T>(body, fault);
  if (!out)
    throw Unreachable(Unreachable::Why::bad_answer,
                      peer + " gave an answer that cannot be read: " + fault.pointer + ' ' + fault.detail, false);
  return std::move(*out);
}

// The same of an answer that should be one of 200.
template <class T>
T read_answer(const ClientResponse& response, const std::string& peer) {
  if (response.status != 200)
    throw Unreachable(Unreachable::Why::bad_answer, peer + " answered " + std::to_string(response.status), false);
  return read_answer<T>(std::string_view(response.body), peer);
}

}  // namespace parley::http
