// SPDX-License-Identifier: BSL-1.0
// cereal/input_archive.test.cpp: no blob is believed: not a changed bit, not a size, not a type, not a pointer.
#include <tidemark/cereal/input_archive.hpp>

#include <doctest/doctest.h>
#include "styles.hpp"

#include <atomic>
#include <cstdlib>
#include <list>
#include <new>
#include <tuple>
#include <unordered_map>

using namespace tidemark;

namespace {
std::atomic<std::size_t> allocated{0};  // bytes asked for so far

void* allocate_counted(std::size_t size) {
  allocated += size;
  if (void* p = std::malloc(size != 0 ? size : 1)) return p;
  throw std::bad_alloc();
}
}

// Not inlined: g++ would take the malloc in one and the delete of the other for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) { return allocate_counted(size); }
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

using styles::vertex;

namespace {

struct numbers {
  bool flag = true;
  char letter = 'q';
  std::int8_t a = -1;
  std::uint64_t b = 1;
  float c = 1.5f;
  long double d = -2.25L;
  std::string text = "text";
  std::vector<std::int32_t> values{1, 2, 3};
  std::vector<bool> bits{true, false, true};
  std::array<bool, 2> pair{{false, true}};
  std::variant<int, std::string> either = "either";
  std::optional<double> maybe = 0.5;
  template <class A>
  void serialize(A& archive) { archive(flag, letter, CEREAL_NVP(a), CEREAL_NVP(b), c, d, text, values, bits, pair, either, maybe); }
};

struct tree {
  std::vector<tree> children;
  template <class A>
  void serialize(A& a) { a(children); }
};

struct chain {
  std::shared_ptr<chain> next;
  template <class A>
  void serialize(A& a) { a(next); }
};

struct large_element {
  std::array<double, 512> all{};
  template <class A>
  void serialize(A& a) { a(all[0]); }
};

using bytes = std::vector<std::byte>;

template <class... T>
bytes blob_of(const T&... values) {
  detail::cereal_writer archive;
  archive(values...);
  return std::move(archive).finish();
}

template <class... T>
void read(const bytes& blob, T&&... values) {
  detail::cereal_reader archive(blob);
  archive(values...);
  archive.finish();
}

template <class F>
std::optional<errc> refusal_of(F&& f) {
  try {
    f();
  } catch (const error& e) {
    return e.code();
  } catch (const cereal::Exception&) {  // represent<T> makes a tidemark::error of it
    return errc::invalid_value;
  }
  return std::nullopt;
}

template <class T>
std::optional<errc> refusal_of(const bytes& blob) {
  T value{};
  return refusal_of([&] { read(blob, value); });
}

bytes joined(std::initializer_list<int> head, std::uint64_t size = 0, std::size_t filler = 0) {
  bytes all;
  for (const int b : head) all.push_back(static_cast<std::byte>(b));
  if (size != 0) {
    for (; size > 0x7F; size >>= 7) all.push_back(static_cast<std::byte>(0x80 | (size & 0x7F)));
    all.push_back(static_cast<std::byte>(size));
  }
  all.resize(all.size() + filler);
  return all;
}

}  // namespace

TEST_CASE("any changed bit of plain values is refused, or is the value that is stored") {
  const bytes blob = blob_of(numbers{});
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit < 8 * blob.size(); ++bit) {
    bytes changed = blob;
    changed[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    numbers value;
    if (refusal_of([&] { read(changed, value); })) ++refused;
    else CHECK(blob_of(value) == changed);
  }
  CHECK(refused > 4 * blob.size());  // more than half: all but the values themselves
}

