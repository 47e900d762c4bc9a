#include "backends/hdf5_storage.hpp"

#include <algorithm>

#include "model/status.hpp"

namespace bundleio {

namespace {

// Own: HDF5 1.10 goes through all chunks of a dataset to find one. A million takes it some tenths
// of a second.
constexpr hsize_t looksMax = 1000000;

using Places = std::vector<hsize_t>;

// From `start` to `end`, without it, in each dimension.
struct Box {
  Places start;
  Places end;
};

// The part of a box that lies in a chunk, as runs of the chunk's bytes, which begin at `at`.
void addRuns(const Box& box, const Places& chunk, std::int64_t elementBytes, std::int64_t at,
             std::vector<FileRange>& ranges) {
  const std::size_t dims = chunk.size();
  std::vector<std::int64_t> strides(dims, elementBytes);
  for (std::size_t dim = dims - 1; dim > 0; --dim)
    strides[dim - 1] = strides[dim] * static_cast<std::int64_t>(chunk[dim]);
  // Dimensions behind this one are covered from end to end.
  std::size_t run = dims - 1;
  while (run > 0 && box.start[run] == 0 && box.end[run] == chunk[run]) --run;
  const std::int64_t bytes =
      static_cast<std::int64_t>(box.end[run] - box.start[run]) * strides[run];
  Places place = box.start;
  for (;;) {
    std::int64_t start = at;
    for (std::size_t dim = 0; dim <= run; ++dim)
      start += static_cast<std::int64_t>(place[dim]) * strides[dim];
    ranges.push_back({start, bytes});
    std::size_t dim = run;
    for (; dim > 0; --dim) {
      if (++place[dim - 1] < box.end[dim - 1]) break;
      place[dim - 1] = box.start[dim - 1];
    }
    if (dim == 0) return;
  }
}

// A dataset whose values lie in chunks: what of `wanted` lies where.
class ChunkedDataset {
 public:
  ChunkedDataset(hid_t id, hid_t plan, hid_t space, hid_t type)
      : id_(id),
        lengths_(static_cast<std::size_t>(std::max(1, H5Sget_simple_extent_ndims(space)))),
        chunk_(lengths_.size()),
        elementBytes_(static_cast<std::int64_t>(H5Tget_size(type))),
        isFiltered_(H5Pget_nfilters(plan) > 0) {
    H5Sget_simple_extent_dims(space, lengths_.data(), nullptr);
    H5Pget_chunk(plan, static_cast<int>(chunk_.size()), chunk_.data());
  }

  [[nodiscard]] const Places& lengths() const { return lengths_; }

  void addTo(std::vector<FileRange>& ranges, const Box& wanted) const {
    const hsize_t first = wanted.start[0] / chunk_[0] * chunk_[0];
    const hsize_t all = chunksBetween(0, lengths_[0]);
    if (all > 0 && chunksBetween(first, wanted.end[0]) > looksMax / all) return;
    forChunks(lengths_, chunk_, first, wanted.end[0], [&](const Places& place) {
      unsigned mask = 0;
      haddr_t start = HADDR_UNDEF;
      hsize_t bytes = 0;
      if (H5Dget_chunk_info_by_coord(id_, place.data(), &mask, &start, &bytes) < 0 ||
          start == HADDR_UNDEF) {
        return;
      }
      const auto at = static_cast<std::int64_t>(start);
      // What went through a filter was written whole.
      if (isFiltered_) {
        ranges.push_back({at, static_cast<std::int64_t>(bytes)});
      } else {
        addRuns(partIn(place, wanted), chunk_, elementBytes_, at, ranges);
      }
    });
  }

