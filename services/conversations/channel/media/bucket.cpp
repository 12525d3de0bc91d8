#include "conversations/channel/media/bucket.hpp"

#include <curl/curl.h>
#include <unistd.h>

#include <array>
#include <boost/asio/post.hpp>
#include <condition_variable>
#include <stdexcept>

#include "common/async/event.hpp"
#include "common/async/loop.hpp"
#include "common/http/problem.hpp"

namespace parley::conversations::media {

namespace asio = boost::asio;
using Time = std::chrono::steady_clock;

namespace {

constexpr auto kUrl = "PARLEY_MEDIA_URL", kRegion = "PARLEY_MEDIA_REGION", kAuthorities = "PARLEY_MEDIA_CA_FILE";

using List = std::unique_ptr<curl_slist, decltype(&::curl_slist_free_all)>;

template <class Value>
void set(CURL* curl, CURLoption option, Value value) {
  if (const auto result = ::curl_easy_setopt(curl, option, value); result != CURLE_OK)
    throw std::runtime_error(std::string("libcurl refuses an option: ") + ::curl_easy_strerror(result));
}

}  // namespace

std::optional<BucketSettings> BucketSettings::read(chassis::Environment& environment) {
  BucketSettings out;
  out.region = environment.text(kRegion, "us-east-1");
  out.ca_file = environment.text(kAuthorities, "");
  if (environment.text(kUrl, "").empty()) {
    if (!out.ca_file.empty()) environment.fault(kAuthorities, "is of no use without PARLEY_MEDIA_URL");
    return std::nullopt;
  }
  if (!out.ca_file.empty() && ::access(out.ca_file.c_str(), R_OK) != 0)
    environment.fault(kAuthorities, "cannot be read from " + out.ca_file);
  const auto text = environment.secret(kUrl);
  const std::unique_ptr<CURLU, decltype(&::curl_url_cleanup)> url(::curl_url(), ::curl_url_cleanup);
  const auto part = [&](CURLUPart which, unsigned flags = 0) {
    char* found = nullptr;
    if (::curl_url_get(url.get(), which, &found, flags) != CURLUE_OK) return std::string();
    const std::unique_ptr<char, decltype(&::curl_free)> owned(found, ::curl_free);
    return std::string(found);
  };
  const bool is_url =
      url && ::curl_url_set(url.get(), CURLUPART_URL, text.c_str(), CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK;
  const auto scheme = part(CURLUPART_SCHEME), port = part(CURLUPART_PORT);
  auto path = part(CURLUPART_PATH);
  while (path.ends_with('/')) path.pop_back();
  out.key = part(CURLUPART_USER, CURLU_URLDECODE);
  out.secret = part(CURLUPART_PASSWORD, CURLU_URLDECODE);
  if (!is_url || (scheme != "s3" && scheme != "s3+http") || path.empty() || out.key.empty() || out.secret.empty() ||
      !part(CURLUPART_QUERY).empty() || !part(CURLUPART_FRAGMENT).empty())
    environment.fault(kUrl, "must be s3://KEY:SECRET@HOST[:PORT]/BUCKET[/PREFIX], or s3+http:// without TLS");
  out.url = (scheme == "s3" ? "https://" : "http://") + part(CURLUPART_HOST) + (port.empty() ? "" : ":" + port) + path;
  return out;
}

// A handle of libcurl for one request; its connection serves the next ones.
class Bucket::Handle {
 public:
  explicit Handle(Bucket& bucket) : bucket_(bucket) {
    const std::lock_guard lock(bucket_.idle_mutex_);
    if (bucket_.idle_.empty()) {
      curl_ = ::curl_easy_init();
    } else {
      curl_ = bucket_.idle_.back();
      bucket_.idle_.pop_back();
    }
    if (!curl_) throw std::runtime_error("libcurl does not start");
  }
  ~Handle() {
    ::curl_easy_reset(curl_);
    const std::lock_guard lock(bucket_.idle_mutex_);
    bucket_.idle_.push_back(curl_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  CURL* get() const { return curl_; }

 private:
  Bucket& bucket_;
  CURL* curl_ = nullptr;
};

// Made by the loop, performed by a thread, then read by the loop. Its time begins when it is made.
class Bucket::Request {
 public:
  Request(const Bucket& bucket, const std::string& key, std::chrono::milliseconds time)
      : bucket_(bucket), url_(bucket.settings_.url + "/" + key), end_(Time::now() + time) {}
  virtual ~Request() = default;

  void perform(CURL* curl) {
    const auto& settings = bucket_.settings_;
    // What it has waited for a thread counts.
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - Time::now());
    if (left.count() <= 0) throw std::runtime_error("no thread was free in time");
    std::array<char, CURL_ERROR_SIZE> words{};
    const auto signing = "aws:amz:" + settings.region + ":s3";
    // TLS and the length vouch for the content, which is not read twice for a hash.
    const List fields(::curl_slist_append(nullptr, "x-amz-content-sha256: UNSIGNED-PAYLOAD"), ::curl_slist_free_all);
    set(curl, CURLOPT_ERRORBUFFER, words.data());
    set(curl, CURLOPT_URL, url_.c_str());
    set(curl, CURLOPT_PATH_AS_IS, 1L);
    set(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    set(curl, CURLOPT_PROXY, "");  // no variable of the environment leads it elsewhere
    set(curl, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    set(curl, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    if (!settings.ca_file.empty()) set(curl, CURLOPT_CAINFO, settings.ca_file.c_str());
    set(curl, CURLOPT_AWS_SIGV4, signing.c_str());
    set(curl, CURLOPT_USERNAME, settings.key.c_str());
    set(curl, CURLOPT_PASSWORD, settings.secret.c_str());
    set(curl, CURLOPT_HTTPHEADER, fields.get());
    set(curl, CURLOPT_NOSIGNAL, 1L);
    set(curl, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(settings.connect.count()));
    set(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(left.count()));
    set(curl, CURLOPT_NOPROGRESS, 0L);
    set(curl, CURLOPT_XFERINFOFUNCTION, &Request::is_over);
    set(curl, CURLOPT_XFERINFODATA, this);
    set(curl, CURLOPT_WRITEFUNCTION, &Request::take);
    set(curl, CURLOPT_WRITEDATA, this);
    prepare(curl);
    const auto result = ::curl_easy_perform(curl);
    if (result != CURLE_OK) error = words[0] != '\0' ? words.data() : ::curl_easy_strerror(result);
    ::curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  }
  // On the loop, when the thread has ended.
  virtual void end() { done.set(); }

  std::size_t most = 64 << 10;  // octets of the answer
  std::string body, error;
  long status = 0;
  async::Event done;

 protected:
  virtual void prepare(CURL* curl) = 0;
  bool is_to_end() const { return bucket_.stopping_ || Time::now() > end_; }

 private:
  static int is_over(void* context, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return static_cast<const Request*>(context)->is_to_end() ? 1 : 0;
  }
  static std::size_t take(const char* octets, std::size_t size, std::size_t count, void* context) {
    auto& request = *static_cast<Request*>(context);
    if (request.body.size() + size * count > request.most) return 0;
    request.body.append(octets, size * count);
    return size * count;
  }

  const Bucket& bucket_;
  const std::string url_;
  const Time::time_point end_;
};

class Bucket::Read final : public Request {
 public:
  Read(const Bucket& bucket, const std::string& key, std::uint64_t first, std::uint64_t octets)
      : Request(bucket, key, bucket.settings_.request),
        range_(std::to_string(first) + "-" + std::to_string(first + octets - 1)) {
    most = std::max<std::size_t>(octets, most);
  }

 private:
  void prepare(CURL* curl) override { set(curl, CURLOPT_RANGE, range_.c_str()); }
  const std::string range_;
};

class Bucket::Removal final : public Request {
 public:
  Removal(const Bucket& bucket, const std::string& key) : Request(bucket, key, bucket.settings_.request) {}

 private:
  void prepare(CURL* curl) override { set(curl, CURLOPT_CUSTOMREQUEST, "DELETE"); }
};

// Its octets go from the loop to the thread one piece at a time.
class Bucket::Upload final : public Request {
 public:
  Upload(const Bucket& bucket, const std::string& key, std::uint64_t size, asio::io_context::executor_type loop)
      : Request(bucket, key, bucket.settings_.upload), size_(size), loop_(std::move(loop)) {}

  // On the loop. Waits until the thread has taken the piece before; false if it takes no more.
  static awaitable<bool> give(std::shared_ptr<Upload> self, std::string_view piece) {
    while (!self->taken_.is_set() && !self->done.is_set()) co_await self->change_.wait();
    if (self->done.is_set()) co_return false;
    self->taken_.reset();
    {
      const std::lock_guard lock(self->mutex_);
      self->piece_.assign(piece);
      self->given_ = 0;
    }
    self->more_.notify_one();
    co_return true;
  }
  void abort() {
    {
      const std::lock_guard lock(mutex_);
      is_aborted_ = true;
    }
    more_.notify_one();
  }
  void end() override {
    Request::end();
    change_.pulse();
  }
  void begin(const std::shared_ptr<Upload>& self) {
    self_ = self;
    taken_.set();
  }

 private:
  void prepare(CURL* curl) override {
    set(curl, CURLOPT_UPLOAD, 1L);
    set(curl, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(size_));
    set(curl, CURLOPT_READFUNCTION, &Upload::on_read);
    set(curl, CURLOPT_READDATA, this);
  }
  static std::size_t on_read(char* out, std::size_t size, std::size_t count, void* context) {
    return static_cast<Upload*>(context)->read(out, size * count);
  }
  std::size_t read(char* out, std::size_t most) {
    static constexpr std::chrono::seconds kLook{1};  // for the end of the process
    std::unique_lock lock(mutex_);
    while (given_ == piece_.size() && !is_aborted_ && !is_to_end()) more_.wait_for(lock, kLook);
    if (given_ == piece_.size()) return CURL_READFUNC_ABORT;
    const auto octets = piece_.copy(out, most, given_);
    given_ += octets;
    if (given_ == piece_.size())
      asio::post(loop_, [self = self_.lock()] {
        if (!self) return;
        self->taken_.set();
        self->change_.pulse();
      });
    return octets;
  }

  const std::uint64_t size_;
  const asio::io_context::executor_type loop_;
  std::weak_ptr<Upload> self_;
  async::Event taken_, change_;  // the loop's
  std::mutex mutex_;             // of what follows
  std::condition_variable more_;
  std::string piece_;
  std::size_t given_ = 0;
  bool is_aborted_ = false;
};

Bucket::Bucket(asio::io_context& context, BucketSettings settings)
    : context_(context), settings_(std::move(settings)), threads_(kThreads) {
  static const auto started = ::curl_global_init(CURL_GLOBAL_DEFAULT);
  if (started != CURLE_OK) throw std::runtime_error("libcurl does not start");
}

Bucket::~Bucket() {
  stopping_ = true;
  threads_.stop();
  threads_.join();
  for (auto* curl : idle_) ::curl_easy_cleanup(curl);
}

void Bucket::start(std::shared_ptr<Request> request) {
  ++stats_.requests;
  // The last reference is released on the loop, to which the events belong.
  asio::post(threads_, [this, request = std::move(request), loop = context_.get_executor()]() mutable {
    try {
      const Handle handle(*this);
      request->perform(handle.get());
    } catch (const std::exception& error) {
      request->error = error.what();
    }
    asio::post(loop, [request = std::move(request)] { request->end(); });
  });
}

void Bucket::check(const Request& request) {
  if (request.error.empty() && request.status < 500 && request.status != 403) return;
  ++stats_.failures;
  throw std::runtime_error("the store of files: " +
                           (request.error.empty() ? "status " + std::to_string(request.status) : request.error));
}

awaitable<void> Bucket::put(std::string key, std::uint64_t size, http::BodySource& content) {
  const auto upload = std::make_shared<Upload>(*this, key, size, context_.get_executor());
  upload->begin(upload);
  start(upload);
  const auto feed = [](std::shared_ptr<Upload> to, http::BodySource& from) -> awaitable<void> {
    for (auto piece = co_await from.next(); !piece.empty(); piece = co_await from.next())
      if (!co_await Upload::give(to, piece)) co_return;
  };
  const auto thrown = co_await async::attempt(feed(upload, content));
  if (thrown) upload->abort();
  co_await upload->done.wait();
  if (thrown) std::rethrow_exception(thrown);
  check(*upload);
  if (upload->status != 200 && upload->status != 201)
    throw std::runtime_error("the store of files refuses a file: status " + std::to_string(upload->status));
}

awaitable<std::optional<std::string>> Bucket::get(model::Uuid organization, std::string key, std::uint64_t first,
                                                  std::uint64_t most) {
  const http::Problem busy({.status = 503,
                            .detail = "the store of files has too much to do, or is out of reach: try again",
                            .head = "Retry-After: 1\r\n"});
  if (!reads_.may_take(organization)) throw busy;
  const async::Slot slot(reads_, organization);
  const auto read = std::make_shared<Read>(*this, key, first, most);
  start(read);
  co_await read->done.wait();
  try {
    check(*read);
  } catch (const std::runtime_error&) {
    throw busy;
  }
  if (read->status == 206 && !read->body.empty()) co_return std::move(read->body);
  if (read->status == 404 || read->status == 416) co_return std::nullopt;
  ++stats_.failures;
  throw busy;
}

awaitable<void> Bucket::remove(std::string key) {
  const auto removal = std::make_shared<Removal>(*this, key);
  start(removal);
  co_await removal->done.wait();
  check(*removal);
  if (removal->status >= 300 && removal->status != 404)
    throw std::runtime_error("the store of files deletes nothing: status " + std::to_string(removal->status));
}

}  // namespace parley::conversations::media
