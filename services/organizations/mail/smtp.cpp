#include "organizations/mail/smtp.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <boost/asio/post.hpp>
#include <stdexcept>

#include "common/async/event.hpp"

namespace parley::organizations::mail {

namespace asio = boost::asio;

namespace {

using Curl = std::unique_ptr<CURL, decltype(&::curl_easy_cleanup)>;
using List = std::unique_ptr<curl_slist, decltype(&::curl_slist_free_all)>;

// What is left to upload.
struct Upload {
  std::string_view left;
  bool is_begun = false;
};

std::size_t read_upload(char* out, std::size_t size, std::size_t count, void* context) {
  auto& upload = *static_cast<Upload*>(context);
  upload.is_begun = true;
  const auto piece = upload.left.substr(0, size * count);
  std::ranges::copy(piece, out);
  upload.left.remove_prefix(piece.size());
  return piece.size();
}

// When to break off.
struct End {
  const std::atomic<bool>& stopping;
  std::chrono::steady_clock::time_point at;

  bool is_late() const { return std::chrono::steady_clock::now() > at; }
};

// Called about once a second, also while libcurl waits for the answer to QUIT, which CURLOPT_TIMEOUT_MS does not bound.
int is_over(void* context, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  const auto& end = *static_cast<const End*>(context);
  return end.stopping || end.is_late() ? 1 : 0;
}

template <class Value>
void set(const Curl& curl, CURLoption option, Value value) {
  if (const auto result = ::curl_easy_setopt(curl.get(), option, value); result != CURLE_OK)
    throw std::runtime_error(std::string("libcurl refuses an option: ") + ::curl_easy_strerror(result));
}

// A reply 5xx is of this mail if it came to MAIL, RCPT or DATA (libcurl: the sending failed), or after the text. Before
// that it is of the connection: a greeting, a wrong password, TLS that is not there, which somebody may put right.
bool is_refusal(CURLcode result, long reply, const Upload& upload) {
  if (reply < 500 || reply > 599) return false;
  return result == CURLE_SEND_ERROR || (result == CURLE_WEIRD_SERVER_REPLY && upload.is_begun);
}

}  // namespace

// Written by the worker thread, then read by the loop.
struct Smtp::Job {
  std::string to, message;
  Sent sent;
  async::Event done;
};

Smtp::Smtp(asio::io_context& context, Settings settings, Limits limits)
    : context_(context), settings_(std::move(settings)), limits_(limits), threads_(kThreads) {
  static const auto started = ::curl_global_init(CURL_GLOBAL_DEFAULT);
  if (started != CURLE_OK) throw std::runtime_error("libcurl does not start");
}

Smtp::~Smtp() {
  stop();
  threads_.stop();
  threads_.join();
}

awaitable<Sent> Smtp::send(std::string to, std::string message) {
  auto job = std::make_shared<Job>(std::move(to), std::move(message));
  // The last reference is released on the loop, to which the event belongs.
  asio::post(threads_, [this, job, loop = context_.get_executor()]() mutable {
    try {
      job->sent = deliver(job->to, job->message);
    } catch (const std::exception& error) {
      job->sent.error = error.what();
    }
    asio::post(loop, [job = std::move(job)] { job->done.set(); });
  });
  co_await job->done.wait();
  co_return std::move(job->sent);
}

Sent Smtp::deliver(const std::string& to, std::string_view message) const {
  const Curl curl(::curl_easy_init(), ::curl_easy_cleanup);
  if (!curl) throw std::runtime_error("libcurl does not start");
  const auto from = '<' + settings_.from.address + '>', recipient = '<' + to + '>';
  const List recipients(::curl_slist_append(nullptr, recipient.c_str()), ::curl_slist_free_all);
  Upload upload{message};
  End end{stopping_, std::chrono::steady_clock::now() + limits_.attempt};
  std::array<char, CURL_ERROR_SIZE> error{};

  set(curl, CURLOPT_ERRORBUFFER, error.data());
  set(curl, CURLOPT_URL, settings_.url.c_str());
  set(curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
  set(curl, CURLOPT_PROXY, "");  // no variable of the environment leads it elsewhere
  set(curl, CURLOPT_USE_SSL, static_cast<long>(settings_.is_encrypted ? CURLUSESSL_ALL : CURLUSESSL_NONE));
  set(curl, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  if (!settings_.ca_file.empty()) set(curl, CURLOPT_CAINFO, settings_.ca_file.c_str());
  set(curl, CURLOPT_MAIL_FROM, from.c_str());
  set(curl, CURLOPT_MAIL_RCPT, recipients.get());
  set(curl, CURLOPT_UPLOAD, 1L);
  set(curl, CURLOPT_READFUNCTION, &read_upload);
  set(curl, CURLOPT_READDATA, &upload);
  set(curl, CURLOPT_NOSIGNAL, 1L);
  set(curl, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(limits_.connect.count()));
  set(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(limits_.attempt.count()));
  set(curl, CURLOPT_NOPROGRESS, 0L);
  set(curl, CURLOPT_XFERINFOFUNCTION, &is_over);
  set(curl, CURLOPT_XFERINFODATA, &end);
  set(curl, CURLOPT_FORBID_REUSE, 1L);  // so that it ends before curl_easy_perform() does

  const auto result = ::curl_easy_perform(curl.get());
  if (result == CURLE_OK) return {Sent::Result::sent};
  long reply = 0;
  ::curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &reply);
  std::string words = error[0] != '\0' ? error.data() : ::curl_easy_strerror(result);
  if (end.is_late()) words = "the server takes too long";
  if (reply > 0) words += " (the server's last reply: " + std::to_string(reply) + ")";
  return {is_refusal(result, reply, upload) ? Sent::Result::refused : Sent::Result::failed, std::move(words)};
}

}  // namespace parley::organizations::mail
