// The C interface for C++17: handles that free themselves, and errors as exceptions.
//
// A local call throws at once, on the rank whose mistake it is. Let Run and Context leave their
// scopes: the destructor of Run tells the other ranks, whose next collective call throws it, too.
//
// Header only, so that nothing but the C interface has to stay compatible. Collective calls, shapes
// and lifetimes are those of bundleio.h.
#pragma once

#include <bundleio/bundleio.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace bio {

/// A status other than BIO_OK, with its message; the same on all ranks after a collective call.
class Error : public std::runtime_error {
 public:
  Error(int status, const std::string& message) : std::runtime_error(message), status_(status) {}
  [[nodiscard]] int status() const noexcept { return status_; }

 private:
  int status_;
};

/// The bio_type of a C++ type.
template <class T>
constexpr int typeOf() {
  static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8, "not a type that can be stored");
  if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) == 4 ? BIO_FLOAT32 : BIO_FLOAT64;
  } else {
    constexpr int widths[] = {0, BIO_INT8, BIO_INT16, 0, BIO_INT32, 0, 0, 0, BIO_INT64};
    return widths[sizeof(T)] + (std::is_unsigned_v<T> ? 1 : 0);
  }
}

using Extent = std::vector<std::int64_t>;

class Context {
 public:
  /// Collective, as the destructor is, which must run before MPI_Finalize.
  explicit Context(MPI_Comm comm) { check(bio_init(comm, &handle_), nullptr); }
  ~Context() {
    if (handle_ != nullptr) bio_finish(handle_);
  }
  Context(Context&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  Context& operator=(Context&&) = delete;

  /// The value that stands for a date in CF's units and calendar, and back. Local.
  [[nodiscard]] double timeValue(const std::string& units, const std::string& calendar,
                                 const bio_date& date) const {
    double value = 0;
    check(bio_time_value(handle_, units.c_str(), calendar.c_str(), &date, &value), handle_);
    return value;
  }
  [[nodiscard]] bio_date date(const std::string& units, const std::string& calendar,
                              double value) const {
    bio_date found{};
    check(bio_time_date(handle_, units.c_str(), calendar.c_str(), value, &found), handle_);
    return found;
  }
  [[nodiscard]] bio_context* handle() const { return handle_; }

  /// Slowest dimension first. Collective.
  [[nodiscard]] int block(const Extent& lengths, const Extent& start, const Extent& count) const {
    const bool equal = lengths.size() == start.size() && lengths.size() == count.size();
    int made = 0;
    check(bio_decomp_block(handle_, equal ? static_cast<int>(lengths.size()) : -1, lengths.data(),
                           start.data(), count.data(), &made),
          handle_);
    return made;
  }
  /// Collective.
  [[nodiscard]] int map(const Extent& lengths, const Extent& cells) const {
    int made = 0;
    check(bio_decomp_map(handle_, static_cast<int>(lengths.size()), lengths.data(),
                         static_cast<std::int64_t>(cells.size()), cells.data(), &made),
          handle_);
    return made;
  }
  /// Counted from 1; 0 is a local value that belongs nowhere. Collective.
  [[nodiscard]] int mapOneBased(const Extent& lengths, const Extent& cells) const {
    int made = 0;
    check(bio_decomp_map_one_based(handle_, static_cast<int>(lengths.size()), lengths.data(),
                                   static_cast<std::int64_t>(cells.size()), cells.data(), &made),
          handle_);
    return made;
  }
  /// Frees the context and shows errors; its runs must be closed. Collective.
  void finish() {
    check(bio_finish(handle_), handle_);
    handle_ = nullptr;
  }

  static void check(int status, const bio_context* context) {
    if (status != BIO_OK) throw Error(status, bio_message(context));
  }

 private:
  bio_context* handle_ = nullptr;
};

class Run {
 public:
  /// Collective, as the destructor is, which must run before that of the Context; call close() to
  /// see its errors.
  Run(const Context& context, const std::string& path, bio_mode mode, const std::string& backend,
      const std::string& options = "")
      : context_(context.handle()) {
    Context::check(
        bio_open(context_, path.c_str(), mode, backend.c_str(), options.c_str(), &handle_),
        context_);
  }
  ~Run() {
    if (handle_ != nullptr) bio_close(handle_);
  }
  Run(Run&& other) noexcept
      : context_(other.context_), handle_(std::exchange(other.handle_, nullptr)) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  Run& operator=(Run&&) = delete;

