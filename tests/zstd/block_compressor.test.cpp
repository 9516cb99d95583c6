// SPDX-License-Identifier: BSL-1.0
// tests/zstd/block_compressor.test.cpp: frames come in order and in the calling thread, and one that is given up waits for nobody.
#include <tidemark/zstd/block_compressor.hpp>

#include <doctest/doctest.h>
#include "samples.hpp"

#include <stdexcept>
#include <string>
#include <thread>

using namespace tidemark;

TEST_CASE("frames come in the order of the blocks, in the calling thread, from any number of threads") {
  const std::string text = samples::mixed(300'000);
  for (const unsigned threads : {1u, 2u, 5u, 16u}) {
    detail::block_compressor blocks(1, threads, 2000, text.size());
    std::string back;
    bool is_elsewhere = false;
    const auto caller = std::this_thread::get_id();
    const auto take = [&](detail::bytes_view frame, std::size_t plain_size) {
      is_elsewhere = is_elsewhere || std::this_thread::get_id() != caller;
      std::string plain(plain_size, '?');
      CHECK(ZSTD_decompress(plain.data(), plain.size(), frame.data(), frame.size()) == plain_size);
      back += plain;
    };
    for (std::size_t at = 0; at < text.size(); at += 777) blocks.write(detail::bytes_of(std::string_view(text).substr(at, 777)), take);
    blocks.finish(take);
    CHECK((back == text));
    CHECK(!is_elsewhere);
  }
}

TEST_CASE("whatever takes the frames may throw, and a compressor may go at any moment") {
  const std::string text = samples::mixed(50'000);
  for (int after = 0; after < 20; ++after) {
    detail::block_compressor blocks(1, 3, 2000, 0);
    int taken = 0;
    const auto take = [&](detail::bytes_view, std::size_t) {
      if (taken++ == after) throw std::runtime_error("no more");
    };
    CHECK_THROWS_AS((blocks.write(detail::bytes_of(text), take), blocks.finish(take)), std::runtime_error);
    CHECK(taken == after + 1);
  }
  for (std::size_t size = 0; size < 20'000; size += 1000) {
    detail::block_compressor given_up(1, 2, 2000, 0);
    given_up.write(detail::bytes_of(std::string_view(text).substr(0, size)), [](detail::bytes_view, std::size_t) {});
  }
}

TEST_CASE("nothing comes of nothing, and one block needs no thread") {
  int taken = 0;
  const auto take = [&](detail::bytes_view, std::size_t) { ++taken; };
  detail::block_compressor blocks(3, 4, 1 << 20, 0);
  blocks.finish(take);
  CHECK(taken == 0);
  blocks.write(detail::bytes_of("abc"), take);
  blocks.finish(take);
  CHECK(taken == 1);
}
