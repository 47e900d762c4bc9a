#include "exchange/file_parts.hpp"

#include <algorithm>
#include <map>

namespace bundleio {

namespace {

// So that values of every type lie where their type wants them.
constexpr std::size_t alignment = 8;

std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

// Windows of small files are not cut smaller.
constexpr std::int64_t leastBytes = 64 << 10;

// Where `part` lies in planes that hold `whole` densely.
class Selection {
 public:
  Selection(const Block& part, const Block& whole, std::int64_t planes, std::size_t cellBytes) {
    auto stride = static_cast<MPI_Aint>(cellBytes);
    MPI_Type_contiguous(static_cast<int>(cellBytes), MPI_BYTE, &type_);
    for (std::size_t dim = part.count.size(); dim-- > 0;) {
      offset_ += (part.start[dim] - whole.start[dim]) * stride;
      repeat(part.count[dim], stride);
      stride *= whole.count[dim];
    }
    repeat(planes, stride);
    MPI_Type_commit(&type_);
  }
  ~Selection() { MPI_Type_free(&type_); }
  Selection(const Selection&) = delete;
  Selection& operator=(const Selection&) = delete;

  [[nodiscard]] std::int64_t offset() const { return offset_; }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

 private:
  void repeat(std::int64_t count, MPI_Aint stride) {
    if (count == 1) return;
    MPI_Datatype longer = MPI_DATATYPE_NULL;
    MPI_Type_create_hvector(static_cast<int>(count), 1, stride, type_, &longer);
    MPI_Type_free(&type_);
    type_ = longer;
  }

