#include "conversations/channel/media/files.hpp"

#include <stdexcept>

#include "conversations/channel/media/sql.hpp"

namespace parley::conversations::media {

namespace {

constexpr std::int64_t kChunksAtOnce = 64;

// Makes pieces of one length out of pieces of any.
class Chunks {
 public:
  explicit Chunks(http::BodySource& content) : content_(content) {}
  // The next kPiece octets, or what is left; empty at the end.
  awaitable<std::string_view> next() {
    chunk_.erase(0, given_);
    while (chunk_.size() < Files::kPiece && !is_over_) {
      const auto piece = co_await content_.next();
      is_over_ = piece.empty();
      chunk_.append(piece);
    }
    given_ = std::min(chunk_.size(), Files::kPiece);
    co_return std::string_view(chunk_).substr(0, given_);
  }

 private:
  http::BodySource& content_;
  std::string chunk_;
  std::size_t given_ = 0;
  bool is_over_ = false;
};

// As discard_media() writes it (0042_media_files.sql).
std::string object_key(const FileKey& key) { return key.organization.text() + "/" + key.message.text(); }

}  // namespace

Files::Files(chassis::Process& process, pg::Pool& database, std::optional<BucketSettings> bucket)
    : database_(database) {
  if (!bucket) return;
  bucket_ = std::make_unique<Bucket>(process.context(), std::move(*bucket));
  process.metrics().counter_from("media_store_requests_total", "Requests to the store of files (S3)", {},
                                 [this] { return double(bucket_->stats().requests); });
  process.metrics().counter_from("media_store_failures_total", "Requests that the store of files did not serve", {},
                                 [this] { return double(bucket_->stats().failures); });
}

awaitable<void> Files::write(FileKey key, model::Uuid lease, std::uint64_t size, http::BodySource& content) {
  co_await drop_chunks(key, lease);
  if (bucket_) co_return co_await bucket_->put(object_key(key), size, content);
  co_await write_chunks(key, lease, content);
}

awaitable<void> Files::drop_chunks(FileKey key, model::Uuid lease) {
  for (;;) {
    const auto results =
        co_await database_.write(pg::Batch(sql::drop_chunks, key.organization, key.message, lease, kChunksAtOnce));
    if (results.affected() < static_cast<std::uint64_t>(kChunksAtOnce)) co_return;
  }
}

awaitable<void> Files::write_chunks(FileKey key, model::Uuid lease, http::BodySource& content) {
  Chunks chunks(content);
  for (int number = 0;; ++number) {
    const auto chunk = co_await chunks.next();
    if (chunk.empty()) co_return;
    const auto results =
        co_await database_.write(pg::Batch(sql::add_chunk, key.organization, key.message, lease, number, chunk));
    if (results.affected() == 0) throw LeaseLost();
  }
}

awaitable<std::optional<std::string>> Files::read(Place place, FileKey key, std::uint64_t first, std::uint64_t most) {
  if (place == Place::Database) co_return co_await read_chunk(key, first, most);
  if (!bucket_) co_return std::nullopt;
  co_return co_await bucket_->get(key.organization, object_key(key), first, std::min<std::uint64_t>(most, kPiece));
}

awaitable<std::optional<std::string>> Files::read_chunk(FileKey key, std::uint64_t first, std::uint64_t most) {
  const auto results = co_await database_.read(pg::Batch(sql::chunk, key.organization, key.message, first / kPiece));
  auto chunk = results.optional<std::string>();
  const auto skipped = first % kPiece;
  if (!chunk || chunk->size() <= skipped) co_return std::nullopt;
  chunk->erase(0, skipped);
  if (chunk->size() > most) chunk->resize(most);
  co_return chunk;
}

awaitable<bool> KeptFile::begin() { return read(); }

awaitable<std::string_view> KeptFile::next() {
  if (has_piece_) {
    has_piece_ = false;
    co_return piece_;
  }
  if (left_ == 0) co_return std::string_view{};
  if (!co_await read()) throw std::runtime_error("a file was removed while it was read");
  has_piece_ = false;
  co_return piece_;
}

awaitable<bool> KeptFile::read() {
  auto piece = co_await files_.read(place_, key_, at_, left_);
  if (!piece) co_return false;
  piece_ = std::move(*piece);
  at_ += piece_.size();
  left_ -= piece_.size();
  has_piece_ = true;
  co_return true;
}

}  // namespace parley::conversations::media
