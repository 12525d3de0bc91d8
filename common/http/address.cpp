#include "common/http/address.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v6.hpp>

namespace parley::http {

namespace ip = boost::asio::ip;

std::string network_of(std::string_view text) {
  if (text.find(':') == text.npos) return std::string(text);  // IPv4, as nearly always
  boost::system::error_code error;
  const auto address = ip::make_address(text, error);
  if (error) return std::string(text);
  if (address.is_v4()) return address.to_string();
  const auto v6 = address.to_v6();
  if (v6.is_v4_mapped()) return ip::make_address_v4(ip::v4_mapped, v6).to_string();
  return ip::network_v6(ip::address_v6(v6.to_bytes()), 64).canonical().to_string();
}

}  // namespace parley::http
