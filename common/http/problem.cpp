#include "common/http/problem.hpp"

#include <boost/describe/class.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include "common/model/text.hpp"

namespace parley::http {

namespace {
constexpr std::size_t kMaxShown = 100;  // the first faults of, say, 100,000 wrong items are enough

// Boost 1.81 takes trailing garbage after a host ("a:80:90", "[::1]$") for a path.
bool has_sound_path(const boost::urls::url_view& url) {
  return url.encoded_path().empty() || url.encoded_path().front() == '/';
}

}  // namespace

Response to_response(const ProblemDetails& problem, std::string_view instance, std::string_view request_id) {
  Response response;
  response.status = problem.status;
  response.content_type = "application/problem+json";
  response.head = problem.head + "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n";
  response.close = problem.close;
  std::string& out = response.body;
  out += "{\"type\":";
  model::write(out, problem.type);
  out += ",\"title\":";
  model::write(out, problem.title.empty() ? reason_of(problem.status) : problem.title);
  out += ",\"status\":";
  model::write(out, problem.status);
  out += ",\"detail\":";
  model::write(out, problem.detail);
  out += ",\"instance\":";
  model::write(out, instance);
  out += ",\"requestId\":";
  model::write(out, request_id);
  out += ",\"errors\":[";
  for (const auto& fault : problem.errors) {
    if (out.back() == '}') out += ',';
    out += "{\"pointer\":";
    model::write(out, fault.pointer);
    out += ",\"detail\":";
    model::write(out, fault.detail);
    out += '}';
  }
  out += "]}";
  return response;
}

void Faults::check_text(std::string_view pointer, std::string_view text, std::size_t least, std::size_t most) {
  const auto characters = model::count_characters(text);
  if (!characters)
    add(std::string(pointer), "must be UTF-8");
  else if (*characters > most)
    add(std::string(pointer), "must be at most " + std::to_string(most) + " characters long");
  else if (*characters < least || (least > 0 && model::is_blank(text)))
    add(std::string(pointer), "must not be empty");
}

void Faults::check_url(std::string_view pointer, std::string_view text) {
  if (text.empty()) return;
  const auto parsed = boost::urls::parse_uri({text.data(), text.size()});
  const bool good =
      text.size() <= 2048 && parsed.has_value() && !parsed->has_userinfo() && !parsed->host().empty() &&
      has_sound_path(*parsed) &&
      (parsed->scheme_id() == boost::urls::scheme::http || parsed->scheme_id() == boost::urls::scheme::https);
  if (!good)
    add(std::string(pointer), "must be an absolute http or https URL of at most 2048 characters, without a user");
}

void Faults::throw_if_any() {
  if (faults_.empty()) return;
  std::string detail = faults_.front().pointer.empty() ? "the body" : faults_.front().pointer;
  detail += ' ' + faults_.front().detail;
  if (faults_.size() > 1) detail += ", and " + std::to_string(faults_.size() - 1) + " more";
  if (faults_.size() > kMaxShown) faults_.resize(kMaxShown);
  throw Problem({.status = 400, .detail = std::move(detail), .errors = std::move(faults_)});
}

}  // namespace parley::http
