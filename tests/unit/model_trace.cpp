// Trace contexts as they travel.
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "common/model/trace.hpp"

using namespace parley::model;

namespace {

std::string text_of(const TraceContext& context) {
  const auto text = context.text();
  return {text.data(), text.size()};
}

const std::string kSound = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

}  // namespace

TEST_CASE("TraceContext: reads and writes traceparent") {
  const auto context = TraceContext::parse(kSound);
  REQUIRE(context);
  CHECK(context->trace_high == 0x0af7651916cd43dd);
  CHECK(context->trace_low == 0x8448eb211c80319c);
  CHECK(context->span == 0xb7ad6b7169203331);
  CHECK(context->sampled());
  CHECK(text_of(*context) == kSound);
  const auto text = context->text();
  CHECK(TraceContext::trace_id(text) == "0af7651916cd43dd8448eb211c80319c");
  CHECK(TraceContext::span_id(text) == "b7ad6b7169203331");
  for (const auto& [flags, kept] : {std::pair("00", "00"), {"02", "02"}, {"03", "03"}, {"ff", "03"}, {"f8", "00"}}) {
    const auto other = TraceContext::parse(kSound.substr(0, 53) + flags);
    REQUIRE(other);
    CHECK(text_of(*other).substr(53) == kept);
  }
}

TEST_CASE("TraceContext: a version to come counts by what is known of it, and is answered in ours") {
  const auto rest = kSound.substr(2);
  for (const std::string& later : {"cc" + rest, "01" + rest + "-what-the-future-will-be-like", "cc" + rest + "-"}) {
    INFO(later);
    const auto context = TraceContext::parse(later);
    REQUIRE(context);
    CHECK(text_of(*context) == kSound);
  }
  CHECK_FALSE(TraceContext::parse("ff" + rest));
  CHECK_FALSE(TraceContext::parse("cc" + rest + ".what"));
  CHECK_FALSE(TraceContext::parse("00" + rest + "-"));
  CHECK_FALSE(TraceContext::parse("00" + rest + "-more"));
}

TEST_CASE("TraceContext: what is not sound is none") {
  for (const std::string bad : {"", "00", "0-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                                "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                                "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                                "00-0af7651916cd43dd8448eb211c80319c-B7AD6B7169203331-01",
                                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0g",
                                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1",
                                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-001",
                                "00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01",
                                "00-0af7651916cd43dd8448eb211c80319cc-b7ad6b7169203331-01",
                                "0x-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                                "00_0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331_01",
                                " 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                                "00-0af7651916cd43dd8448eb211c80319.-b7ad6b7169203331-01"}) {
    INFO(bad);
    CHECK_FALSE(TraceContext::parse(bad));
  }
}

TEST_CASE("TraceContext: new ones differ, say that they are random, and are not sampled by themselves") {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const auto context = TraceContext::begin();
    CHECK(context);
    CHECK_FALSE(context.sampled());
    CHECK(text_of(context).substr(52) == "-02");
    CHECK(TraceContext::parse(text_of(context)) == context);
    CHECK(seen.insert(text_of(context).substr(3, 32)).second);
    const auto child = context.child();
    CHECK(child.trace_high == context.trace_high);
    CHECK(child.trace_low == context.trace_low);
    CHECK(child.flags == context.flags);
    CHECK(child.span != context.span);
  }
  CHECK_FALSE(TraceContext());
}

TEST_CASE("tracestate: up to 512 octets of sound members") {
  for (const std::string good : {"a=b", "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", "fw529a3039@dt=FfAAA",
                                 "a=1, b=2 ,\tc=3", "a=1,,b=2", "4a/b*c_d-e=!~ x"}) {
    INFO(good);
    CHECK(is_tracestate(good));
  }
  std::string many, most = "a=";
  for (int i = 0; i < 33; ++i) many += (i ? ",k" : "k") + std::to_string(i) + "=v";
  most += std::string(256, 'x') + ",b=" + std::string(251, 'y');
  CHECK(most.size() == 512);
  CHECK(is_tracestate(most));
  CHECK_FALSE(is_tracestate(many));
  CHECK(is_tracestate(many.substr(0, many.rfind(','))));
  for (const std::string& bad :
       {std::string(), std::string(","), std::string("a"), std::string("=b"), std::string("a="), std::string("A=b"),
        std::string("a=b=c"), std::string("a=b\x01"), std::string("a b=c"), std::string("_a=b"),
        std::string("a=\xC3\xA9"), most + "z", "a=" + std::string(257, 'x')}) {
    INFO(bad);
    CHECK_FALSE(is_tracestate(bad));
  }
}

TEST_CASE("current_trace: is what the innermost says, and what was before it afterwards") {
  const auto one = TraceContext::begin(), two = TraceContext::begin();
  CHECK_FALSE(current_trace);
  {
    const InTrace outer(one);
    CHECK(current_trace == one);
    {
      const InTrace inner(two);
      CHECK(current_trace == two);
      const InTrace none{TraceContext{}};
      CHECK_FALSE(current_trace);
    }
    CHECK(current_trace == one);
  }
  CHECK_FALSE(current_trace);
}
