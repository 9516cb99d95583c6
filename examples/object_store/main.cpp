// SPDX-License-Identifier: BSL-1.0
// examples/object_store/main.cpp: a sink and a source of one's own: an archive goes to an object store by HTTP, and comes back.
#include <tidemark/tidemark.hpp>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http.hpp"

// The sink. It uploads in chunks, whose number need not be known: so it also takes what a compressing sink makes.
struct http_object {
  http::address at;

  struct writer {
    http::connection put;
    void write(std::span<const std::byte> bytes) {
      if (!bytes.empty()) put.send_chunk(bytes);
    }
    tidemark::durability commit() {
      put.send_chunk({});  // the end: a server that does not see it keeps the old object
      const http::response answer = confirmed(put);
      if (!answer.is_success()) http::refuse(put, answer, "the server did not take the object, it has the old one");
      return tidemark::durability::process;  // the server has it; what it does about power cuts, it does not say
    }
  };
  writer open(std::uint64_t) const {
    http::connection put(at);
    put.send("PUT " + at.path + " HTTP/1.1\r\nHost: " + at.host + "\r\nTransfer-Encoding: chunked\r\n\r\n");
    return {std::move(put)};
  }
  std::string name() const { return at.url; }

  /// Once all is sent, a broken connection no longer says whether the object was taken.
  static http::response confirmed(http::connection& put) {
    try {
      return put.receive();
    } catch (const tidemark::error& e) {
      auto details = e.details();
      details.code = tidemark::errc::commit_unknown;
      details.advice = "The object may be the old one or the new one, whole: keep older checkpoints, and save again.";
      throw tidemark::error(details);
    }
  }
};

// The source. Each read is a request of its own, so that several threads may read; the tag makes sure that all see one object.
class http_archive {
 public:
  explicit http_archive(http::address at) : at_(std::move(at)) {
    http::connection head(at_);
    head.send("HEAD " + at_.path + " HTTP/1.1\r\nHost: " + at_.host + "\r\n\r\n");
    http::response answer = head.receive();
    if (!answer.is_success()) http::refuse(head, answer, "the server does not give the object");
    tag_ = answer.headers["etag"];
    const std::string& length = answer.headers["content-length"];
    std::from_chars(length.data(), length.data() + length.size(), size_);
  }

  std::uint64_t size() const { return size_; }
  std::string name() const { return at_.url; }

  void read(std::uint64_t offset, std::span<std::byte> into) const {
    if (offset > size_ || into.size() > size_ - offset) throw tidemark::error({.code = tidemark::errc::truncated, .file = name(), .problem = "the object ends too early"});
    if (into.empty()) return;
    const std::string range = std::to_string(offset) + '-' + std::to_string(offset + into.size() - 1);
    http::connection get(at_);
    get.send("GET " + at_.path + " HTTP/1.1\r\nHost: " + at_.host + "\r\nRange: bytes=" + range + "\r\nIf-Match: " + tag_ + "\r\n\r\n");
    http::response answer = get.receive();
    if (answer.status == 412) http::refuse(get, answer, "the object was replaced while it was read");
    if (answer.status != 206 || answer.headers["content-length"] != std::to_string(into.size())) http::refuse(get, answer, "the server does not give the part of the object");
    get.receive(into);
  }

 private:
  http::address at_;
  std::string tag_;
  std::uint64_t size_ = 0;
};

static_assert(tidemark::Sink<http_object> && tidemark::Source<http_archive>);

struct training {
  std::uint64_t step = 0;
  std::vector<float> weights;
};

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    if (arguments.size() == 3 && arguments[0] == "save") {
      training state{.step = std::stoull(arguments[2]), .weights = std::vector<float>(6'000'000)};
      std::iota(state.weights.begin(), state.weights.end(), static_cast<float>(state.step));
      const auto report = tidemark::save(state, http_object{http::address(arguments[1])});
      std::printf("saved step %s, %llu bytes\n", arguments[2].c_str(), static_cast<unsigned long long>(report.bytes));
      return 0;
    }
    if (arguments.size() == 2 && arguments[0] == "load") {
      const auto state = tidemark::load<training>(http_archive(http::address(arguments[1])));
      std::printf("loaded step %llu, %zu weights from %g on\n", static_cast<unsigned long long>(state.step), state.weights.size(), static_cast<double>(state.weights.at(0)));
      return 0;
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  std::fprintf(stderr, "object_store save http://127.0.0.1:8000/last.safetensors STEP\nobject_store load http://127.0.0.1:8000/last.safetensors\n");
  return 2;
}
