#pragma once
#include <sodium/crypto_hash_sha256.h>

#include "common/chassis/slot_pool.hpp"
#include "common/http/message.hpp"
#include "contacts/imports/csv.hpp"
#include "contacts/imports/store.hpp"

namespace parley::contacts::imports {

// Stages a file from a request's body in the database. Holds one chunk in memory, and no connection while waiting.
class Upload {
 public:
  Upload(Store& store, model::Uuid organization, http::BodySource& body, chassis::SlotPool::Slot place)
      : store_(store), organization_(organization), body_(body), place_(std::move(place)) {
    crypto_hash_sha256_init(&hash_);
  }

  // Reads up to the first row and sets the columns. Throws a Problem 400 if the file is no CSV or has no phone.
  awaitable<void> read_header(NewImport& import, const std::vector<Mapping>& mapping);
  // Stages the whole file, header included. Returns the import's id.
  awaitable<model::Uuid> stage(NewImport import);
  // Discards a file that was not enqueued. Does not throw.
  awaitable<void> discard();
  // SHA-256 of the file; call once, after stage().
  std::string hash();
  std::int64_t octets() const { return octets_; }  // received

 private:
  awaitable<void> more();
  awaitable<void> stage_rest();
  awaitable<void> stage_chunk(std::string_view octets);

  Store& store_;
  const model::Uuid organization_;
  http::BodySource& body_;
  const chassis::SlotPool::Slot place_;
  crypto_hash_sha256_state hash_;
  std::string buffer_;  // received, not yet staged
  bool ended_ = false;
  std::optional<model::Uuid> id_;
  std::int64_t chunk_ = 0, octets_ = 0;
};

}  // namespace parley::contacts::imports
