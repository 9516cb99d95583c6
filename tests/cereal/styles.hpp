// SPDX-License-Identifier: BSL-1.0
// tests/cereal/styles.hpp: a class for every way in which cereal lets a class say what its state is.
#ifndef TIDEMARK_TESTS_CEREAL_STYLES_HPP
#define TIDEMARK_TESTS_CEREAL_STYLES_HPP

#include <tidemark/cereal.hpp>

#include <cereal/archives/binary.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/polymorphic.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/variant.hpp>
#include <cereal/types/vector.hpp>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace styles {

/// What all of them hold; only the functions differ.
struct content {
  std::int32_t count = 0;
  std::string text;
  std::vector<double> values;
};

struct member_serialize : content {
  template <class A>
  void serialize(A& a) { a(count, CEREAL_NVP(text), CEREAL_NVP(values)); }
};
struct member_serialize_versioned : content {
  template <class A>
  void serialize(A& a, const std::uint32_t version) {
    a(count, text);
    if (version >= 3) a(values);
  }
};
struct member_split : content {
  template <class A>
  void save(A& a) const { a(values, text, count); }
  template <class A>
  void load(A& a) { a(values, text, count); }
};
struct member_split_versioned : content {
  template <class A>
  void save(A& a, const std::uint32_t) const { a(values, text, count); }
  template <class A>
  void load(A& a, const std::uint32_t) { a(values, text, count); }
};
struct member_minimal : content {
  template <class A>
  std::string save_minimal(const A&) const { return text; }
  template <class A>
  void load_minimal(const A&, const std::string& value) { text = value; }
};
struct member_minimal_versioned : content {
  template <class A>
  std::int32_t save_minimal(const A&, const std::uint32_t) const { return count; }
  template <class A>
  void load_minimal(const A&, const std::int32_t& value, const std::uint32_t) { count = value; }
};

struct free_serialize : content {};
template <class A>
void serialize(A& a, free_serialize& t) { a(t.count, t.text, t.values); }

struct free_serialize_versioned : content {};
template <class A>
void serialize(A& a, free_serialize_versioned& t, const std::uint32_t) { a(t.count, t.text, t.values); }

struct free_split : content {};
template <class A>
void save(A& a, const free_split& t) { a(t.count, t.text, t.values); }
template <class A>
void load(A& a, free_split& t) { a(t.count, t.text, t.values); }

struct free_split_versioned : content {};
template <class A>
void save(A& a, const free_split_versioned& t, const std::uint32_t) { a(t.count, t.text, t.values); }
template <class A>
void load(A& a, free_split_versioned& t, const std::uint32_t) { a(t.count, t.text, t.values); }

struct free_minimal : content {};
template <class A>
std::string save_minimal(const A&, const free_minimal& t) { return t.text; }
template <class A>
void load_minimal(const A&, free_minimal& t, const std::string& value) { t.text = value; }

struct free_minimal_versioned : content {};
template <class A>
std::int32_t save_minimal(const A&, const free_minimal_versioned& t, const std::uint32_t) { return t.count; }
template <class A>
void load_minimal(const A&, free_minimal_versioned& t, const std::int32_t& value, const std::uint32_t) { t.count = value; }

/// Private functions, shown to cereal only.
class befriended {
 public:
  explicit befriended(int value = 0) : value_(value) {}
  int value() const { return value_; }

 private:
  friend class cereal::access;
  template <class A>
  void serialize(A& a) { a(value_); }
  int value_;
};

/// Shared targets, and a way back up that does not own.
struct node {
  std::string name;
  std::vector<std::shared_ptr<node>> children;
  std::weak_ptr<node> parent;
  std::shared_ptr<std::int64_t> weight;
  template <class A>
  void serialize(A& a) { a(CEREAL_NVP(name), CEREAL_NVP(children), CEREAL_NVP(parent), CEREAL_NVP(weight)); }
};

