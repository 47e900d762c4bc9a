// The variables in the files of each step: defined once, replayed on every step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "model/decomposition.hpp"
#include "model/types.hpp"

namespace bundleio {

struct Dimension {
  std::string name;
  std::int64_t length;  // in one step; an unlimited one has one entry there
  bool unlimited;
};

struct Attribute {
  std::string name;
  Type type;
  std::int64_t count;
  std::vector<std::byte> bytes;
};

struct Variable {
  std::string name;
  Type type;
  int bundle;                   // index in Schema::bundles()
  std::vector<int> dimensions;  // indexes in the bundle, slowest first
  std::shared_ptr<const Decomposition> decomposition;
  std::vector<Attribute> attributes;
  Extent lengths;            // of the dimensions
  std::size_t leadingCount;  // dimensions before those that are decomposed
  std::int64_t planeCount;   // product of the leading lengths
  std::int64_t every = 1;    // it is due in each step whose number this divides; or BIO_ONCE

  /// Value of the cells that nobody owns: the attribute "_FillValue", or NetCDF's.
  [[nodiscard]] std::vector<std::byte> fill() const;
  /// Copies that value to `cells` cells.
  void fillCells(std::int64_t cells, std::byte* values) const;
  /// The attribute "_FillValue"; null without one.
  [[nodiscard]] const Attribute* ownFill() const;
  [[nodiscard]] bool isOnRoot() const { return decomposition->isOnRoot(); }
  /// Does the step of this number hold it? Numbers are those of the run's folder.
  [[nodiscard]] bool isDue(std::int64_t step) const {
    return every == BIO_ONCE ? step == 0 : step % every == 0;
  }
  /// When it is due, in words that follow "is ".
  [[nodiscard]] std::string dueText() const;
  /// Bytes of the whole variable, and of this rank's part of one plane.
  [[nodiscard]] std::int64_t bytes() const;
  [[nodiscard]] std::int64_t ownPlaneBytes() const;
  /// Throws unless `count` values of `typeCode` are what this rank holds of `planes`; BIO_ANY: not
  /// known, or all planes.
  void checkValues(std::int64_t planes, int typeCode, std::int64_t count) const;
};

struct Bundle {
  std::string name;
  std::vector<Dimension> dimensions;
  std::vector<int> variables;  // indexes in Schema::variables()
  std::vector<Attribute> attributes;

  [[nodiscard]] bool isUnlimited(const Variable& variable) const {
    return !variable.dimensions.empty() &&
           dimensions[static_cast<std::size_t>(variable.dimensions.front())].unlimited;
  }
};

enum class NameOf { variable, variableAttribute, bundleAttribute };
/// Why a format cannot have an item of `bundle` called `name`; empty if it can.
using NameRule =
    std::function<std::string(NameOf kind, const Bundle& bundle, const std::string& name)>;

class Schema {
 public:
  /// As rank `rank` of `ranks` writers sees it.
  Schema(int ranks, int rank) : ranks_(ranks), rank_(rank) {}

  /// From now on `rule` is asked, too.
  void reserve(NameRule rule) { rule_ = std::move(rule); }
  /// Nothing is defined any more.
  void clear();
  int addBundle(const std::string& name);
  int addDimension(int bundle, const std::string& name, std::int64_t length);
  /// `decomposition` may be null: rank 0 holds the variable.
  int addVariable(int bundle, const std::string& name, int type, std::vector<int> dimensions,
                  std::shared_ptr<const Decomposition> decomposition);
  /// `every`: see bio_def_every.
  void setEvery(int variable, std::int64_t every);
  /// `variable` is an index in variables(), or BIO_GLOBAL.
  void addAttribute(int bundle, int variable, const std::string& name, int type, std::int64_t count,
                    const void* values);

  /// Adds an equal bundle without variables, and an equal variable.
  int copyBundle(const Bundle& original);
  int copyVariable(int bundle, const Variable& original,
                   std::shared_ptr<const Decomposition> decomposition);

  [[nodiscard]] const std::vector<Bundle>& bundles() const { return bundles_; }
  [[nodiscard]] const std::vector<Variable>& variables() const { return variables_; }
  [[nodiscard]] const Bundle& bundleOf(const Variable& variable) const {
    return bundles_[static_cast<std::size_t>(variable.bundle)];
  }
  [[nodiscard]] const Variable& variable(int index) const;
  /// Its first dimension is unlimited: each step has other values.
  [[nodiscard]] bool grows(int index) const {
    const Variable& asked = variable(index);
    return bundleOf(asked).isUnlimited(asked);
  }
  /// An empty schema of the same ranks.
  [[nodiscard]] Schema cleared() const { return {ranks_, rank_}; }
  /// Of the variables, in order of first use, without rank 0's own.
  [[nodiscard]] std::vector<const Decomposition*> decompositions() const;
  /// Bytes of all variables of one step.
  [[nodiscard]] std::int64_t stepBytes() const { return stepBytes_; }

 private:
  Bundle& bundle(int index);
  void checkFree(NameOf kind, const Bundle& bundle, const std::string& name) const;
  std::shared_ptr<const Decomposition> onRoot(const Extent& lengths);
  void copyAttributes(int bundle, int variable, const std::vector<Attribute>& attributes);

  int ranks_;
  int rank_;
  NameRule rule_;
  std::vector<Bundle> bundles_;
  std::vector<Variable> variables_;
  // Of each bundle, so that thousands of definitions are not searched one after another.
  std::vector<std::unordered_set<std::string>> variableNames_;
  std::vector<std::unordered_set<std::string>> dimensionNames_;
  // By lengths: one holds a box of every rank.
  std::map<Extent, std::shared_ptr<const Decomposition>> onRoot_;
  std::int64_t stepBytes_ = 0;
};

}  // namespace bundleio
