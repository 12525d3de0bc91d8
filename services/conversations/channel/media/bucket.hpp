#pragma once
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "common/async/shares.hpp"
#include "common/chassis/environment.hpp"
#include "common/http/message.hpp"
#include "common/model/uuid.hpp"

namespace parley::conversations::media {

using boost::asio::awaitable;

struct BucketSettings {
  std::string
      url;  // with the bucket in the path (path style), and what all keys begin with: https://host/bucket/prefix
  std::string region, key, secret;
  std::string ca_file{};  // "": the system's store
  std::chrono::milliseconds connect{5'000};
  std::chrono::milliseconds request{20'000};  // all of it, but for
  std::chrono::milliseconds upload{300'000};  // that of a file

  // PARLEY_MEDIA_URL, PARLEY_MEDIA_REGION, PARLEY_MEDIA_CA_FILE; nullopt: there is no bucket.
  static std::optional<BucketSettings> read(chassis::Environment& environment);
};

struct BucketStats {
  std::uint64_t requests = 0, failures = 0;
};

// A bucket of an S3-compatible store: signed (SigV4) and sent by libcurl, in threads of its own. Holds no object whole.
class Bucket {
 public:
  static constexpr std::size_t kThreads = 8;
  static constexpr std::size_t kReads = 64;  // under way or waiting, of all organizations

  Bucket(boost::asio::io_context& context, BucketSettings settings);
  ~Bucket();  // breaks off what is under way
  Bucket(const Bucket&) = delete;
  Bucket& operator=(const Bucket&) = delete;

  // Stores the `size` octets of `content`, which is read as fast as the store takes them. Throws if the store does not
  // have them all, or what `content` throws: then it has no object of them.
  awaitable<void> put(std::string key, std::uint64_t size, http::BodySource& content);
  // The octets from `first` on, at least one, at most `most`; nullopt if there is no such object. Throws a Problem 503.
  awaitable<std::optional<std::string>> get(model::Uuid organization, std::string key, std::uint64_t first,
                                            std::uint64_t most);
  // Also where there is none.
  awaitable<void> remove(std::string key);
  const BucketStats& stats() const { return stats_; }

 private:
  class Handle;
  class Request;
  class Read;
  class Removal;
  class Upload;
  // In a thread; its `done` is set when it has ended.
  void start(std::shared_ptr<Request> request);
  // Throws unless the store has answered.
  void check(const Request& request);

  boost::asio::io_context& context_;
  const BucketSettings settings_;
  std::atomic<bool> stopping_ = false;
  BucketStats stats_;
  async::Shares<model::Uuid> reads_{kReads};
  std::mutex idle_mutex_;
  std::vector<void*> idle_;  // libcurl's handles, with their connections
  boost::asio::thread_pool threads_;
};

}  // namespace parley::conversations::media