  [[nodiscard]] int bundle(const std::string& name) {
    int made = 0;
    check(bio_bundle(handle_, name.c_str(), &made));
    return made;
  }
  [[nodiscard]] int dimension(int bundle, const std::string& name, std::int64_t length) {
    int made = 0;
    check(bio_def_dim(handle_, bundle, name.c_str(), length, &made));
    return made;
  }
  /// `dimensions`: slowest first.
  template <class T>
  [[nodiscard]] int variable(int bundle, const std::string& name,
                             const std::vector<int>& dimensions, int decomposition = BIO_ON_ROOT) {
    int made = 0;
    check(bio_def_var(handle_, bundle, name.c_str(), typeOf<T>(),
                      static_cast<int>(dimensions.size()), dimensions.data(), decomposition,
                      &made));
    return made;
  }
  /// From now on it is due in each step whose number `steps` divides; BIO_ONCE: in step 0 alone.
  void every(int variable, std::int64_t steps) { check(bio_def_every(handle_, variable, steps)); }
  void attribute(int bundle, int variable, const std::string& name, const std::string& text) {
    check(bio_put_att(handle_, bundle, variable, name.c_str(), BIO_TEXT,
                      static_cast<std::int64_t>(text.size()), text.data()));
  }
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  void attribute(int bundle, int variable, const std::string& name, T value) {
    check(bio_put_att(handle_, bundle, variable, name.c_str(), typeOf<T>(), 1, &value));
  }
  template <class T>
  void attribute(int bundle, int variable, const std::string& name, const std::vector<T>& values) {
    check(bio_put_att(handle_, bundle, variable, name.c_str(), typeOf<T>(), size(values),
                      values.data()));
  }

  /// The time of a bundle as CF wants it; with bounds, also the variable of begins and ends.
  int time(int bundle, int dimension, const std::string& units, const std::string& calendar) {
    int time = 0;
    check(
        bio_def_time(handle_, bundle, dimension, units.c_str(), calendar.c_str(), &time, nullptr));
    return time;
  }
  std::pair<int, int> timeWithBounds(int bundle, int dimension, const std::string& units,
                                     const std::string& calendar) {
    std::pair<int, int> made;
    check(bio_def_time(handle_, bundle, dimension, units.c_str(), calendar.c_str(), &made.first,
                       &made.second));
    return made;
  }
  /// In the step under way, or, between steps, in the next one.
  [[nodiscard]] bool isDue(int variable) {
    int due = 0;
    check(bio_due(handle_, variable, &due));
    return due != 0;
  }
  void stepBegin() { check(bio_step_begin(handle_)); }
  /// `values` stay the caller's and must not change before stepEnd returns. T is compared with the
  /// variable's type, a vector's size with what this rank holds; a pointer is taken on trust.
  template <class T>
  void put(int variable, const T* values) {
    check(bio_check_put(handle_, variable, BIO_ANY, typeOf<T>(), BIO_ANY));
    check(bio_put(handle_, variable, values));
  }
  template <class T>
  void put(int variable, const std::vector<T>& values) {
    check(bio_check_put(handle_, variable, BIO_ANY, typeOf<T>(), size(values)));
    check(bio_put(handle_, variable, values.data()));
  }
  /// The same for `count` levels from `first`.
  template <class T>
  void putLevels(int variable, std::int64_t first, std::int64_t count, const T* values) {
    check(bio_check_put(handle_, variable, count, typeOf<T>(), BIO_ANY));
    check(bio_put_levels(handle_, variable, first, count, values));
  }
  template <class T>
  void putLevels(int variable, std::int64_t first, std::int64_t count,
                 const std::vector<T>& values) {
    check(bio_check_put(handle_, variable, count, typeOf<T>(), size(values)));
    check(bio_put_levels(handle_, variable, first, count, values.data()));
  }
  // Those would be gone at stepEnd.
  template <class T>
  void put(int variable, const std::vector<T>&& values) = delete;
  template <class T>
  void putLevels(int variable, std::int64_t first, std::int64_t count,
                 const std::vector<T>&& values) = delete;
  /// Throws here, and at the next stepEnd or close on all ranks.
  void fail(bio_status status, const std::string& message) {
    check(bio_fail(handle_, status, message.c_str()));
  }
  /// Collective.
  void stepEnd() { check(bio_step_end(handle_)); }
  /// Collective.
  void wait() { check(bio_wait(handle_)); }
  /// Is every ended step visible?
  [[nodiscard]] bool test() const {
    int done = 0;
    check(bio_test(handle_, &done));
    return done != 0;
  }
  /// JSON on rank 0. Collective.
  [[nodiscard]] std::string report() {
    const char* json = nullptr;
    check(bio_report(handle_, &json));
    return json;
  }
  /// Collective.
  void close() {
    bio_run* closing = std::exchange(handle_, nullptr);
    Context::check(bio_close(closing), closing != nullptr ? context_ : nullptr);
  }

