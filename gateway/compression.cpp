#include "gateway/compression.hpp"

#define ZLIB_CONST
#include <zlib.h>

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include "common/http/list.hpp"
#include "common/model/text.hpp"

namespace parley::gateway {

namespace {

// For JSON, higher levels take several times as long for some percent.
constexpr int kLevel = 1;
constexpr int kGzip = 16 + MAX_WBITS, kMemory = 8;  // see deflateInit2: https://zlib.net/manual.html
constexpr int kMost = 1000;                         // of a quality
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

// The weight in thousandths; 1,000 where it says nothing that can be read.
int quality_of(std::string_view parameters) {
  const auto at = std::min(parameters.find("q="), parameters.find("Q="));
  if (at == parameters.npos) return kMost;
  const auto text = parameters.substr(at + 2);
  if (!text.starts_with('0')) return kMost;
  int quality = 0, unit = 100;
  for (const char digit : text.substr(std::min<std::size_t>(text.size(), 2)).substr(0, 3)) {
    if (digit < '0' || digit > '9') break;
    quality += (digit - '0') * unit;
    unit /= 10;
  }
  return quality;
}

// What Accept-Encoding says of each coding, in thousandths: 0 refuses. `any` is for what is not named.
struct Wishes {
  std::optional<int> identity, gzip, brotli;
  int any = 0;

  void add(std::string_view item) {
    const auto end = std::min(item.find(';'), item.size());
    const auto coding = http::trimmed(item.substr(0, end));
    const auto quality = quality_of(item.substr(end));
    if (coding == "*") any = quality;
    for (const auto& [known, wish] :
         {std::pair{Coding::identity, &identity}, {Coding::gzip, &gzip}, {Coding::brotli, &brotli}})
      if (model::equals_ignoring_case(coding, name_of(known))) *wish = quality;
  }
};

}  // namespace

std::string_view name_of(Coding coding) {
  switch (coding) {
    case Coding::gzip:
      return "gzip";
    case Coding::brotli:
      return "br";
    case Coding::identity:
      break;
  }
  return "identity";
}

Coding best_coding(const http::Request& request, bool has_brotli) {
  Wishes wishes;
  for (const auto& [name, value] : request.fields)
    if (model::equals_ignoring_case(name, "Accept-Encoding"))
      for (const auto item : http::split(value)) wishes.add(item);
  auto best = Coding::identity;
  auto most = wishes.identity.value_or(0);
  const auto prefer = [&](Coding coding, std::optional<int> named) {
    const auto quality = named.value_or(wishes.any);
    if (quality == 0 || quality < most) return;
    best = coding;
    most = quality;
  };
  prefer(Coding::gzip, wishes.gzip);
  if (has_brotli) prefer(Coding::brotli, wishes.brotli);
  return best;
}

std::string tag_in(std::string_view tag, Coding coding) {
  if (coding == Coding::identity) return std::string(tag);
  return std::string(tag.substr(0, tag.size() - 1)).append("-").append(name_of(coding)).append("\"");
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
