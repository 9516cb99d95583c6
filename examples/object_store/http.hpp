// SPDX-License-Identifier: BSL-1.0
// examples/object_store/http.hpp: as much HTTP/1.1 over a socket as one object needs; a program of yours has a library for this.
#ifndef TIDEMARK_EXAMPLES_OBJECT_STORE_HTTP_HPP
#define TIDEMARK_EXAMPLES_OBJECT_STORE_HTTP_HPP

#include <tidemark/core/bytes.hpp>
#include <tidemark/core/error.hpp>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

namespace http {

struct address {
  std::string url, host, port, path;

  /// Of "http://host:port/path".
  explicit address(std::string text) : url(std::move(text)) {
    const std::string_view scheme = "http://";
    const std::size_t slash = url.find('/', scheme.size()), colon = url.find(':', scheme.size());
    if (!url.starts_with(scheme) || slash == std::string::npos || colon > slash) {
      throw tidemark::error({.code = tidemark::errc::unsafe_path, .file = url, .problem = "this is no address of an object", .expected = "http://host:port/name"});
    }
    host = url.substr(scheme.size(), colon - scheme.size());
    port = url.substr(colon + 1, slash - colon - 1);
    path = url.substr(slash);
  }
};

struct response {
  int status = 0;
  std::string reason;
  std::map<std::string, std::string> headers;  ///< names in lower case

  bool is_success() const { return status >= 200 && status < 300; }
};

/// One connection for one request. Closed without the end of the request, it tells the server that the request is not whole.
class connection {
 public:
  explicit connection(const address& to) : url_(to.url) {
    addrinfo hints{}, *found = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    if (::getaddrinfo(to.host.c_str(), to.port.c_str(), &hints, &found) != 0) fail("there is no server of this name", 0);
    for (const addrinfo* each = found; each != nullptr && socket_ < 0; each = each->ai_next) {
      socket_ = ::socket(each->ai_family, each->ai_socktype | SOCK_CLOEXEC, each->ai_protocol);
      if (socket_ >= 0 && ::connect(socket_, each->ai_addr, each->ai_addrlen) != 0) close();
    }
    const int reason = errno;
    ::freeaddrinfo(found);
    if (socket_ < 0) fail("the server does not answer", reason);
  }
  connection(connection&& other) noexcept : url_(std::move(other.url_)), socket_(std::exchange(other.socket_, -1)), received_(std::move(other.received_)) {}
  connection& operator=(connection&&) = delete;
  ~connection() { close(); }

  const std::string& url() const { return url_; }

  void send(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) fail("the connection broke while bytes were sent", errno);
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
  }
  void send(std::string_view text) { send(std::as_bytes(std::span(text))); }

  /// What a chunked body consists of; the last is empty, and only with it the body is whole.
  void send_chunk(std::span<const std::byte> bytes) {
    char size[20];
    const auto end = std::to_chars(size, size + sizeof size, bytes.size(), 16).ptr;
    send(std::string(size, end) + "\r\n");
    send(bytes);
    send("\r\n");
  }

  /// The status line and the headers.
  response receive() {
    response r;
    const std::string status = line();
    if (!status.starts_with("HTTP/1.") || status.size() < 12) fail("the server does not speak HTTP", 0);
    std::from_chars(status.data() + 9, status.data() + 12, r.status);
    r.reason = status.substr(9);
    for (std::string header = line(); !header.empty(); header = line()) {
      const std::size_t colon = header.find(':');
      if (colon == std::string::npos) continue;
      std::string name = header.substr(0, colon);
      for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      r.headers[name] = header.substr((std::min)(header.find_first_not_of(' ', colon + 1), header.size()));
    }
    return r;
  }

  void receive(std::span<std::byte> into) {
    while (!into.empty()) {
      if (received_.empty()) fill();
      const std::size_t size = (std::min)(into.size(), received_.size());
      std::memcpy(into.data(), received_.data(), size);
      received_.erase(0, size);
      into = into.subspan(size);
    }
  }

 private:
  std::string line() {
    std::size_t end;
    while ((end = received_.find("\r\n")) == std::string::npos) {
      if (received_.size() > 65536) fail("the server does not speak HTTP", 0);
      fill();
    }
    std::string text = received_.substr(0, end);
    received_.erase(0, end + 2);
    return text;
  }

  void fill() {
    char bytes[65536];
    ssize_t got;
    do got = ::recv(socket_, bytes, sizeof bytes, 0);
    while (got < 0 && errno == EINTR);
    if (got <= 0) fail("the server closed the connection before it had answered", got < 0 ? errno : 0);
    received_.append(bytes, static_cast<std::size_t>(got));
  }

  void close() noexcept {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  }

  [[noreturn]] void fail(std::string problem, int reason) const {
    if (reason != 0) problem += " (" + std::generic_category().message(reason) + ')';
    throw tidemark::error({.code = tidemark::errc::io, .file = url_, .problem = std::move(problem), .advice = "Is the server running?", .system = reason});
  }

  std::string url_;
  int socket_ = -1;
  std::string received_;
};

/// The error that an answer stands for.
[[noreturn]] inline void refuse(const connection& to, const response& r, const char* problem) {
  const auto code = r.status == 404 ? tidemark::errc::not_found : r.status == 507 ? tidemark::errc::no_space : tidemark::errc::io;
  throw tidemark::error({.code = code, .file = to.url(), .problem = problem, .found = r.reason});
}

}  // namespace http
#endif
