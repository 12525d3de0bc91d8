#include "common/redis/tls.hpp"

#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <boost/asio/ip/address.hpp>
#include <stdexcept>

namespace parley::redis {

namespace asio = boost::asio;
using boost::system::error_code;

std::shared_ptr<asio::ssl::context> tls_context(const std::string& ca_file) {
  auto out = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_client);
  SSL_CTX_set_min_proto_version(out->native_handle(), TLS1_2_VERSION);
  out->set_verify_mode(asio::ssl::verify_peer);
  error_code error;
  if (ca_file.empty())
    out->set_default_verify_paths(error);
  else
    out->load_verify_file(ca_file, error);
  if (error) throw std::invalid_argument("Redis: authorities cannot be read from " + ca_file + ": " + error.message());
  return out;
}

std::unique_ptr<TlsStream> tls_stream(asio::ip::tcp::socket& socket, asio::ssl::context& context,
                                      const std::string& name) {
  auto out = std::make_unique<TlsStream>(socket, context);
  SSL* const tls = out->native_handle();
  error_code not_numeric;
  asio::ip::make_address(name, not_numeric);
  // Uses OpenSSL's own check, which tells what did not match. Throws for a name that OpenSSL cannot check.
  const bool is_set = not_numeric ? SSL_set1_host(tls, name.c_str()) == 1
                                  : X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(tls), name.c_str()) == 1;
  if (!is_set) throw std::runtime_error("TLS: no certificate can be for " + name);
  if (not_numeric) SSL_set_tlsext_host_name(tls, name.c_str());  // RFC 6066 3: names only
  return out;
}

std::string handshake_fault(TlsStream& stream, const error_code& error) {
  const long verdict = SSL_get_verify_result(stream.native_handle());
  if (verdict == X509_V_OK) return "TLS: " + error.message();
  return std::string("TLS: the server's certificate is refused: ") + X509_verify_cert_error_string(verdict);
}

}  // namespace parley::redis
