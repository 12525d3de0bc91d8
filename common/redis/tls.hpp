#pragma once
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <memory>
#include <string>

namespace parley::redis {

using TlsStream = boost::asio::ssl::stream<boost::asio::ip::tcp::socket&>;

// TLS 1.2 or newer; trusts a PEM file's authorities ("": the system's). Throws std::invalid_argument if unusable.
std::shared_ptr<boost::asio::ssl::context> tls_context(const std::string& ca_file);

// The handshake fails unless the certificate matches this name or address.
std::unique_ptr<TlsStream> tls_stream(boost::asio::ip::tcp::socket& socket, boost::asio::ssl::context& context,
                                      const std::string& name);

// For a refused certificate, tells what is wrong with it.
std::string handshake_fault(TlsStream& stream, const boost::system::error_code& error);

}  // namespace parley::redis
