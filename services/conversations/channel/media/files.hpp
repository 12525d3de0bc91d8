#pragma once
#include <stdexcept>

#include "common/chassis/process.hpp"
#include "common/http/message.hpp"
#include "common/pg/pool.hpp"
#include "conversations/channel/media/bucket.hpp"
#include "conversations/channel/media/shapes.hpp"

namespace parley::conversations::media {

using boost::asio::awaitable;

struct FileKey {
  model::Uuid organization, message;
};

// The attempt has no lease on the file any more.
struct LeaseLost : std::runtime_error {
  LeaseLost() : std::runtime_error("the file is to be kept no more, or another attempt has it") {}
};

// Where copies are: in a bucket, or in chunks in the database. What was put into either is read from there. Holds no
// file whole.
class Files {
 public:
  // Of a piece that is read or written at once.
  static constexpr std::size_t kPiece = 256 << 10;

  Files(chassis::Process& process, pg::Pool& database, std::optional<BucketSettings> bucket = {});

  // Where new files go.
  Place place() const { return bucket_ ? Place::Bucket : Place::Database; }
  // Stores the file that `content` yields, in place of what an earlier attempt has left. Throws LeaseLost, or
  // if the store fails; then some of it may be there.
  awaitable<void> write(FileKey key, model::Uuid lease, std::uint64_t size, http::BodySource& content);
  // From the octet `first` on, at most kPiece and `most`, at least one; nullopt if the store has it no more.
  awaitable<std::optional<std::string>> read(Place place, FileKey key, std::uint64_t first, std::uint64_t most);
  // An object of the bucket, which must be there: place().
  awaitable<void> remove_object(std::string object_key) { return bucket_->remove(std::move(object_key)); }

 private:
  awaitable<void> drop_chunks(FileKey key, model::Uuid lease);
  awaitable<void> write_chunks(FileKey key, model::Uuid lease, http::BodySource& content);
  awaitable<std::optional<std::string>> read_chunk(FileKey key, std::uint64_t first, std::uint64_t most);

  pg::Pool& database_;
  std::unique_ptr<Bucket> bucket_;
};

// A file, or a part of it, on its way to a client: read piece by piece, as the client takes them.
class KeptFile final : public http::BodySource {
 public:
  KeptFile(Files& files, Place place, FileKey key, std::uint64_t first, std::uint64_t length)
      : files_(files), place_(place), key_(key), at_(first), left_(length) {}
  // Reads the first piece. False if the store has the file no more.
  awaitable<bool> begin();
  awaitable<std::string_view> next() override;

 private:
  awaitable<bool> read();

  Files& files_;
  const Place place_;
  const FileKey key_;
  std::uint64_t at_, left_;
  std::string piece_;
  bool has_piece_ = false;
};

}  // namespace parley::conversations::media
