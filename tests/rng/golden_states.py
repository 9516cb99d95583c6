# SPDX-License-Identifier: BSL-1.0
# tests/rng/golden_states.py: prints the rows of golden_states.hpp from a Mersenne twister that is stepped word by word, and from NumPy.
"""Run with any Python 3; where NumPy is installed, its own MT19937 is compared, and its block of words hashed."""
try:
    import numpy
except ImportError:
    numpy = None

PARAMETERS = {  # w, n, m, r, a, u, d, s, b, t, c, l, f
    "mt19937": (32, 624, 397, 31, 0x9908B0DF, 11, 0xFFFFFFFF, 7, 0x9D2C5680, 15, 0xEFC60000, 18, 1812433253),
    "mt19937_64": (64, 312, 156, 31, 0xB5026F5AA96619E9, 29, 0x5555555555555555, 17, 0x71D67FFFEDA60000, 37,
                   0xFFF7EEE000000000, 43, 6364136223846793005),
}


class Ring:
    """The standard's definition, one word a step: nothing is twisted ahead of time, so nothing has to be untwisted."""

    def __init__(self, name, seed):
        self.p = w, n, m, r, a, u, d, s, b, t, c, l, f = PARAMETERS[name]
        self.mask = (1 << w) - 1
        self.x, self.position = [seed & self.mask], 0
        for i in range(1, n):
            self.x.append((f * (self.x[-1] ^ self.x[-1] >> (w - 2)) + i) & self.mask)

    def __call__(self):
        w, n, m, r, a, u, d, s, b, t, c, l, f = self.p
        x, i, low = self.x, self.position, (1 << r) - 1
        y = (x[i] & ~low & self.mask) | (x[(i + 1) % n] & low)
        x[i] = z = x[(i + m) % n] ^ (y >> 1) ^ (a if y & 1 else 0)
        self.position = (i + 1) % n
        z ^= (z >> u) & d
        z ^= (z << s) & b
        z ^= (z << t) & c
        return z ^ z >> l


def fnv1a(words, size):
    h = 0xCBF29CE484222325
    for word in words:
        for byte in int(word).to_bytes(size, "little"):
            h = (h ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return h


for name, (w, n, m, *_) in PARAMETERS.items():
    print(name)
    for drawn in sorted({0, 1, 2, n - m, n - m + 1, m, n - 1, n, n + 1, 2 * n - 1, 2 * n, 10007}):
        ring = Ring(name, 42)
        for _ in range(drawn):
            ring()
        position, state, block = ring.position, fnv1a(ring.x, w // 8), 0
        if numpy and name == "mt19937":
            theirs = numpy.random.RandomState(42)  # seeded as std::mt19937{42} is
            raw = theirs._bit_generator
            for _ in range(drawn):
                raw.random_raw()
            _, key, pos, *_ = theirs.get_state()
            assert pos % n == ring.position
            block = fnv1a(key, 4)
        words = [ring.x[0], ring.x[ring.position], ring.x[-1]]
        following = [ring() for _ in range(3 * n)]
        if block:
            assert following == [raw.random_raw() for _ in range(3 * n)]
        print(f"    {{{drawn}, {position}, 0x{state:X}, 0x{block:X}, "
              f"{{0x{words[0]:X}, 0x{words[1]:X}, 0x{words[2]:X}}}, 0x{following[0]:X}, 0x{fnv1a(following, w // 8):X}}},")
