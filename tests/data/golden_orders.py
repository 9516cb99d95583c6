# SPDX-License-Identifier: BSL-1.0
# tests/data/golden_orders.py: prints the rows of golden_orders.hpp; a second writing of the order, in integers without bounds.
M = (1 << 64) - 1


def splitmix(state, index):
    z = (state + (index + 1) * 0x9E3779B97F4A7C15) & M
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & M
    z = (z ^ z >> 27) * 0x94D049BB133111EB & M
    return z ^ z >> 31


def index_at(size, seed, epoch, position):
    key = splitmix(splitmix(0, seed), epoch)
    bits = ((size - 1).bit_length() + 1) // 2
    columns = 1 << bits
    rows = -(-size // columns)
    while True:
        right, left = divmod(position, columns)
        for i in range(0, 32 if size <= 256 else 12, 2):
            left = (left + (splitmix(splitmix(key, i), right) >> 32)) % columns
            right = (right + (splitmix(splitmix(key, i + 1), left) * rows >> 64)) % rows
        position = right * columns + left
        if position < size:
            return position


def fnv1a(words):
    h = 0xCBF29CE484222325
    for word in words:
        for byte in word.to_bytes(8, "little"):
            h = (h ^ byte) * 0x100000001B3 & M
    return h


for size in (1, 2, 3, 10, 256, 257, 1000, 65537, 2**32 - 1, 2**32, 2**32 + 1, 2**63, M):
    for seed, epoch in ((0, 0), (42, 0), (42, 1), (43, 0), (M, M)):
        head = [index_at(size, seed, epoch, p) for p in range(min(size, 1000))]
        row = ", ".join(f"{value}u" for value in (size, seed, epoch, head[0], head[-1], index_at(size, seed, epoch, size - 1), fnv1a(head)))
        print(f"    {{{row}}},")
print([index_at(10, 42, 0, p) for p in range(10)], [index_at(10, 42, 1, p) for p in range(10)])
