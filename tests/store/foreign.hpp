// SPDX-License-Identifier: BSL-1.0
// store/foreign.hpp: safetensors files as other programs write them, for the tests.
#ifndef TIDEMARK_TESTS_STORE_FOREIGN_HPP
#define TIDEMARK_TESTS_STORE_FOREIGN_HPP

#include <tidemark/core/bytes.hpp>
#include <tidemark/sink/memory.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

/// One tensor: its name, dtype and shape as they stand in the header, and its bytes.
struct foreign_tensor {
  std::string name, type, shape, bytes;
};

template <class T>
foreign_tensor tensor_of(std::string name, std::string type, std::string shape, const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return {std::move(name), std::move(type), std::move(shape), std::move(bytes)};
}

inline tidemark::memory foreign_file(const std::vector<foreign_tensor>& tensors) {
  std::string json = "{", data;
  for (const auto& t : tensors) {
    if (json.size() > 1) json += ',';
    json += '"' + t.name + R"(":{"dtype":")" + t.type + R"(","shape":)" + t.shape + R"(,"data_offsets":[)" + std::to_string(data.size()) + ',' +
            std::to_string(data.size() + t.bytes.size()) + "]}";
    data += t.bytes;
  }
  json += '}';
  std::string file(8, '\0');
  const std::uint64_t length = json.size();
  std::memcpy(file.data(), &length, 8);
  return tidemark::memory{tidemark::detail::bytes_of(file + json + data)};
}

#endif
