#pragma once
#include <boost/describe/class.hpp>
#include <string>

namespace parley::model {

// A resource with its version: see common/http/etag.hpp. The row has the version as text in the column `version`.
template <class T>
struct Versioned : T {
  std::string version;
  BOOST_DESCRIBE_CLASS(Versioned, (T), (version), (), ())
};

}  // namespace parley::model
