// SPDX-License-Identifier: BSL-1.0
// tests/rng/golden_states.hpp: canonical states that no C++ standard library made; golden_states.py prints these rows.
#ifndef TIDEMARK_TESTS_RNG_GOLDEN_STATES_HPP
#define TIDEMARK_TESTS_RNG_GOLDEN_STATES_HPP

#include <tidemark/rng/twister_words.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace golden {

/// What an engine of seed 42 is after `drawn` numbers.
struct row {
  std::uint64_t drawn;
  std::uint64_t position;
  std::uint64_t state;           ///< FNV-1a of the words, little-endian at their exact width
  std::uint64_t numpy;           ///< the same of the block that NumPy 2.4's RandomState(42) holds then; 0: NumPy has no such engine
  std::uint64_t words[3];        ///< the first one, the one at `position`, the last one
  std::uint64_t next;            ///< the next output
  std::uint64_t following;       ///< FNV-1a of the next 3n outputs
};

inline const std::vector<row> mt19937{
    {0, 0, 0x7D797DDFF1971564, 0x7D797DDFF1971564, {0x2A, 0x2A, 0x197B52A}, 0x5FE1DC66, 0xDECFBA3CD8AA7ECB},
    {1, 1, 0xAFF353EEBB146309, 0xE836F3070485DBC7, {0x2B26E943, 0xB93C8A93, 0x197B52A}, 0xCBEA3DB3, 0x62CC77783760DFFE},
    {2, 2, 0x322B16389C76689F, 0xE836F3070485DBC7, {0x2B26E943, 0x71014437, 0x197B52A}, 0xF362035C, 0x14D83F647D0B80CF},
    {227, 227, 0xBFC8DBC2CFFAD082, 0xE836F3070485DBC7, {0x2B26E943, 0x756CB506, 0x197B52A}, 0x4BAEA63D, 0x1B9335A8467B0E36},
    {228, 228, 0x283985549A3C99A0, 0xE836F3070485DBC7, {0x2B26E943, 0x67F52BA7, 0x197B52A}, 0xA226BFB8, 0x77C538B6E69FDD4B},
    {397, 397, 0x57D56BDC74881EF, 0xE836F3070485DBC7, {0x2B26E943, 0xAEB01CD5, 0x197B52A}, 0x678DD835, 0x58E12CA2577D84DE},
    {623, 623, 0x2CCA3A9F7BBB5D3E, 0xE836F3070485DBC7, {0x2B26E943, 0x197B52A, 0x197B52A}, 0x40386559, 0x3132E1326A7476BF},
    {624, 0, 0xE836F3070485DBC7, 0xE836F3070485DBC7, {0x2B26E943, 0x2B26E943, 0xF3AC425F}, 0x67D62E4, 0xDDC3D9DACD4C5E49},
    {625, 1, 0xE905A97FB164FD96, 0xF1CA8F75C4B7D716, {0x3FF6C922, 0x494363A5, 0xF3AC425F}, 0x2F307DD9, 0xF0BF5F238E1939E7},
    {1247, 623, 0xE2BCAEAB37A2670F, 0xF1CA8F75C4B7D716, {0x3FF6C922, 0xF3AC425F, 0xF3AC425F}, 0x3C72220D, 0x55C3C5A988DE22D2},
    {1248, 0, 0xF1CA8F75C4B7D716, 0xF1CA8F75C4B7D716, {0x3FF6C922, 0x3FF6C922, 0xB3C01593}, 0x9E45F1D9, 0x5412AC8C0757EFE8},
    {10007, 23, 0x762408A1F2DCDAC7, 0x4597E71D84AB21C, {0x31D1F342, 0x2748E792, 0x1D7C179D}, 0x34FD8853, 0xFCA60AE40A82F9AC},
};

