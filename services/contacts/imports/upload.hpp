#pragma once
#include <sodium/crypto_hash_sha256.h>

#include "common/chassis/slot_pool.hpp"
#include "common/http/message.hpp"
#include "contacts/imports/csv.hpp"
#include "contacts/imports/store.hpp"

namespace parley::contacts::imports {

// One file on its way from a request's body into the database: its header is read and judged first, then it is staged
// chunk by chunk as it comes. Holds a chunk of it at a time, and no connection while the sender is slow.
class Upload {
 public:
  Upload(Store& store, model::Uuid organization, http::BodySource& body, chassis::SlotPool::Slot place)
      : store_(store), organization_(organization), body_(body), place_(std::move(place)) {
    crypto_hash_sha256_init(&hash_);
  }

  // Reads up to the first row and says what the file's columns are. Problem 400 for what is no CSV or has no phone.
  awaitable<void> read_header(NewImport& import, const std::vector<Mapping>& mapping);
  // Stages the file, the header with it. Gives the import's id.
  awaitable<model::Uuid> stage(NewImport import);
  // Leaves nothing of what was staged and not enqueued. Throws nothing.
  awaitable<void> discard();
  // SHA-256 of the file, when all of it is staged.
  std::string hash();
  std::int64_t octets() const { return octets_; }  // that came

 private:
  awaitable<void> more();
  awaitable<void> stage_rest();
  awaitable<void> stage_chunk(std::string_view octets);

  Store& store_;
  const model::Uuid organization_;
  http::BodySource& body_;
  const chassis::SlotPool::Slot place_;
  crypto_hash_sha256_state hash_;
  std::string buffer_;  // what has come and is not staged
  bool ended_ = false;
  std::optional<model::Uuid> id_;
  std::int64_t chunk_ = 0, octets_ = 0;
};

}  // namespace parley::contacts::imports
