#include "gateway/files/files.hpp"

#define ZLIB_CONST
#include <zlib.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <new>
#include <stdexcept>
#include <utility>

#include "common/http/etag.hpp"
#include "gateway/compression.hpp"

namespace parley::gateway {

namespace {

// Serves octets that stay, without a copy per slow reader, in pieces, as each has its own deadline.
class StaticOctets final : public http::BodySource {
 public:
  explicit StaticOctets(std::string_view octets) : left_(octets) {}
  http::awaitable<std::string_view> next() override {
    const auto piece = left_.substr(0, 64 << 10);
    left_.remove_prefix(piece.size());
    co_return piece;
  }

 private:
  std::string_view left_;
};

std::string unpacked(const File& file) {
  std::string text(file.size, '\0');
  z_stream stream{};
  stream.next_in = reinterpret_cast<const Bytef*>(file.gzip.data());
  stream.avail_in = static_cast<uInt>(file.gzip.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) throw std::bad_alloc();  // 16: gzip
  const auto result = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  if (result != Z_STREAM_END) throw std::logic_error(std::string(file.path) + " is not packed as it should be");
  return text;
}

// The text of a file for the few that take no coding: unpacked for the first one, and kept. Thousands who ask for it
// and do not read cost no more than one.
std::string_view text_of(const File& file) {
  static std::mutex mutex;
  static std::map<const File*, std::string> texts;
  const std::lock_guard lock(mutex);
  const auto found = texts.find(&file);
  return found != texts.end() ? found->second : texts.emplace(&file, unpacked(file)).first->second;
}

std::string_view octets_of(const File& file, Coding coding) {
  if (coding == Coding::gzip) return file.gzip;
  return coding == Coding::brotli ? file.brotli : text_of(file);
}

// Scalar, which shows the reference, writes style elements; it may run no other script, and call no other host.
constexpr std::string_view kDocumentPolicy =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    "Referrer-Policy: no-referrer\r\n";

// The console acts with the cookie of who is signed in: it runs nothing but its own scripts, makes no HTML of text, and
// has no connection with pages of other origins, not even with one that opened it.
constexpr std::string_view kConsolePolicy =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Referrer-Policy: same-origin\r\n";

constexpr std::string_view kConsole = "/console/", kStart = "/docs/start";

std::string_view type_of(std::string_view path) {
  static constexpr std::pair<std::string_view, std::string_view> kTypes[] = {{".json", "application/json"},
                                                                             {".js", "text/javascript; charset=utf-8"},
                                                                             {".css", "text/css; charset=utf-8"},
                                                                             {".txt", "text/plain; charset=utf-8"},
                                                                             {".svg", "image/svg+xml"},
                                                                             {".png", "image/png"},
                                                                             {".webp", "image/webp"}};
  for (const auto& [ending, type] : kTypes)
    if (path.ends_with(ending)) return type;
  return "text/html; charset=utf-8";
}

bool is_of_console(std::string_view path) { return path.starts_with(kConsole); }

// An address with a hash in it always leads to the same octets.
bool is_asset(std::string_view path) {
  return path.starts_with("/docs/assets/") || path.starts_with("/console/assets/");
}

const File* find_file(std::string_view path) {
  const auto found = std::ranges::find(files, path, &File::path);
  return found == files.end() ? nullptr : &*found;
}

http::Response redirection(std::string_view elsewhere) {
  http::Response response;
  response.status = 303;
  response.content_type = {};
  response.add("Location", elsewhere);
  return response;
}

}  // namespace

Place find_place(std::string_view path) {
  static const auto* const console = find_file(kConsole);
  if (path == "/" && console) return {.elsewhere = kConsole};
  if (path == "/") return {.file = find_file(kStart)};
  if (console && path == kConsole.substr(0, kConsole.size() - 1)) return {.elsewhere = kConsole};
  // Mails lead to these. What is behind the # of the address goes along, without being sent.
  if (console && path == "/join") return {.elsewhere = "/console/join"};
  if (console && path == "/password") return {.elsewhere = "/console/password"};
  if (const auto* file = find_file(path)) return {.file = file};
  if (is_of_console(path) && !is_asset(path)) return {.file = console};
  return {};
}

http::Response show(const http::Request& request, const Place& place) {
  if (!place.file) return redirection(place.elsewhere);
  const auto& file = *place.file;
  const auto coding = best_coding(request, !file.brotli.empty());
  http::Response response;
  response.content_type = type_of(file.path);
  response.head = "Vary: Accept-Encoding\r\n";
  response.add("Cache-Control", is_asset(file.path) ? "public, max-age=31536000, immutable" : "public, no-cache");
  if (is_of_console(file.path))
    response.head += kConsolePolicy;
  else if (response.content_type.starts_with("text/html"))
    response.head += kDocumentPolicy;
  const auto tag = tag_in('"' + std::string(file.digest) + '"', coding);
  response.add("ETag", tag);
  if (http::names_tag(request, tag)) {
    response.status = 304;
    response.content_type = {};
    return response;
  }
  if (coding != Coding::identity) response.add("Content-Encoding", name_of(coding));
  const auto octets = octets_of(file, coding);
  response.stream = std::make_shared<StaticOctets>(octets);
  response.stream_length = octets.size();
  return response;
}

}  // namespace parley::gateway