  std::int64_t offset_ = 0;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace

FileParts::FileParts(const Step& step, const FileGroups& groups, const std::vector<Piece>& pieces,
                     Windows windows)
    : step_(step), groups_(groups), pieces_(pieces), windows_(windows), planes_(step) {
  rewind();
  std::size_t most = 0;
  while (plan()) {
    most = std::max(most, usedBytes_);
    planes_.measure(neededPlanes());
  }
  rewind();
  // Not touched before they are used.
  step.comm.agree([&] { memory_.reset(new std::byte[most]); });
  planes_.reserve();
}

// Pieces come in the order of bundles.
void FileParts::rewind() {
  progress_.assign(step_.schema.bundles().size(), {});
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    Progress& progress = progress_[static_cast<std::size_t>(variableOf(pieces_[i]).bundle)];
    if (progress.end == 0) progress.piece = i;
    progress.end = i + 1;
  }
}

bool FileParts::next() {
  if (!plan()) return false;
  const std::vector<PlaneRange> needed = neededPlanes();
  planes_.load(needed);
  planes_.sum(needed);
  listOwnBoxes();
  const Meter::Lap lap(step_.meter.part("plane exchange"));
  exchange();
  listSlabs();
  return true;
}

// Files into which all ranks write come one after the other, then all others at the same time.
bool FileParts::plan() {
  slabs_.clear();
  parts_.clear();
  ownPlanes_.clear();
  usedBytes_ = 0;
  for (std::size_t i = 0; i < progress_.size(); ++i) {
    if (groups_.isExchanged(static_cast<int>(i)) || progress_[i].piece == progress_[i].end)
      continue;
    takeOwnBoxes(progress_[i]);
    return true;
  }
  for (std::size_t i = 0; i < progress_.size(); ++i) {
    if (progress_[i].piece < progress_[i].end) takeSlabs(static_cast<int>(i), progress_[i]);
  }
  return !slabs_.empty();
}

void FileParts::takeOwnBoxes(Progress& progress) {
  std::int64_t bytesLeft = windows_.bytes;
  do {
    const Piece& piece = pieces_[progress.piece];
    const Variable& variable = variableOf(piece);
    std::int64_t cellsMax = 1;
    for (const Block& box : variable.decomposition->blocks()) {
      cellsMax = std::max(cellsMax, box.cells());
    }
    const std::int64_t planeBytes = cellsMax * static_cast<std::int64_t>(bytesOf(variable.type));
    std::int64_t planes = piece.planes - progress.takenPlanes;
    if (!windows_.areWholePieces) {
      planes = std::clamp<std::int64_t>(bytesLeft / planeBytes, 1, planes);
    }
    ownPlanes_.push_back({&piece, piece.firstPlane + progress.takenPlanes, planes});
    bytesLeft -= planes * planeBytes;
    progress.takenPlanes += planes;
    if (progress.takenPlanes == piece.planes) {
      ++progress.piece;
      progress.takenPlanes = 0;
    }
  } while (progress.piece < progress.end && !windows_.areWholePieces && bytesLeft > 0);
}

void FileParts::listOwnBoxes() {
  for (const PlaneRange& range : ownPlanes_) {
    const Variable& variable = variableOf(*range.piece);
    const std::byte* values = planes_.at(*range.piece, range.first);
    for (Hyperslab& slab : collectiveHyperslabs(step_.comm, variable, variable.decomposition->own(),
                                                range.first, range.planes)) {
      const std::size_t bytes = variable.ownPlaneBytes() > 0 ? slabBytes(slab, variable.type) : 0;
      parts_.push_back({range.piece->variable, std::move(slab), values, bytes});
      values += bytes;
    }
  }
}

// A plane of which several slabs are parts is needed once.
std::vector<PlaneRange> FileParts::neededPlanes() const {
  std::vector<PlaneRange> needed = ownPlanes_;
  for (const Slab& slab : slabs_) {
    if (needed.empty() || needed.back().piece != slab.piece) {
      needed.push_back({slab.piece, slab.firstPlane, 0});
    }
    needed.back().planes = slab.firstPlane + slab.planes - needed.back().first;
  }
  return needed;
}

// In proportion to the bundle's bytes, so that all end together.
void FileParts::takeSlabs(int bundle, Progress& progress) {
  const std::size_t first = slabs_.size();
  const int writers = groups_.writers(bundle);
  auto bytesLeft =
      static_cast<std::int64_t>(static_cast<double>(windows_.bytes) * groups_.share(bundle));
  std::int64_t bytesMax = std::max(leastBytes, bytesLeft / writers);
  do {
    const Piece& piece = pieces_[progress.piece];
    if (windows_.areWholePieces) {
      const Variable& variable = variableOf(piece);
      bytesMax =
          std::max(bytesMax, variable.bytes() / variable.planeCount * piece.planes / writers);
    }
    if (progress.untaken.empty()) progress.untaken = slabsOf(piece, bytesMax);
    do {
      slabs_.push_back(slabOf(piece, progress.untaken.back()));
      progress.untaken.pop_back();
      bytesLeft -= slabs_.back().bytes;
    } while (!progress.untaken.empty() && (windows_.areWholePieces || bytesLeft > 0));
    if (progress.untaken.empty()) ++progress.piece;
  } while (progress.piece < progress.end && !windows_.areWholePieces && bytesLeft > 0);
  assignWriters(bundle, first);
}

FileParts::Slab FileParts::slabOf(const Piece& piece, const Hyperslab& inFile) const {
  const Variable& variable = variableOf(piece);
  Slab slab{&piece, inFile, 0, 1, {}, 0, 0, 0};
  for (std::size_t dim = 0; dim < variable.leadingCount; ++dim) {
    slab.firstPlane =
        slab.firstPlane * variable.lengths[dim] + static_cast<std::int64_t>(inFile.start[dim]);
    slab.planes *= static_cast<std::int64_t>(inFile.count[dim]);
  }
  const auto leading = static_cast<std::ptrdiff_t>(variable.leadingCount);
  slab.box = {Extent(inFile.start.begin() + leading, inFile.start.end()),
              Extent(inFile.count.begin() + leading, inFile.count.end())};
  slab.bytes = static_cast<std::int64_t>(slabBytes(inFile, variable.type));
  return slab;
}

// Each lies together in the file. The next to be taken comes last.
std::vector<Hyperslab> FileParts::slabsOf(const Piece& piece, std::int64_t bytesMax) const {
  const Variable& variable = variableOf(piece);
  const Extent& lengths = variable.decomposition->lengths();
  const std::int64_t cells =
      std::min(bytesMax, collectiveBytesMax) / static_cast<std::int64_t>(bytesOf(variable.type));
  const Block everything{Extent(lengths.size(), 0), lengths};
  std::vector<Hyperslab> slabs;
  for (const Hyperslab& run : hyperslabs(variable, everything, piece.firstPlane, piece.planes)) {
    const auto parts = cut(run, static_cast<std::size_t>(cells));
    slabs.insert(slabs.end(), parts.begin(), parts.end());
  }
  std::reverse(slabs.begin(), slabs.end());
  return slabs;
}

// Equal shares of the bundle's slabs, in the file's order, so that what a rank writes lies
// together.
void FileParts::assignWriters(int bundle, std::size_t first) {
  std::int64_t total = 0;
  for (std::size_t i = first; i < slabs_.size(); ++i) total += slabs_[i].bytes;
  std::int64_t before = 0;
  for (std::size_t i = first; i < slabs_.size(); ++i) {
    Slab& slab = slabs_[i];
    const double middle = static_cast<double>(before) + static_cast<double>(slab.bytes) / 2;
    const double place = middle / static_cast<double>(total) * groups_.writers(bundle);
    slab.writer = groups_.writer(bundle, static_cast<int>(place));
    before += slab.bytes;
    if (slab.writer != step_.comm.rank()) continue;
    slab.offset = usedBytes_;
    usedBytes_ += aligned(static_cast<std::size_t>(slab.bytes));
  }
}

void FileParts::exchange() const {
  std::vector<MPI_Request> requests;
  for (const Slab& slab : slabs_) {
    if (slab.writer == step_.comm.rank()) receive(slab, requests);
  }
  for (const Slab& slab : slabs_) send(slab, requests);
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

void FileParts::receive(const Slab& slab, std::vector<MPI_Request>& requests) const {
  const Variable& variable = variableOf(*slab.piece);
  std::byte* values = memory_.get() + slab.offset;
  if (variable.decomposition->hasHoles()) {
    variable.fillCells(slab.bytes / static_cast<std::int64_t>(bytesOf(variable.type)), values);
  }
  const RankBoxes& boxes = variable.decomposition->blocks();
  for (std::size_t rank = 0; rank < boxes.size(); ++rank) {
    const Block common = intersection(boxes[rank], slab.box);
    if (common.cells() == 0) continue;
    const Selection into(common, slab.box, slab.planes, bytesOf(variable.type));
    MPI_Irecv(values + into.offset(), 1, into.type(), static_cast<int>(rank), 0,
              step_.comm.handle(), &requests.emplace_back(MPI_REQUEST_NULL));
  }
}

// Messages of one rank to another arrive in the order of slabs, which both know. Synchronous: a
// rank that receives nothing would run ahead, and its values pile up where they are not awaited
// yet.
void FileParts::send(const Slab& slab, std::vector<MPI_Request>& requests) const {
  const Variable& variable = variableOf(*slab.piece);
  const Block& own = variable.decomposition->own();
  const Block common = intersection(own, slab.box);
  if (common.cells() == 0) return;
  const std::byte* values = planes_.at(*slab.piece, slab.firstPlane);
  const std::size_t cellBytes = bytesOf(variable.type);
  const Selection from(common, own, slab.planes, cellBytes);
  MPI_Issend(values + from.offset(), 1, from.type(), slab.writer, 0, step_.comm.handle(),
             &requests.emplace_back(MPI_REQUEST_NULL));
  if (slab.writer == step_.comm.rank()) return;
  ++step_.meter.counters.messages;
  step_.meter.counters.messageBytes +=
      slab.planes * common.cells() * static_cast<std::int64_t>(cellBytes);
}

// As many parts of each variable on every rank that opens the file as the writer with most has.
void FileParts::listSlabs() {
  for (std::size_t first = 0; first < slabs_.size();) {
    const int variable = slabs_[first].piece->variable;
    const std::size_t before = parts_.size();
    std::map<int, std::size_t> counts;
    std::size_t most = 0;
    std::size_t end = first;
    for (; end < slabs_.size() && slabs_[end].piece->variable == variable; ++end) {
      const Slab& slab = slabs_[end];
      most = std::max(most, ++counts[slab.writer]);
      if (slab.writer != step_.comm.rank()) continue;
      parts_.push_back({variable, slab.inFile, memory_.get() + slab.offset,
                        static_cast<std::size_t>(slab.bytes)});
    }
    if (groups_.isMember(step_.schema.variable(variable).bundle)) {
      const std::vector<std::size_t> none(slabs_[first].inFile.start.size(), 0);
      parts_.resize(before + most, {variable, {none, none}, nullptr, 0});
    }
    first = end;
  }
}

}  // namespace bundleio
