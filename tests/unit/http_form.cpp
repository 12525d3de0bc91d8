// Files in forms, however the form is cut into pieces.
#include <doctest/doctest.h>

#include "common/http/form.hpp"
#include "common/http/problem.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/pieces.hpp"

using namespace parley;
using boost::asio::awaitable;

namespace {

struct Read {
  std::string content, content_type, fault;
  bool operator==(const Read&) const = default;
};

Read read_once(std::string_view form, std::size_t piece, bool knows_size) {
  Read out;
  const auto work = [&]() -> awaitable<void> {
    support::Pieces body(form, piece);
    http::FormFile file(body, "XyZ");
    try {
      co_await file.begin();
      out.content_type = file.content_type();
      if (knows_size) file.expect_size_in(form.size());
      for (auto next = co_await file.next(); !next.empty(); next = co_await file.next()) out.content += next;
    } catch (const http::Problem& problem) {
      CHECK(problem.status == 400);
      out = {"", "", problem.detail};
    }
  };
  boost::asio::io_context context;
  support::run(context, work());
  return out;
}

Read read(std::string_view form) {
  const auto whole = read_once(form, form.size() + 1, false);
  for (std::size_t piece = 1; piece < form.size(); ++piece) CHECK(read_once(form, piece, false) == whole);
  return whole;
}

std::string fault_of(std::string_view form) { return read(form).fault; }

const std::string kFile =
    "--XyZ\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\nContent-Type: text/csv\r\n\r\n";

}  // namespace

TEST_CASE("the boundary of a form is in its Content-Type") {
  CHECK(http::form_boundary("multipart/form-data; boundary=XyZ") == "XyZ");
  CHECK(http::form_boundary("Multipart/Form-Data;charset=\"u;t\"; Boundary=\"a b:c\"") == "a b:c");
  CHECK(http::form_boundary("multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW") ==
        "----WebKitFormBoundary7MA4YWxkTrZu0gW");
  CHECK(http::form_boundary("text/csv; boundary=XyZ").empty());
  for (const std::string bad :
       {"multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"\"",
        "multipart/form-data; boundary=a\r\nb", "multipart/form-data; charset=utf-8"})
    CHECK_THROWS_AS(http::form_boundary(bad), http::Problem);
  CHECK_THROWS_AS(http::form_boundary("multipart/form-data; boundary=" + std::string(71, 'a')), http::Problem);
}

TEST_CASE("a form's file is read piece by piece, other parts before it are passed over") {
  CHECK(read(kFile + "name,phone\r\nAda,+44\r\n\r\n--XyZ--\r\n") == Read{"name,phone\r\nAda,+44\r\n", "text/csv", ""});
  CHECK(read(kFile + "\r\n--XyZ--") == Read{"", "text/csv", ""});
  CHECK(read("a preamble\r\n--XyZ\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nfile\r\n--Xy\r\n" + kFile +
             "x\r\n--XyZ--\r\n") == Read{"x", "text/csv", ""});
  CHECK(
      read("--XyZ "
           "\t\r\ncontent-disposition:form-data;filename=\"a;name=b\";name=file\r\n\r\n\r\n--Xy\r\n-\r\n--XyZ--\r\n") ==
      Read{"\r\n--Xy\r\n-", "", ""});
  CHECK(read("--XyZ\r\n\r\nno header\r\n" + kFile + "x\r\n--XyZ--\r\n") == Read{"x", "text/csv", ""});
}

TEST_CASE("a form without a file, that ends too early, or goes on behind its file is refused") {
  CHECK(fault_of("") == "the form has no part with the name \"file\"");
  CHECK(fault_of("--XyZ--\r\n") == "the form has no part with the name \"file\"");
  CHECK(fault_of("--XyZ\r\nContent-Disposition: form-data; name=\"files\"\r\n\r\nx\r\n--XyZ--\r\n") ==
        "the form has no part with the name \"file\"");
  CHECK(fault_of(kFile + "x") == "the form ends before its closing delimiter");
  CHECK(fault_of(kFile + "x\r\n--XyZ") == "the form must end behind its file, with the closing delimiter and CRLF");
  CHECK(fault_of(kFile + "x\r\n--XyZ--\r\nepilogue") ==
        "the form must end behind its file, with the closing delimiter and CRLF");
  CHECK(fault_of(kFile + "x\r\n" + kFile + "y\r\n--XyZ--\r\n") ==
        "the form must end behind its file, with the closing delimiter and CRLF");
  CHECK(fault_of("--XyZzy\r\n\r\nx\r\n--XyZ--\r\n") ==
        "the form has a line that begins with its boundary and is no delimiter");
  CHECK(fault_of("--XyZ\r\nA: " + std::string(5'000, 'a') + "\r\n\r\n").find("longer than 4096") != std::string::npos);
}

TEST_CASE("the size of a file is known from the form's, if it ends as clients end it") {
  const auto good = kFile + "12345\r\n--XyZ--\r\n";
  for (std::size_t piece = 1; piece <= good.size(); ++piece) CHECK(read_once(good, piece, true).content == "12345");
  for (const auto& bad :
       {kFile + "12345\r\n--XyZ--", kFile + "12345\r\n--XyZ-- \r\n", kFile.substr(0, kFile.size() - 1)})
    for (std::size_t piece = 1; piece <= bad.size(); ++piece) CHECK(read_once(bad, piece, true).fault != "");
}
