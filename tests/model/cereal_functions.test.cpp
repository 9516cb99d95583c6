// SPDX-License-Identifier: BSL-1.0
// model/cereal_functions.test.cpp: functions for cereal are seen without cereal, and other functions of the same names are not taken for them.
#include <tidemark/model/checkpointable.hpp>

#include <doctest/doctest.h>

#include <map>

#include <iosfwd>
#include <memory>
#include <mutex>

using namespace tidemark;

namespace with {  // none of these is state until it opts in

struct member_serialize { int v; template <class A> void serialize(A& a) { a(v); } };
struct member_const { int v; template <class A> void serialize(A& a) const { a(v); } };
struct member_forwarding { int v; template <class A> void serialize(A&& a) { a(v); } };
struct member_versioned { int v; template <class A> void serialize(A& a, const std::uint32_t) { a(v); } };
struct member_boost { int v; template <class A> void serialize(A& a, const unsigned int) { a & v; } };
struct member_split { int v; template <class A> void save(A& a) const { a(v); } template <class A> void load(A& a) { a(v); } };
struct member_split_versioned { int v; template <class A> void save(A& a, const std::uint32_t) const { a(v); } template <class A> void load(A& a, const std::uint32_t) { a(v); } };
struct member_minimal { int v; template <class A> int save_minimal(const A&) const { return v; } template <class A> void load_minimal(const A&, const int& x) { v = x; } };
class befriended { int v_ = 0; template <class A> void serialize(A& a) { a(v_); } };
struct hidden { int v; private: template <class A> void serialize(A& a) { a(v); } };
struct last final { int v; template <class A> void serialize(A& a) { a(v); } };
struct inherited : member_serialize {};
struct free_of_last final { int v; };
template <class A> void serialize(A& a, free_of_last& t) { a(t.v); }
// Bodies are not compiled: this one is fit for no archive but one.
struct particular { int v; template <class A> auto serialize(A& a) { return a.only_this_archive_has(v); } };

struct free_serialize { int v; };
template <class A> void serialize(A& a, free_serialize& t) { a(t.v); }
struct free_versioned { int v; };
template <class A> void serialize(A& a, free_versioned& t, const std::uint32_t) { a(t.v); }
struct free_split { int v; };
template <class A> void save(A& a, const free_split& t) { a(t.v); }
template <class A> void load(A& a, free_split& t) { a(t.v); }
struct free_split_versioned { int v; };
template <class A> void save(A& a, const free_split_versioned& t, const std::uint32_t) { a(t.v); }
template <class A> void load(A& a, free_split_versioned& t, const std::uint32_t) { a(t.v); }
struct free_minimal { int v; };
template <class A> int save_minimal(const A&, const free_minimal& t) { return t.v; }
template <class A> void load_minimal(const A&, free_minimal& t, const int& x) { t.v = x; }
struct virtual_one { virtual ~virtual_one() = default; int v; template <class A> void serialize(A& a) { a(v); } };

}  // namespace with

namespace without {  // plain state, whatever its functions are called

struct plain { int v; };
struct to_stream { int v; void serialize(std::ostream&) const; };
struct to_text { int v; std::string serialize() const; };
struct overloaded { int v; std::string serialize() const; void serialize(std::ostream&) const; };
struct data_member { int serialize; int save; int load; int save_minimal; };
struct to_path { int v; void save(const std::string&) const; void load(const std::string&); };
struct to_paths { int v; void save(const std::string&) const; void save(std::ostream&) const; void load(const std::string&); };
struct to_any_path { int v; template <class P> void save(const P&) const; template <class P> void load(const P&); };
struct save_only { int v; template <class A> void save(A&) const; };
struct static_function { int v; static void serialize(int); };
struct free_to_stream { int v; };
void serialize(std::ostream&, const free_to_stream&);
void save(const free_to_stream&, const std::string&);
free_to_stream load(const std::string&);

}  // namespace without

namespace tidemark {  // its own save and load take anything for a state
struct lives_here { int v; };
}  // namespace tidemark

namespace opted {

struct early { int v; template <class A> void serialize(A& a) { a(v); } };
struct also_snapshot { int snapshot() const { return 0; } void restore(int) {} };
struct also_represented { int v; };
struct snapshot_alone { template <class A> void serialize(A&) {} int snapshot() const { return 0; } void restore(int) {} };

}  // namespace opted

template <> inline constexpr bool tidemark::use_cereal<opted::early> = true;
template <> inline constexpr bool tidemark::use_cereal<opted::also_snapshot> = true;
template <> inline constexpr bool tidemark::use_cereal<opted::also_represented> = true;
template <> inline constexpr bool tidemark::use_cereal<std::vector<float>> = true;
template <> inline constexpr bool tidemark::use_cereal<std::shared_ptr<int>> = true;
template <>
struct tidemark::represent<opted::also_represented> {
  static std::string name() { return "x"; }
  static int snapshot(const opted::also_represented& x) { return x.v; }
  static void restore(opted::also_represented& x, int&& v) { x.v = v; }
};

namespace {

using detail::refusal;

constexpr refusal reason(detail::verdict v) { return v.reason; }
template <class T>
constexpr bool refused = reason(detail::verdict_of<T>) == refusal::cereal_functions;

static_assert(refused<with::member_serialize> && refused<with::member_const> && refused<with::member_forwarding> && refused<with::member_versioned>);
static_assert(refused<with::member_boost> && refused<with::member_split> && refused<with::member_split_versioned> && refused<with::member_minimal>);
static_assert(refused<with::befriended> && refused<with::hidden> && refused<with::inherited> && refused<with::particular> && refused<with::virtual_one>);
static_assert(refused<with::last> && refused<with::free_of_last>);
static_assert(refused<with::free_serialize> && refused<with::free_versioned> && refused<with::free_split> && refused<with::free_split_versioned>);
static_assert(refused<with::free_minimal>);
static_assert(!Checkpointable<std::vector<with::member_serialize>> && !Checkpointable<std::map<std::string, with::free_split>>);

static_assert(Checkpointable<without::plain> && Checkpointable<without::to_stream> && Checkpointable<without::to_text> && Checkpointable<without::overloaded>);
static_assert(Checkpointable<without::data_member> && Checkpointable<without::to_path> && Checkpointable<without::to_paths> && Checkpointable<without::to_any_path>);
static_assert(Checkpointable<without::save_only> && Checkpointable<without::static_function> && Checkpointable<without::free_to_stream>);
static_assert(Checkpointable<lives_here> && Checkpointable<std::vector<lives_here>>);

// Opted in without the header that stores them: refused, also where the library could store them otherwise.
static_assert(refused<opted::early> && refused<std::vector<float>> && refused<std::shared_ptr<int>>);
static_assert(Checkpointable<std::vector<double>> && reason(detail::verdict_of<std::shared_ptr<double>>) == refusal::shared_pointer);

static_assert(reason(detail::verdict_of<opted::also_snapshot>) == refusal::two_ways);
static_assert(reason(detail::verdict_of<opted::also_represented>) == refusal::two_ways);
static_assert(Checkpointable<opted::snapshot_alone>);  // has not opted in: its snapshot is what it says
static_assert(reason(detail::verdict_of<std::mutex>) == refusal::lock);

}  // namespace

TEST_CASE("classes with cereal functions are told from others at compile time") { CHECK(refused<with::member_serialize>); }