 private:
  [[nodiscard]] hsize_t chunksBetween(hsize_t first, hsize_t end) const {
    hsize_t count = end > first ? (end - first + chunk_[0] - 1) / chunk_[0] : 0;
    for (std::size_t dim = 1; dim < chunk_.size(); ++dim)
      count *= (lengths_[dim] + chunk_[dim] - 1) / chunk_[dim];
    return count;
  }
  // Counted from the beginning of the chunk.
  [[nodiscard]] Box partIn(const Places& place, const Box& wanted) const {
    Box part{place, place};
    for (std::size_t dim = 0; dim < place.size(); ++dim) {
      part.start[dim] = std::max(place[dim], wanted.start[dim]) - place[dim];
      part.end[dim] = std::min(place[dim] + chunk_[dim], wanted.end[dim]) - place[dim];
    }
    return part;
  }

  hid_t id_;
  Places lengths_;
  Places chunk_;
  std::int64_t elementBytes_;
  bool isFiltered_;
};

// A variable with the name of a dimension that is not its own has another one in HDF5.
std::string nameIn(hid_t file, const std::string& name) {
  const std::string other = "_nc4_non_coord_" + name;
  return H5Lexists(file, other.c_str(), H5P_DEFAULT) > 0 ? other : name;
}

}  // namespace

Hdf5Handle::Hdf5Handle(hid_t id, herr_t (*close)(hid_t), const std::string& what)
    : id_(id), close_(close) {
  if (id_ < 0) throw Failure(BIO_FORMAT, "HDF5 cannot " + what);
}

void forChunks(const std::vector<hsize_t>& lengths, const std::vector<hsize_t>& chunk,
               hsize_t first, hsize_t end,
               const std::function<void(const std::vector<hsize_t>& place)>& take) {
  if (std::any_of(lengths.begin(), lengths.end(), [](hsize_t length) { return length == 0; }))
    return;
  std::vector<hsize_t> place(lengths.size(), 0);
  place[0] = first;
  while (place[0] < std::min(end, lengths[0])) {
    take(place);
    std::size_t dim = lengths.size() - 1;
    for (; dim > 0; --dim) {
      place[dim] += chunk[dim];
      if (place[dim] < lengths[dim]) break;
      place[dim] = 0;
    }
    if (dim == 0) place[0] += chunk[0];
  }
}

std::vector<FileRange> storedRanges(const std::filesystem::path& path, const Step& step,
                                    const Bundle& bundle) {
  std::vector<FileRange> ranges;
  const std::string in = " in " + path.string();
  const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose,
                        "open " + path.string());
  for (const int index : bundle.variables) {
    const Variable& variable = step.schema.variable(index);
    if (step.isThere(variable) || variable.bytes() == 0) continue;
    const std::string name = nameIn(file.id(), variable.name);
    const Hdf5Handle data(H5Dopen2(file.id(), name.c_str(), H5P_DEFAULT), H5Dclose,
                          "open '" + name + "'" + in);
    const Hdf5Handle plan(H5Dget_create_plist(data.id()), H5Pclose, "look at storage" + in);
    if (H5Pget_layout(plan.id()) == H5D_CONTIGUOUS) {
      const haddr_t start = H5Dget_offset(data.id());
      if (start == HADDR_UNDEF) continue;
      ranges.push_back({static_cast<std::int64_t>(start),
                        static_cast<std::int64_t>(H5Dget_storage_size(data.id()))});
    }
    if (H5Pget_layout(plan.id()) != H5D_CHUNKED) continue;
    const Hdf5Handle space(H5Dget_space(data.id()), H5Sclose, "look at a shape" + in);
    const Hdf5Handle type(H5Dget_type(data.id()), H5Tclose, "look at a type" + in);
    const ChunkedDataset dataset(data.id(), plan.id(), space.id(), type.id());
    Box wanted{Places(dataset.lengths().size(), 0), dataset.lengths()};
    if (step.isRecord(variable)) {
      wanted.start[0] = static_cast<hsize_t>(step.record);
      wanted.end[0] = wanted.start[0] + 1;
    }
    dataset.addTo(ranges, wanted);
  }
  return ranges;
}

}  // namespace bundleio
