#pragma once
#include "common/http/client.hpp"
#include "common/model/json.hpp"

namespace parley::http {

// Reads a response of one of our own services. Throws Unreachable for an unreadable one: the fault is `peer`'s and
// becomes a 503, never a 4xx.
template <class T>
T read_answer(std::string_view body, const std::string& peer) {
  model::Fault fault;
  auto out = model::from_json<T>(body, fault);
  if (!out)
    throw Unreachable(Unreachable::Why::bad_answer,
                      peer + " gave an answer that cannot be read: " + fault.pointer + ' ' + fault.detail, false);
  return std::move(*out);
}

template <class T>
T read_answer(const ClientResponse& response, const std::string& peer) {
  if (response.status != 200)
    throw Unreachable(Unreachable::Why::bad_answer, peer + " answered " + std::to_string(response.status), false);
  return read_answer<T>(std::string_view(response.body), peer);
}

}  // namespace parley::http
