#pragma once
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "common/http/message.hpp"
#include "common/model/json.hpp"

namespace parley::http {

struct ProblemDetails {
  unsigned status = 500;
  std::string detail{};                // for people: what is wrong and what would be right
  std::vector<model::Fault> errors{};  // each fault's place: a JSON pointer into the body, or "?name"
  std::string head{};                  // further header fields, each "Name: value\r\n"
  bool close = false;                  // the connection cannot be reused
  // The kind, where the status does not say it all: an address (RFC 9457, 3.1.1), and in words.
  std::string_view type = "about:blank", title{};
};

// Becomes the response: `throw Problem({.status = 404, .detail = "..."})`.
struct Problem : std::exception, ProblemDetails {
  Problem() = default;
  explicit Problem(ProblemDetails details) : ProblemDetails(std::move(details)) {}
  const char* what() const noexcept override { return detail.c_str(); }
};

// `instance` is the request's path, `request_id` its id in the log.
Response to_response(const ProblemDetails& problem, std::string_view instance, std::string_view request_id);

// Collects the faults of an input and throws them as one Problem 400.
class Faults {
 public:
  void add(std::string pointer, std::string detail) { faults_.push_back({std::move(pointer), std::move(detail)}); }
  void add(std::vector<model::Fault> faults) { std::move(faults.begin(), faults.end(), std::back_inserter(faults_)); }
  // `part` stands at `pointer` in the input.
  void add_below(std::string_view pointer, Faults part) {
    for (auto& fault : part.faults_) add(std::string(pointer) + fault.pointer, std::move(fault.detail));
  }
  // Lengths in characters; `least` > 0 also refuses blank text.
  void check_text(std::string_view pointer, std::string_view text, std::size_t least, std::size_t most);
  // An absolute http or https URL, at most 2,048 octets, without userinfo, or "". It is stored, never fetched.
  void check_url(std::string_view pointer, std::string_view text);
  bool empty() const { return faults_.empty(); }
  void throw_if_any();

 private:
  std::vector<model::Fault> faults_;
};

}  // namespace parley::http
