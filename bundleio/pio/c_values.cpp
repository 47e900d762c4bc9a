// PIO's calls that put and get variables which no decomposition divides, or parts of them.
#include <pio.h>

#include "handles.hpp"

using namespace bundleio_pio;

namespace {

// Of a variable all, or what lies at `start`, in C's order; throws where that is not there.
Part partOf(const Contents &contents, int varid, const PIO_Offset *start, const PIO_Offset *count) {
  const Contents::Variable &variable = contents.variable(varid);
  Part part;
  for (size_t i = 0; i < variable.dimensions.size(); ++i) {
    const Contents::Dimension &dimension = contents.dimension(variable.dimensions[i]);
    const int64_t from = start == nullptr ? 0 : start[i];
    const int64_t many = count == nullptr ? dimension.length : count[i];
    if (from < 0 || many < 0 || from > dimension.length - many) {
      throw Failure(PIO_EINVAL, "variable '" + variable.name + "': dimension '" + dimension.name +
                                    "' has " + std::to_string(dimension.length) + " entries, not " +
                                    std::to_string(many) + " from entry " + std::to_string(from) +
                                    " (counted from 0)");
    }
    part.start.push_back(from);
    part.count.push_back(many);
  }
  return part;
}

// Collective. `request` answers the part that this rank asks for, and throws where it may not.
template <class Request>
void get(const OpenFile &file, int varid, void *values, Request &&request) {
  const System &system = file.itsSystem();
  const Contents contents = file.contents();
  Part part;
  Input *from = nullptr;
  system.agreeOn([&]() -> Named {
    from = &file.readable();
    part = request(contents);
    return {varid, 0, 0};
  });
  const std::string mine = part.text(), firsts = system.told(mine);
  system.agree([&] {
    if (mine == firsts) return;
    throw Failure(PIO_EINVAL, "variable '" + contents.variable(varid).name +
                                  "': this rank asks for another part of it than rank 0");
  });
  const Contents::Variable &variable = contents.variable(varid);
  from->get({variable.name, contents.grows(varid)}, part, typeOf(variable.pioType).bytes,
            static_cast<char *>(values));
}

void put(OpenFile &file, int varid, const PIO_Offset *start, const PIO_Offset *count,
         const void *values) {
  if (start == nullptr)
    file.writable().putWhole(varid, values);
  else
    file.writable().putPart(varid, start, count, values);
}

// Fortran's start and count: fastest first, and from 1. PIO's own module lets both have more values
// than there are dimensions.
struct FromFortran {
  int values;  // of each; 0: the variable is taken whole
  const PIO_Offset *start, *count;

  // In C's order. What is behind the dimensions must count nothing where `areEmpty` says so.
  void turn(const std::string &what, size_t dimensions, bool areEmpty) {
    const auto given = static_cast<size_t>(values);
    bool fit = given >= dimensions;
    for (size_t i = dimensions; i < given; ++i) fit = fit && (!areEmpty || count[i] <= 0);
    if (!fit) {
      throw Failure(PIO_EINVAL, what + "start and count have " + std::to_string(given) +
                                    " values, and it " + std::to_string(dimensions) +
                                    " dimensions");
    }
    for (size_t i = dimensions; i-- > 0;) {
      starts.push_back(start[i] - 1);
      counts.push_back(count[i]);
    }
  }
  const PIO_Offset *startInC() const { return start == nullptr ? nullptr : starts.data(); }
  const PIO_Offset *countInC() const { return start == nullptr ? nullptr : counts.data(); }

  std::vector<PIO_Offset> starts = {}, counts = {};
};

void checkRoom(const Contents::Variable &variable, const Part &part, int type, PIO_Offset length) {
  const std::string what = "variable '" + variable.name + "': ";
  const Type its = typeOf(variable.pioType);
  const int64_t cells = part.cells();
  if (cells > 0 && type != its.bio)
    throw Failure(PIO_EINVAL, what + "the array is not of its type, " + its.name);
  if (length >= cells) return;
  throw Failure(PIO_EINVAL, what + "room for " + std::to_string(length) + " values where " +
                                std::to_string(cells) + " are read");
}

}  // namespace

extern "C" {

int PIOc_put_var(int ncid, int varid, const void *buf) {
  return callFile("PIOc_put_var", ncid,
                  [&](OpenFile &file) { put(file, varid, nullptr, nullptr, buf); });
}

int PIOc_put_vara(int ncid, int varid, const PIO_Offset *start, const PIO_Offset *count,
                  const void *buf) {
  return callFile("PIOc_put_vara", ncid,
                  [&](OpenFile &file) { put(file, varid, start, count, buf); });
}

int PIOc_get_var(int ncid, int varid, void *buf) {
  return PIOc_get_vara(ncid, varid, NULL, NULL, buf);
}

int PIOc_get_vara(int ncid, int varid, const PIO_Offset *start, const PIO_Offset *count,
                  void *buf) {
  return callFile(start == nullptr ? "PIOc_get_var" : "PIOc_get_vara", ncid, [&](OpenFile &file) {
    get(file, varid, buf,
        [&](const Contents &contents) { return partOf(contents, varid, start, count); });
  });
}

// For Fortran, which knows types and lengths of its arrays: `type` is what bundleio calls it, or -1
// of an array without values, or -2 where no address can be had; `start` is null where the variable
// is taken whole. Collective.
FOR_FORTRAN int bundleio_pio_put_values(int ncid, int varid, int type, int is_contiguous,
                                        PIO_Offset length, int given, const PIO_Offset *start,
                                        const PIO_Offset *count, const void *values) {
  return callFile("PIO_put_var", ncid, [&](OpenFile &file) {
    Output &output = file.writable();
    FromFortran part{given, start, count};
    file.itsSystem().agree([&] {
      if (is_contiguous == 0) throw Failure(PIO_EINVAL, kHasGaps);
      const std::string what = "variable " + std::to_string(varid + 1) + ": ";
      if (start != nullptr) part.turn(what, output.dimensionCount(varid), true);
      output.checkArray(varid, type, length, part.countInC());
    });
    put(file, varid, part.startInC(), part.countInC(), values);
  });
}

FOR_FORTRAN int bundleio_pio_get_values(int ncid, int varid, int type, int is_contiguous,
                                        PIO_Offset length, int given, const PIO_Offset *start,
                                        const PIO_Offset *count, void *values) {
  return callFile("PIO_get_var", ncid, [&](OpenFile &file) {
    get(file, varid, values, [&](const Contents &contents) {
      const Contents::Variable &variable = contents.variable(varid);
      FromFortran asked{given, start, count};
      if (is_contiguous == 0) throw Failure(PIO_EINVAL, kHasGaps);
      if (start != nullptr) {
        asked.turn("variable '" + variable.name + "': ", variable.dimensions.size(), false);
      }
      Part part = partOf(contents, varid, asked.startInC(), asked.countInC());
      checkRoom(variable, part, type, length);
      return part;
    });
  });
}

}  // extern "C"