/// Those alive are known: a changed id can close a ring of owners, which nobody but the test can open again.
struct vertex {
  static std::set<vertex*>& alive() {
    static std::set<vertex*> all;
    return all;
  }
  vertex() { alive().insert(this); }
  vertex(const vertex&) = delete;
  ~vertex() { alive().erase(this); }
  static void open_rings() {
    std::vector<std::shared_ptr<vertex>> held;
    for (vertex* v : alive()) {
      for (auto& next : v->next) held.push_back(std::move(next));
      v->next.clear();
    }
  }

  std::string name;
  std::vector<std::shared_ptr<vertex>> next;
  std::weak_ptr<vertex> back;
  std::shared_ptr<std::string> note;
  std::shared_ptr<std::int32_t> number;
  template <class A>
  void serialize(A& a, const std::uint32_t) { a(CEREAL_NVP(name), next, back, note, number); }
};

struct shape {
  virtual ~shape() = default;
  virtual double area() const = 0;
  std::string label;
  template <class A>
  void serialize(A& a) { a(label); }
};
struct square : shape {
  double side = 0;
  double area() const override { return side * side; }
  template <class A>
  void serialize(A& a, const std::uint32_t) { a(cereal::base_class<shape>(this), CEREAL_NVP(side)); }
};
struct box : shape {
  float width = 0, height = 0;
  double area() const override { return double{width} * double{height}; }
  template <class A>
  void serialize(A& a) { a(cereal::base_class<shape>(this), width, height); }
};
struct unregistered : shape {
  double area() const override { return 0; }
};

/// No default constructor: cereal makes it behind a pointer.
struct constructed {
  explicit constructed(int v) : value(v) {}
  int value;
  template <class A>
  void serialize(A& a) { a(value); }
  template <class A>
  static void load_and_construct(A& a, cereal::construct<constructed>& construct) {
    int v = 0;
    a(v);
    construct(v);
  }
};

struct drawing {
  std::vector<std::shared_ptr<shape>> shapes;
  std::unique_ptr<shape> background;
  std::shared_ptr<shape> selected;
  std::shared_ptr<constructed> frame;
  template <class A>
  void serialize(A& a) { a(shapes, background, selected, frame); }
};

/// Bytes as cereal's own archive writes them: an equality that is not ours.
template <class T>
std::string binary(const T& value) {
  std::ostringstream out;
  {
    cereal::BinaryOutputArchive archive(out);
    archive(value);
  }
  return std::move(out).str();
}

}  // namespace styles

CEREAL_CLASS_VERSION(styles::member_serialize_versioned, 3)
CEREAL_CLASS_VERSION(styles::member_split_versioned, 7)
CEREAL_CLASS_VERSION(styles::free_serialize_versioned, 2)
CEREAL_CLASS_VERSION(styles::square, 1)
CEREAL_REGISTER_TYPE(styles::square)
CEREAL_REGISTER_TYPE(styles::box)

template <> inline constexpr bool tidemark::use_cereal<styles::member_serialize> = true;
template <> inline constexpr bool tidemark::use_cereal<styles::member_serialize_versioned> = true;
template <> inline constexpr bool tidemark::use_cereal<styles::member_split> = true;
template <> inline constexpr bool tidemark::use_cereal<styles::member_split_versioned> = true;
template <> inline constexpr bool tidemark::use_cereal<styles::member_minimal> = true;
template <> inline constexpr bool tidemark::use_cereal<styles::member_minimal_versioned> = true;
template <> inline constexpr bool tidemark::use_cereal<styles::free_serialize> = true;
template <> inline constexpr bool tidemark::use_cereal<styles::free_serialize_versioned> = true;
template <> inline constexpr bool tidemark::use_cereal<styles::free_split> = true;
template <> inline constexpr bool tidemark::use_cereal<styles::free_split_versioned> = true;
template <> inline constexpr bool tidemark::use_cereal<styles::free_minimal> = true;
template <> inline constexpr bool tidemark::use_cereal<styles::free_minimal_versioned> = true;
template <> inline constexpr bool tidemark::use_cereal<styles::befriended> = true;
template <> inline constexpr bool tidemark::use_cereal<std::shared_ptr<styles::node>> = true;
template <> inline constexpr bool tidemark::use_cereal<styles::drawing> = true;

#endif
