// Compiles Asio's and Beast's function bodies once for all programs (see the top-level CMakeLists.txt).
#include <boost/asio/impl/src.hpp>
#include <boost/asio/ssl/impl/src.hpp>
#include <boost/beast/src.hpp>