TEST_CASE("any changed bit of a graph is refused, or leaves a graph that can be walked") {
  {
    auto root = std::make_shared<vertex>();
    root->name = "root";
    root->note = std::make_shared<std::string>("note");
    for (int i = 0; i < 3; ++i) {
      root->next.push_back(std::make_shared<vertex>());
      root->next.back()->back = root;
      root->next.back()->note = root->note;
    }
    root->next.push_back(root->next[1]);
    const bytes blob = blob_of(root);
    std::size_t refused = 0;
    for (std::size_t bit = 0; bit < 8 * blob.size(); ++bit) {
      bytes changed = blob;
      changed[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
      {
        std::shared_ptr<vertex> value;
        if (refusal_of([&] { read(changed, value); })) {
          ++refused;
        } else {
          const bytes again = blob_of(value);
          std::shared_ptr<vertex> second;
          read(again, second);
          CHECK(blob_of(second) == again);
        }
        for (vertex* v : vertex::alive()) v->name += ' ';
      }
      const auto keep = root->next;
      vertex::open_rings();
      root->next = keep;
    }
    CHECK(refused > 6 * blob.size());
  }
  CHECK(vertex::alive().empty());
}

TEST_CASE("any changed bit of registered pointers is refused, or leaves objects that can be used") {
  styles::drawing before;
  before.shapes = {std::make_shared<styles::square>(), std::make_shared<styles::box>()};
  before.shapes[0]->label = "first";
  before.background = std::make_unique<styles::square>();
  before.selected = before.shapes[1];
  before.frame = std::make_shared<styles::constructed>(3);
  const bytes blob = blob_of(before);
  for (std::size_t bit = 0; bit < 8 * blob.size(); ++bit) {
    bytes changed = blob;
    changed[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    styles::drawing value;
    if (refusal_of([&] { read(changed, value); })) continue;
    for (const auto& shape : value.shapes) CHECK((shape == nullptr || shape->area() >= 0 || shape->area() < 0 || shape->area() != shape->area()));
    CHECK(!blob_of(value).empty());
  }
}

TEST_CASE("a blob that ends early, or goes on, is refused at every length") {
  const auto all_lengths = [](const auto& value) {
    using T = std::remove_cvref_t<decltype(value)>;
    const bytes blob = blob_of(value);
    CHECK_FALSE(refusal_of<T>(blob).has_value());
    for (std::size_t size = 0; size < blob.size(); ++size) {
      CHECK(refusal_of<T>(bytes(blob.begin(), blob.begin() + static_cast<std::ptrdiff_t>(size))).has_value());
    }
    for (std::size_t more = 1; more < 20; ++more) {
      bytes longer = blob;
      longer.resize(blob.size() + more);
      CHECK(refusal_of<T>(longer) == errc::schema_mismatch);
    }
  };
  all_lengths(numbers{});
  all_lengths(std::map<std::string, std::vector<std::string>>{{"a", {"b", "c"}}, {"d", {}}});
  all_lengths(std::make_shared<std::int32_t>(3));
  all_lengths(std::string());
}

TEST_CASE("no type is read as another, whichever two they are") {
  const auto values = std::tuple<bool, char, wchar_t, char8_t, char16_t, char32_t, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                                 std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double, long double>{};
  std::apply(
      [&](const auto&... written) {
        const auto read_as_all = [&](const auto& one) {
          const auto read_as = [&](auto other) {
            using W = std::remove_cvref_t<decltype(one)>;
            using R = decltype(other);
            const auto of_scalar = refusal_of<R>(blob_of(one));
            const auto of_array = refusal_of<std::vector<R>>(blob_of(std::vector<W>(sizeof(long double))));
            if (std::is_same_v<W, R>) {
              CHECK_FALSE(of_scalar.has_value());
              CHECK_FALSE(of_array.has_value());
            } else {
              CHECK(of_scalar == errc::schema_mismatch);
              CHECK(of_array == errc::schema_mismatch);
            }
          };
          (read_as(written), ...);
        };
        (read_as_all(written), ...);
      },
      values);
}

TEST_CASE("swapped, renamed, missing and added fields are refused") {
  const bytes blob = blob_of(std::int32_t{1}, 2.0, std::string("x"));
  std::int32_t i = 0;
  double d = 0;
  std::string s;
  CHECK(refusal_of([&] { read(blob, d, i, s); }) == errc::schema_mismatch);
  CHECK(refusal_of([&] { read(blob, i, s, d); }) == errc::schema_mismatch);
  CHECK(refusal_of([&] { read(blob, i, d); }) == errc::schema_mismatch);
  CHECK(refusal_of([&] { read(blob, i, d, s, i); }) == errc::schema_mismatch);
  CHECK_FALSE(refusal_of([&] { read(blob, i, d, s); }).has_value());

  const bytes named = blob_of(cereal::make_nvp("lr", 1.0f), cereal::make_nvp("rate", 2.0f), cereal::make_nvp("lr", 3.0f));
  float a = 0, b = 0, c = 0;
  const auto lr = [](float& v) { return cereal::make_nvp("lr", v); };
  const auto rate = [](float& v) { return cereal::make_nvp("rate", v); };
  CHECK_FALSE(refusal_of([&] { read(named, lr(a), rate(b), lr(c)); }).has_value());
  CHECK(a + 10 * b + 100 * c == 321);
  CHECK(refusal_of([&] { read(named, rate(a), lr(b), lr(c)); }) == errc::schema_mismatch);
  CHECK(refusal_of([&] { read(named, lr(a), rate(b), rate(c)); }) == errc::schema_mismatch);
  CHECK(refusal_of([&] { read(named, a, rate(b), lr(c)); }) == errc::schema_mismatch);
  CHECK(refusal_of([&] { read(blob_of(a), lr(a)); }) == errc::schema_mismatch);
}

TEST_CASE("the message says what was read, what is stored, and where") {
  float a = 0;
  std::int32_t b = 0;
  try {
    read(blob_of(cereal::make_nvp("lr", 1.0f), cereal::make_nvp("steps", 2.0f)), cereal::make_nvp("lr", a), cereal::make_nvp("steps", b));
    FAIL("accepted");
  } catch (const error& e) {
    CHECK(std::string(e.what()) ==
          "tidemark: its cereal functions read another type than is stored (byte 20 of 24, at \"steps\"); expected i32, found f32.\n"
          "  Functions that read other than they once wrote need CEREAL_CLASS_VERSION, and must ask for it.");
  }
}

TEST_CASE("a size costs no more memory than its blob's bytes times the element") {
  const auto cost = [](auto type, const bytes& blob) {
    using T = typename decltype(type)::type;
    const std::size_t before = allocated;
    CHECK(refusal_of<T>(blob).has_value());
    return allocated - before;
  };
  constexpr std::size_t little = 16384;  // messages, maps, deques
  for (const std::uint64_t size : {std::uint64_t{100}, std::uint64_t{1} << 24, std::uint64_t{1} << 40, UINT64_MAX / 8 + 1, UINT64_MAX}) {
    CAPTURE(size);
    const bytes blob = joined({1, 0x40}, size, 40);
    CHECK(cost(std::type_identity<std::string>{}, blob) < little);
    CHECK(cost(std::type_identity<std::vector<double>>{}, blob) < little);
    CHECK(cost(std::type_identity<std::vector<bool>>{}, blob) < little);
    CHECK(cost(std::type_identity<std::vector<std::vector<double>>>{}, blob) < little);
    CHECK(cost(std::type_identity<std::map<int, double>>{}, blob) < little);
    CHECK(cost(std::type_identity<std::vector<large_element>>{}, blob) < little);
    CHECK(cost(std::type_identity<tree>{}, blob) < little);
  }
  // A size that the bytes left allow: their number times the element, once.
  const bytes most = joined({1, 0x40}, 1000, 1000);
  CHECK(cost(std::type_identity<std::vector<large_element>>{}, most) < 1000 * sizeof(large_element) + little);
  CHECK(cost(std::type_identity<std::vector<std::string>>{}, most) < 1000 * sizeof(std::string) + little);
  // Bytes that are behind it count for nothing.
  std::array<double, 200> values{};  // no size of its own
  bytes late = blob_of(values);
  const bytes size = joined({0x40}, 800);
  late.insert(late.end(), size.begin(), size.end());
  std::vector<large_element> elements;
  const std::size_t before = allocated;
  CHECK(refusal_of([&] { read(late, values, elements); }) == errc::invalid_value);
  CHECK(allocated - before < little);
}

TEST_CASE("containers in containers claim the bytes of a blob once, not once a level") {
  bytes blob = joined({1});
  constexpr std::size_t levels = 1000;  // each claims all that is left, and reads only its first element
  for (std::size_t level = 0; level < levels; ++level) {
    const bytes size = joined({0x40}, 3 * (levels - level - 1) + 1, 0);
    blob.insert(blob.end(), size.begin(), size.end());
  }
  blob.resize(blob.size() + 3 * levels);
  const std::size_t before = allocated;
  CHECK(refusal_of<tree>(blob).has_value());
  CHECK(allocated - before < blob.size() * sizeof(tree) + 65536);
}

TEST_CASE("calls inside each other are counted: no blob runs out of stack") {
  bytes blob = joined({1});
  for (int i = 0; i < 100000; ++i) {
    const bytes size = joined({0x40}, 1);
    blob.insert(blob.end(), size.begin(), size.end());
  }
  CHECK(refusal_of<tree>(blob) == errc::limit);

  chain head;
  chain* at = &head;
  for (int i = 0; i < 500; ++i, at = at->next.get()) at->next = std::make_shared<chain>();
  const bytes fine = blob_of(head);
  CHECK_FALSE(refusal_of<chain>(fine).has_value());
  bytes longer(fine.begin(), fine.end() - 9);  // without the null at the end; then one more node each: "ptr_wrapper", "id", a new id, "data"
  for (std::uint32_t id = 501; id < 100000; ++id) {
    bytes node = joined({0x42, 1, 0x42, 2, 0x22, 0, 0, 0, 0, 0x42, 3});
    const std::uint32_t marked = id | 0x80000000u;
    std::memcpy(node.data() + 5, &marked, 4);
    longer.insert(longer.end(), node.begin(), node.end());
  }
  CHECK(refusal_of<chain>(longer) == errc::limit);
}

TEST_CASE("a shared target is given out only as what it was read as") {
  const auto number = std::make_shared<std::int64_t>(5);
  bytes blob = blob_of(number, std::make_shared<std::string>("text"), std::shared_ptr<std::int64_t>());
  std::shared_ptr<std::int64_t> a, c;
  std::shared_ptr<std::string> b;
  CHECK_FALSE(refusal_of([&] { read(blob, a, b, c); }).has_value());
  for (std::uint32_t id = 0; id < 10; ++id) {
    CAPTURE(id);
    std::memcpy(blob.data() + blob.size() - 4, &id, 4);
    const auto refused = refusal_of([&] { read(blob, a, b, c); });
    CHECK(refused.has_value() == (id > 1));
    if (id == 1) CHECK(c == a);
  }
}

TEST_CASE("shared targets are numbered as they come") {
  bytes blob = blob_of(std::make_shared<std::int64_t>(5));
  const std::size_t place = detail::text_of(blob).find("id") + 3;  // behind the name and the code of u32
  for (std::uint32_t number = 1; number < 5; ++number) {
    const std::uint32_t id = number | 0x80000000u;
    std::memcpy(blob.data() + place, &id, 4);
    CHECK(refusal_of<std::shared_ptr<std::int64_t>>(blob) == (number == 1 ? std::optional<errc>() : errc::invalid_value));
  }
}

TEST_CASE("a class that was stored in a later version is not read") {
  const styles::square before;
  bytes blob = blob_of(before);  // name "cereal_class_version", u32 1, ...
  const std::string_view text = detail::text_of(blob);
  const std::size_t place = text.find("cereal_class_version") + 20 + 1;
  for (std::uint32_t version = 0; version < 5; ++version) {
    std::memcpy(blob.data() + place, &version, 4);
    CHECK(refusal_of<styles::square>(blob) == (version <= 1 ? std::optional<errc>() : errc::newer_version));
  }
  // An older one is handed to the class.
  styles::member_serialize_versioned value;
  value.values = {1, 2};
  bytes older = blob_of(value);
  older.resize(older.size() - 21);  // version 2 had no values: 0x40 2 0x41 0x33 16, and 16 bytes
  const std::uint32_t two = 2;
  std::memcpy(older.data() + detail::text_of(older).find("cereal_class_version") + 21, &two, 4);
  CHECK_FALSE(refusal_of<styles::member_serialize_versioned>(older).has_value());
}

TEST_CASE("another format of blob is refused") {
  bytes blob = blob_of(std::int32_t{1});
  for (int version = 0; version < 256; ++version) {
    blob[0] = static_cast<std::byte>(version);
    const auto refused = refusal_of<std::int32_t>(blob);
    CHECK(refused == (version == 1 ? std::optional<errc>() : version == 0 ? errc::schema_mismatch : errc::newer_version));
  }
}

TEST_CASE("a number is written in one way only") {
  std::string text;
  CHECK_FALSE(refusal_of([&] { read(joined({1, 0x40, 1, 0x41, 0x02, 1, 'x'}), text); }).has_value());
  CHECK(refusal_of([&] { read(joined({1, 0x40, 0x81, 0x00, 0x41, 0x02, 1, 'x'}), text); }) == errc::invalid_value);
  CHECK(refusal_of([&] { read(joined({1, 0x40, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02}), text); }) == errc::invalid_value);
  CHECK(refusal_of([&] { read(joined({1, 0x40, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01}), text); }) == errc::invalid_value);
}
