#include "gateway/docs/site.hpp"

#include <algorithm>

#include "common/http/etag.hpp"
#include "gateway/compression.hpp"
#include "gateway/openapi/document.hpp"

namespace parley::gateway {

namespace {

// Serves static text without a copy per slow reader, in pieces, as each has its own deadline.
class StaticText final : public http::BodySource {
 public:
  explicit StaticText(std::string_view text) : left_(text) {}
  http::awaitable<std::string_view> next() override {
    const auto piece = left_.substr(0, 64 << 10);
    left_.remove_prefix(piece.size());
    co_return piece;
  }

 private:
  std::string_view left_;
};

// Scalar, which shows the reference, writes style elements; it may run no other script, and call no other host.
constexpr std::string_view kPolicy =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    "Referrer-Policy: no-referrer\r\n";

std::string_view type_of(std::string_view path) {
  if (path.ends_with(".json")) return "application/json";
  if (path.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (path.ends_with(".css")) return "text/css; charset=utf-8";
  if (path.ends_with(".svg")) return "image/svg+xml";
  return "text/html; charset=utf-8";
}

}  // namespace

const File* find_file(std::string_view path) {
  const auto found = std::ranges::find(files, path, &File::path);
  return found == files.end() ? nullptr : &*found;
}

http::Response show(const http::Request& request, const File& file) {
  const bool is_packed = accepts_gzip(request);
  http::Response response;
  response.content_type = type_of(file.path);
  response.head = "Vary: Accept-Encoding\r\n";
  // An address with a hash in it always leads to the same octets.
  response.add("Cache-Control",
               file.path.starts_with("/docs/assets/") ? "public, max-age=31536000, immutable" : "public, no-cache");
  if (response.content_type.starts_with("text/html")) response.head += kPolicy;
  const auto plain_tag = '"' + std::string(file.digest) + '"';
  const auto tag = is_packed ? gzip_tag(plain_tag) : plain_tag;
  response.add("ETag", tag);
  if (http::names_tag(request, tag)) {
    response.status = 304;
    response.content_type = {};
    return response;
  }
  if (is_packed) response.add("Content-Encoding", "gzip");
  const auto text = is_packed ? file.packed : file.text.empty() ? openapi_json : file.text;
  response.stream = std::make_shared<StaticText>(text);
  response.stream_length = text.size();
  return response;
}

}  // namespace parley::gateway
