#include "contacts/imports/upload.hpp"

#include <algorithm>

#include "common/async/pause.hpp"
#include "common/http/problem.hpp"

namespace parley::contacts::imports {

using namespace std::chrono_literals;

namespace {

constexpr int kMaxTries = 20;
constexpr auto kPause = 500ms;

http::Problem no_csv(std::string detail) {
  return http::Problem({.status = 400, .detail = detail, .errors = {{"", std::move(detail)}}});
}

// Recognizes common non-CSV files by their first octets.
void refuse_other_formats(std::string_view data) {
  if (data.starts_with("PK\x03\x04")) throw no_csv("the file is a workbook or an archive: save it as CSV");
  if (data.starts_with("\xFF\xFE") || data.starts_with("\xFE\xFF"))
    throw no_csv("the file is UTF-16: save it as CSV in UTF-8");
}

}  // namespace

awaitable<void> Upload::more() {
  const auto piece = co_await body_.next();
  ended_ = piece.empty();
  crypto_hash_sha256_update(&hash_, reinterpret_cast<const unsigned char*>(piece.data()), piece.size());
  buffer_ += piece;
  octets_ += static_cast<std::int64_t>(piece.size());
  place_->advance(piece.size());
}

awaitable<void> Upload::read_header(NewImport& import, const std::vector<Mapping>& mapping) {
  std::optional<Preamble> preamble;
  while (!(preamble = read_preamble(buffer_, ended_))) co_await more();
  refuse_other_formats(buffer_);
  CsvReader reader(preamble->delimiter, 1 + preamble->lines);
  auto at = preamble->octets;
  using Step = CsvReader::Step;
  for (auto step = Step::blank; step != Step::record;) {
    step = reader.next(std::string_view(buffer_).substr(at), ended_);
    if (step == Step::end) throw no_csv("the file is empty: its first line must name the columns");
    if (step == Step::broken || !reader.fault().empty())
      throw no_csv("line " + std::to_string(reader.line()) + ": " + std::string(reader.fault()));
    if (step == Step::blank && at > kMaxRecordLength) throw no_csv("the file begins with too many empty lines");
    if (step == Step::need_more) co_await more();
    if (step == Step::record || step == Step::blank) at += reader.consumed();
  }
  http::Faults faults;
  import.columns = choose_columns(reader.fields(), mapping, faults);
  faults.throw_if_any();
  import.delimiter = preamble->delimiter;
  import.position = static_cast<std::int64_t>(at);
  import.line = static_cast<std::int64_t>(reader.next_line());
}

awaitable<model::Uuid> Upload::stage(NewImport import) {
  id_ = co_await store_.open(organization_, std::move(import));
  co_await stage_rest();
  co_return *id_;
}

awaitable<void> Upload::stage_rest() {
  while (!ended_ || !buffer_.empty()) {
    while (!ended_ && buffer_.size() < kChunkOctets) co_await more();
    const auto octets = std::min<std::size_t>(buffer_.size(), kChunkOctets);
    if (octets > 0) co_await stage_chunk(std::string_view(buffer_).substr(0, octets));
    buffer_.erase(0, octets);
  }
}

// Retries while the database is busy or restarting: repeating a long upload costs the client more.
awaitable<void> Upload::stage_chunk(std::string_view octets) {
  for (int tries = 1;; ++tries) {
    try {
      co_await store_.stage(organization_, *id_, chunk_, octets);
      ++chunk_;
      co_return;
    } catch (const pg::Unavailable&) {
      if (tries == kMaxTries) throw;
    }
    co_await async::pause(kPause);
  }
}

awaitable<void> Upload::discard() {
  if (!id_) co_return;
  try {
    co_await store_.discard(organization_, *id_);
  } catch (const pg::Unavailable&) {  // the upload expires instead
  } catch (const pg::SqlError&) {     // likewise
  }
}

std::string Upload::hash() {
  std::string out(crypto_hash_sha256_BYTES, '\0');
  crypto_hash_sha256_final(&hash_, reinterpret_cast<unsigned char*>(out.data()));
  return out;
}

}  // namespace parley::contacts::imports