 private:
  void check(int status) const { Context::check(status, handle_ != nullptr ? context_ : nullptr); }
  template <class T>
  static std::int64_t size(const std::vector<T>& values) {
    return static_cast<std::int64_t>(values.size());
  }

  bio_context* context_;
  bio_run* handle_ = nullptr;
};

/// Of a variable: its type, of bio_type, and its lengths, slowest first.
struct Shape {
  int type;
  Extent lengths;
};

/// Of a dimension in one step, where an unlimited one has one entry.
struct Length {
  std::int64_t length;
  bool isUnlimited;
};

/// A complete step of a run, for reading.
class Reader {
 public:
  /// Collective, as the destructor is. An Error with status BIO_NOT_FOUND: there is no such step.
  explicit Reader(const Context& context, const std::string& path,
                  std::int64_t step = BIO_LAST_STEP, const std::string& options = "")
      : context_(context.handle()) {
    Context::check(bio_read_open(context_, path.c_str(), step, options.c_str(), &handle_),
                   context_);
  }
  ~Reader() {
    if (handle_ != nullptr) bio_read_close(handle_);
  }
  Reader(Reader&& other) noexcept
      : context_(other.context_), handle_(std::exchange(other.handle_, nullptr)) {}
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  Reader& operator=(Reader&&) = delete;

