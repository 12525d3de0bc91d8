#pragma once
#include "contacts/segments/shapes.hpp"

namespace parley::contacts::segments {

// Validate requests; throw a Problem 400 that names each fault.
PageFilter check(const ListQuery& query);
Changes check_new(SegmentBody body);
Changes check(SegmentBody body);
Condition check(const CountBody& body);
// A filter at `pointer`, whose faults are added.
Condition check_filter(const model::RawJson& filter, const std::string& pointer, http::Faults& faults);

}  // namespace parley::contacts::segments
