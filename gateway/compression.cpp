#include "gateway/compression.hpp"

#define ZLIB_CONST
#include <zlib.h>

#include <algorithm>
#include <new>

#include "common/http/list.hpp"
#include "common/model/text.hpp"

namespace parley::gateway {

namespace {

// For JSON, higher levels take several times as long for some percent.
constexpr int kLevel = 1;
constexpr int kGzip = 16 + MAX_WBITS, kMemory = 8;  // see deflateInit2: https://zlib.net/manual.html
constexpr std::size_t kRoom = 4 << 10;
constexpr std::string_view kSuffix = "-gzip\"";

class Deflater {
 public:
  Deflater() {
    if (deflateInit2(&stream_, kLevel, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void add(std::string_view piece) { run(piece, Z_NO_FLUSH); }
  std::string finish() {
    run({}, Z_FINISH);
    return std::move(out_);
  }

 private:
  void run(std::string_view piece, int flush) {
    stream_.next_in = reinterpret_cast<const Bytef*>(piece.data());
    stream_.avail_in = static_cast<uInt>(piece.size());
    do {
      const auto before = out_.size();
      out_.resize(before + kRoom);
      stream_.next_out = reinterpret_cast<Bytef*>(out_.data() + before);
      stream_.avail_out = kRoom;
      deflate(&stream_, flush);
      out_.resize(out_.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
  std::string out_;
};

}  // namespace

bool accepts_gzip(const http::Request& request) {
  bool accepts = false;
  for (const auto& [name, value] : request.fields) {
    if (!model::equals_ignoring_case(name, "Accept-Encoding")) continue;
    for (const auto item : http::split(value)) {
      const auto coding = http::trimmed(item.substr(0, item.find(';')));
      const auto parameter = item.substr(std::min(item.find(';'), item.size()));
      if (!model::equals_ignoring_case(coding, "gzip") && coding != "*") continue;
      const bool is_refused =
          parameter.find("=0") != parameter.npos && parameter.find_first_of("123456789") == parameter.npos;
      if (coding != "*") return !is_refused;
      accepts = !is_refused;
    }
  }
  return accepts;
}

std::string gzip_tag(std::string_view tag) {
  return std::string(tag.substr(0, tag.size() - 1)).append(kSuffix);  // without its closing quote
}

std::string plain_tags(std::string_view list) {
  std::string out(list);
  for (auto at = out.find(kSuffix); at != out.npos; at = out.find(kSuffix, at)) out.replace(at, kSuffix.size(), "\"");
  return out;
}

awaitable<std::string> gzip(http::BodySource& body) {
  Deflater deflater;
  for (auto piece = co_await body.next(); !piece.empty(); piece = co_await body.next()) deflater.add(piece);
  co_return deflater.finish();
}

}  // namespace parley::gateway
