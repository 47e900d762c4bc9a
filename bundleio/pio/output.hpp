// A file in the making: values of each frame are kept until it has all variables, and then become a
// step.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "input.hpp"
#include "system.hpp"

namespace bundleio_pio {

/// A rank may make a mistake that others do not make: the ranks agree on each call with values,
/// which then fails on all of them and changes nothing.
class Output {
 public:
  /// Collective.
  Output(System& system, int ioType, const std::string& path, bool keep);
  /// Goes on behind the last frame of the file in `folder`, which holds `known`. Collective.
  Output(System& system, int ioType, const std::string& path, std::string folder,
         const Contents& known);

  int dimension(const std::string& name, int64_t length);
  int variable(const std::string& name, int pioType, int count, const int* dimensions);
  Contents contents() const;
  void attribute(int variable, const std::string& name, int pioType, int64_t count,
                 const void* values);
  void define(bool begins);

  void setFrame(int variable, int64_t frame) { variableOf(variable).frame = frame; }
  void advanceFrame(int variable) { ++variableOf(variable).frame; }
  /// Collective, as all below.
  void write(int variable, int decomposition, int64_t length, const void* values, const void* fill);
  /// Throws unless an array of `length` values of bundleio's `type` has what such a put takes:
  /// `count` along each dimension, or, if that is null, all of the variable. Local.
  void checkArray(int variable, int type, int64_t length, const MPI_Offset* count);
  size_t dimensionCount(int variable) { return variableOf(variable).dimensions.size(); }
  /// All of a variable that has no frames; rank 0's values count.
  void putWhole(int variable, const void* values);
  /// A part of a variable, or of several of its frames.
  void putPart(int variable, const MPI_Offset* start, const MPI_Offset* count, const void* values);
  void read(int variable, int decomposition, int64_t length, void* values);
  /// The part of the file that is on the disk. Throws while definitions are made. Local.
  Input& seen();
  void sync();
  void close();

 private:
  using Bytes = std::vector<char>;
  struct Dimension {
    std::string name;
    int64_t length;
    int bio = 0;
  };
  struct Attribute {
    int variable;
    std::string name;
    int bioType;
    int64_t count;
    Bytes values;
  };
  // Cells of a variable that was put in parts only; rank 0 knows which.
  struct Holes {
    std::vector<bool> isHole;
    int64_t count;
  };
  struct Variable {
    std::string name;
    int pioType;
    std::vector<int> dimensions;
    bool grows;
    int64_t frame = -1;
    bool isPlaced = false;  // somebody wrote it, so that it is known who owns what
    int placed = BIO_ON_ROOT;
    int64_t localCount = 0;
    int bio = 0;
    std::map<int64_t, Bytes> values;  // by frame; 0 where it does not grow
    std::map<int64_t, Holes> holes;   // of those that have some
  };

  Variable& variableOf(int number);
  std::vector<int64_t> lengthsOf(const Variable& variable) const;
  Bytes fillOf(const Variable& variable, int64_t count) const;
  void needsDefining(bool wanted) const;
  void checkKeep(const Variable& variable, int64_t frame, int bio, int64_t count) const;
  Part partOf(const Variable& variable, const MPI_Offset* start, const MPI_Offset* count) const;
  void put(Variable& variable, int64_t frame, const Part& part, const char* values);
  void keepPart(Variable& variable, int64_t frame, const Part& part, const char* values);
  void fillHoles(Variable& variable, int64_t frame) const;
  static void keep(Variable& variable, int64_t frame, int bio, int64_t count, Bytes values);
  void requireAsStored(const Variable& variable, const Decomposition& by, const Bytes& values);
  void requireAsStored(const Variable& variable, const Part& part, const char* values);
  void requireEqual(const Variable& variable, bool isEqual) const;
  bool isStored(const Variable& variable) const { return !variable.grows && first_ > 0; }
  void checkWrite(const Variable& variable, const Decomposition& decomposition, int64_t length,
                  const void* fill) const;
  int64_t frameOf(const Variable& variable) const;
  const Variable* missingIn(int64_t frame) const;
  bool isPending(int64_t frame) const;
  void publishComplete();
  /// Each defines for bundleio, and returns its status. Local.
  int define(Dimension& dimension);
  int define(Variable& variable);
  int define(const Attribute& attribute);
  int defineAll();
  void settleDefinition(int status, const std::function<void()>& undo);
  void placeAll();
  void show();
  void requireShown();
  void readStored(Variable& variable, const std::vector<int64_t>& lengths);
  void publish();
  void endWithoutFrames() const;

  System& system_;
  std::string path_, folder_;
  bio_run* run_ = nullptr;
  int bundle_ = 0;
  Input seen_;
  std::vector<Dimension> dimensions_;
  std::vector<Attribute> attributes_;
  std::vector<Variable> variables_;
  bool isDefining_ = true;
  bool isPlaced_ = false;  // with the first frame: by then it is known who owns what
  bool isShown_ = false;
  bool saidHidden_ = false;
  bool saidWaiting_ = false;
  int64_t first_ = 0;  // frame that this file writes: others may be there
  int64_t next_ = 0;   // the frame that becomes a step next
};

}  // namespace bundleio_pio
