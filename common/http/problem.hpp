#pragma once
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "common/http/message.hpp"
#include "common/model/json.hpp"

namespace parley::http {

// What an RFC 9457 answer tells.
struct ProblemDetails {
  unsigned status = 500;
  std::string detail{};                // for people: what is wrong and what would be right
  std::vector<model::Fault> errors{};  // each place in the body (a JSON pointer) or the query ("?name")
  std::string head{};                  // further header fields, each "Name: value\r\n"
  bool close = false;                  // the connection cannot be used after this
};

// Thrown for what the caller caused, and by the pipeline for what broke: an answer in the making.
// `throw Problem({.status = 404, .detail = "..."})`.
struct Problem : std::exception, ProblemDetails {
  Problem() = default;
  explicit Problem(ProblemDetails details) : ProblemDetails(std::move(details)) {}
  const char* what() const noexcept override { return detail.c_str(); }
};

// The answer that says it. `instance` is the request's path, `request_id` what the log has it under.
Response to_response(const ProblemDetails& problem, std::string_view instance, std::string_view request_id);

// Gathers what is wrong with an input and throws it at once as one Problem 400.
class Faults {
 public:
  void add(std::string pointer, std::string detail) { faults_.push_back({std::move(pointer), std::move(detail)}); }
  void add(std::vector<model::Fault> faults) { std::move(faults.begin(), faults.end(), std::back_inserter(faults_)); }
  // What is wrong with a part of the input, which stands at `pointer`.
  void add_below(std::string_view pointer, Faults part) {
    for (auto& fault : part.faults_) add(std::string(pointer) + fault.pointer, std::move(fault.detail));
  }
  // A text's length in characters; `least` > 0 also refuses blank text.
  void check_text(std::string_view pointer, std::string_view text, std::size_t least, std::size_t most);
  // An absolute http or https URL without user or fragment tricks, at most 2,048 octets; "" passes. It is stored, never
  // fetched.
  void check_url(std::string_view pointer, std::string_view text);
  bool empty() const { return faults_.empty(); }
  void throw_if_any();

 private:
  std::vector<model::Fault> faults_;
};

}  // namespace parley::http
