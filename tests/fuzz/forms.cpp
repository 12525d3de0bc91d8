// Forms that upload a file: however one is cut into pieces, the same file is read, or the same fault found.
#include "common/http/form.hpp"

#include "tests/fuzz/fuzz.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/pieces.hpp"

using namespace parley;
using boost::asio::awaitable;

namespace {

std::string read(std::string_view form, const std::string& boundary, std::size_t piece, bool knows_size) {
  std::string out;
  const auto work = [&]() -> awaitable<void> {
    support::Pieces body(form, piece);
    http::FormFile file(body, boundary);
    try {
      co_await file.begin();
      out = file.content_type() + "\n";
      if (knows_size) file.expect_size_in(form.size());
      for (auto next = co_await file.next(); !next.empty(); next = co_await file.next()) out += next;
    } catch (const http::Problem& problem) {
      MUST(problem.status == 400);
      out = "fault";
    }
  };
  boost::asio::io_context context;
  support::run(context, work());
  MUST(out.size() <= form.size() + 1);
  return out;
}

}  // namespace

FUZZ(forms) {
  const std::size_t piece = 1 + input.choice(64);
  const bool knows_size = input.choice(2) == 1;
  const auto text = input.rest();
  const auto line = text.find('\n');
  if (line == text.npos) return;
  std::string boundary;
  try {
    boundary = http::form_boundary(text.substr(0, line));
  } catch (const http::Problem& problem) {
    MUST(problem.status == 400);
  }
  if (boundary.empty()) return;
  const auto form = text.substr(line + 1);
  MUST(read(form, boundary, form.size() + 1, knows_size) == read(form, boundary, piece, knows_size));
}
