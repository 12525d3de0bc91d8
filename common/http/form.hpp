#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/http/message.hpp"

namespace parley::http {

// The boundary of a `multipart/form-data` Content-Type (RFC 7578, RFC 2046 5.1.1); "" for another type. Throws a
// Problem 400 for a boundary that is missing or no boundary.
std::string form_boundary(std::string_view content_type);

// The file that a form uploads: its part `file`, read piece by piece as it arrives. Parts before it are passed over;
// it must be the last one, so that nothing that was sent is ignored after it. Throws a Problem 400 for other forms.
class FormFile final : public BodySource {
 public:
  // `body` must outlive this.
  FormFile(BodySource& body, const std::string& boundary) : body_(body), delimiter_("\r\n--" + boundary) {}

  // Reads up to the first octet of the file.
  awaitable<void> begin();
  // The file's own Content-Type, "" if it has none. Call after begin().
  const std::string& content_type() const { return content_type_; }
  // The size of the file in a form of so many octets that ends as clients end it: right behind the file, with the
  // closing delimiter and CRLF. From then on next() throws if the file has another size. Call after begin().
  std::uint64_t expect_size_in(std::uint64_t form_octets);

  // The next piece of the file.
  awaitable<std::string_view> next() override;

 private:
  awaitable<bool> more();
  awaitable<std::string_view> next_before(std::string_view end, std::size_t most);
  awaitable<void> pass_over();
  awaitable<void> read_end();
  void read_header(std::string_view header);
  void give(std::size_t octets);

  BodySource& body_;
  const std::string delimiter_;        // CRLF, two dashes and the boundary
  std::string buffer_ = "\r\n";        // received, not yet used: the first delimiter may have no line before it
  std::uint64_t received_ = 0;         // octets of the form
  std::size_t given_ = 0;              // the front of buffer_ that the caller of next() may still read
  std::uint64_t before_ = 0;           // octets of the form before the file
  std::optional<std::uint64_t> left_;  // of the size that is expected
  std::string content_type_;
  bool is_file_ = false, ended_ = false;
};

}  // namespace parley::http