  [[nodiscard]] std::int64_t step() const {
    std::int64_t number = 0;
    check(bio_read_step(handle_, &number));
    return number;
  }
  [[nodiscard]] std::vector<std::string> bundles() const { return names(BIO_BUNDLES, "", ""); }
  [[nodiscard]] std::vector<std::string> variables(const std::string& bundle) const {
    return names(BIO_VARIABLES, bundle, "");
  }
  /// Of a variable, slowest first, or, without one, of the bundle.
  [[nodiscard]] std::vector<std::string> dimensions(const std::string& bundle,
                                                    const std::string& variable = "") const {
    return names(BIO_DIMENSIONS, bundle, variable);
  }
  [[nodiscard]] std::vector<std::string> attributes(const std::string& bundle,
                                                    const std::string& variable = "") const {
    return names(BIO_ATTRIBUTES, bundle, variable);
  }
  [[nodiscard]] Length dimension(const std::string& bundle, const std::string& name) const {
    std::int64_t length = 0;
    int unlimited = 0;
    check(bio_read_dim(handle_, bundle.c_str(), name.c_str(), &length, &unlimited));
    return {length, unlimited != 0};
  }
  /// Type and number of values of an attribute; without a variable, of the bundle.
  [[nodiscard]] Shape attributeShape(const std::string& bundle, const std::string& variable,
                                     const std::string& name) const {
    Shape found{0, Extent(1)};
    check(bio_read_att(handle_, bundle.c_str(), variable.c_str(), name.c_str(), &found.type,
                       found.lengths.data()));
    return found;
  }
  /// The values of an attribute of type T.
  template <class T>
  [[nodiscard]] std::vector<T> attribute(const std::string& bundle, const std::string& variable,
                                         const std::string& name) const {
    std::vector<T> values(sizeOf(attributeShape(bundle, variable, name).lengths));
    check(bio_get_att(handle_, bundle.c_str(), variable.c_str(), name.c_str(), typeOf<T>(),
                      static_cast<std::int64_t>(values.size()), values.data()));
    return values;
  }
  [[nodiscard]] std::string text(const std::string& bundle, const std::string& variable,
                                 const std::string& name) const {
    std::string value(sizeOf(attributeShape(bundle, variable, name).lengths), ' ');
    check(bio_get_att(handle_, bundle.c_str(), variable.c_str(), name.c_str(), BIO_TEXT,
                      static_cast<std::int64_t>(value.size()), value.data()));
    return value;
  }
  [[nodiscard]] Shape shape(const std::string& bundle, const std::string& variable) const {
    Shape found{0, Extent(1024)};  // NetCDF's most dimensions
    auto dimensions = static_cast<int>(found.lengths.size());
    check(bio_read_shape(handle_, bundle.c_str(), variable.c_str(), &found.type, &dimensions,
                         found.lengths.data()));
    found.lengths.resize(static_cast<std::size_t>(dimensions));
    return found;
  }
  /// `count` entries of each dimension of a variable of type T from `start`, `stride` apart (empty:
  /// each entry). Local.
  template <class T>
  [[nodiscard]] std::vector<T> slab(const std::string& bundle, const std::string& variable,
                                    const Extent& start, const Extent& count,
                                    const Extent& stride = {}) {
    if (start.size() != count.size() || (!stride.empty() && stride.size() != count.size())) {
      throw Error(BIO_BAD_ARGUMENT, "start, count and stride must be equally many integers");
    }
    std::vector<T> values(sizeOf(count));
    check(bio_get_slab(handle_, bundle.c_str(), variable.c_str(), typeOf<T>(),
                       static_cast<int>(count.size()), start.data(), count.data(),
                       stride.empty() ? nullptr : stride.data(),
                       static_cast<std::int64_t>(values.size()), values.data()));
    return values;
  }
  /// This rank's part of a variable of type T, for which `values` must have just the size.
  /// Collective.
  template <class T>
  void get(const std::string& bundle, const std::string& variable, int decomposition,
           std::vector<T>& values) {
    check(bio_get(handle_, bundle.c_str(), variable.c_str(), typeOf<T>(), decomposition,
                  static_cast<std::int64_t>(values.size()), values.data()));
  }
  /// Collective.
  void close() {
    bio_reader* closing = handle_;
    handle_ = nullptr;
    Context::check(bio_read_close(closing), closing != nullptr ? context_ : nullptr);
  }

 private:
  void check(int status) const { Context::check(status, handle_ != nullptr ? context_ : nullptr); }

  [[nodiscard]] std::vector<std::string> names(int list, const std::string& bundle,
                                               const std::string& variable) const {
    int count = 0;
    const char* const* found = nullptr;
    check(bio_read_names(handle_, list, bundle.c_str(), variable.c_str(), &count, &found));
    return {found, found + count};
  }
  // The number of values; 0 where a length is negative, which the library refuses.
  static std::size_t sizeOf(const Extent& lengths) {
    std::size_t size = 1;
    for (const std::int64_t length : lengths) {
      size *= static_cast<std::size_t>(length < 0 ? 0 : length);
    }
    return size;
  }

  bio_context* context_;
  bio_reader* handle_ = nullptr;
};

}  // namespace bio