inline const std::vector<row> mt19937_64{
    {0, 0, 0x55DD15DF8E4A57F5, 0x0, {0x2A, 0x2A, 0x46157C29A673A537}, 0xC151DF7D6EE5E2D6, 0xB3BC14269D6E62D},
    {1, 1, 0x82BDC290542AA7EA, 0x0, {0xEA48D22BA7B89F8, 0x7D720F6E9086DD63, 0x46157C29A673A537}, 0xA3978FB9B92502A8, 0x416D9E26FFE34226},
    {2, 2, 0x9D004835EDE9A7CD, 0x0, {0xEA48D22BA7B89F8, 0x1FAF0A944192883C, 0x46157C29A673A537}, 0xC08C967F0E5E7B0A, 0xD13D8A7EB8B23C0D},
    {156, 156, 0xA1AA8AB809F1E0B5, 0x0, {0xEA48D22BA7B89F8, 0xBBA6E2781B5EFEA0, 0x46157C29A673A537}, 0x65B5A97D3D16A62F, 0xB0A289B4C96D7754},
    {157, 157, 0x61F2AB1FF3989F30, 0x0, {0xEA48D22BA7B89F8, 0xDA5EB10D3C4F2117, 0x46157C29A673A537}, 0xCAAD9ECB5880BF6F, 0x842BA2AD205B6ABE},
    {311, 311, 0x2E7B5E98D71FF21E, 0x0, {0xEA48D22BA7B89F8, 0x46157C29A673A537, 0x46157C29A673A537}, 0x4FCC8A398B0DA64B, 0xB2EB7B66FBB675A},
    {312, 0, 0xAEDF0E668ED17E28, 0x0, {0xEA48D22BA7B89F8, 0xEA48D22BA7B89F8, 0x7F1D2D3876E11E9B}, 0xE6B448DB2600A92A, 0x3DD1D7D6ABC247AC},
    {313, 1, 0xFBD8394408B8E746, 0x0, {0x5425BA8FCA1F2BF7, 0xE4E7B6BA5C866509, 0x7F1D2D3876E11E9B}, 0xB96B8C4D8107A82B, 0x71F9003B0B81A875},
    {623, 311, 0x30ECE5ADA1BEBB1C, 0x0, {0x5425BA8FCA1F2BF7, 0x7F1D2D3876E11E9B, 0x7F1D2D3876E11E9B}, 0x43B82DC74D4FA484, 0xE5F6D4CB5E9DAC70},
    {624, 0, 0x6E6B8A5F2A34A0E, 0x0, {0x5425BA8FCA1F2BF7, 0x5425BA8FCA1F2BF7, 0xDB9A1D68BC1592C4}, 0x5F0D17C7801D04E6, 0xDD899035FF888EF2},
    {10007, 23, 0xBCED325DC51F48A5, 0x0, {0xE6EF40948254DF24, 0xF29003BD54D1CA46, 0xE9676E957CFFCAB7}, 0x9397C573C3B2EA83, 0xA38C5DBE0D6D1FDA},
};

/// FNV-1a over the bytes of words.
template <class Words>
std::uint64_t hash(const Words& words) {
  std::uint64_t h = 0xCBF29CE484222325u;
  for (const auto word : words) {
    for (unsigned shift = 0; shift < 8 * sizeof(word); shift += 8) h = (h ^ (word >> shift & 0xFF)) * 0x100000001B3u;
  }
  return h;
}

/// The canonical state of `seed` after `drawn` steps, from the standard's text alone: no engine of this library takes part.
template <class E>
typename tidemark::detail::twister<E>::state stepped(std::uint64_t seed, std::uint64_t drawn) {
  using rule = tidemark::detail::twister<E>;
  typename rule::state s;
  s.state[0] = static_cast<typename rule::word>(seed);
  for (std::size_t i = 1; i < rule::n; ++i) {
    const auto x = s.state[i - 1];
    s.state[i] = static_cast<typename rule::word>((E::initialization_multiplier * (x ^ (x >> (rule::w - 2))) + i) & rule::all);
  }
  for (std::uint64_t step = 0; step < drawn; ++step) {
    const auto i = static_cast<std::size_t>(s.position);
    const auto y = (s.state[i] & rule::high) | (s.state[(i + 1) % rule::n] & rule::low);
    s.state[i] = s.state[(i + rule::m) % rule::n] ^ (y >> 1) ^ (y % 2 == 1 ? rule::matrix : 0);
    s.position = (i + 1) % rule::n;
  }
  return s;
}

}  // namespace golden
#endif
