// SPDX-License-Identifier: BSL-1.0
// tests/openssl/sha256_sums.test.cpp: SHA-256 for lists of files, started by any thread.
#include <tidemark/openssl/sha256_sums.hpp>

#include <doctest/doctest.h>
#include "sink/scratch.hpp"

#include <string>
#include <thread>
#include <vector>

using namespace tidemark;

TEST_CASE("sha256_sums digests each file alone, from several threads, for a file that sha256sum reads") {
  const file_digest sums = sha256_sums();
  CHECK(sums.list_name == "SHA256SUMS");
  std::vector<std::string> found(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const running_digest digest = sums.start();
      for (const char* piece : {"a", "", "bc"}) digest.update(detail::bytes_of(piece));
      if (t % 2 == 1) digest.update(detail::bytes_of("d"));
      found[t] = digest.finish();
    });
  }
  for (auto& thread : threads) thread.join();
  for (const std::size_t t : {0u, 2u}) CHECK(found[t] == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  for (const std::size_t t : {1u, 3u}) CHECK(found[t] == "88d4266fd4e6338d13b845fcf289579d209c897823b9217da3e161936f031589");
}
