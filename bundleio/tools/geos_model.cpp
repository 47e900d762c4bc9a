#include "geos_model.hpp"

#include <array>
#include <string>

namespace bundleio {

namespace {

struct Shape {
  const char* name;
  std::int64_t planes;
};
constexpr std::array<Shape, 7> shapes{{{"Moist", 1201},
                                       {"Tend", 1152},
                                       {"Dyn", 240},
                                       {"Surf", 160},
                                       {"Rad", 80},
                                       {"Turb", 60},
                                       {"Bud", 40}}};
constexpr std::int64_t levels = 72;

std::int64_t planesOf(const Shape& shape, std::int64_t percent) {
  return std::max<std::int64_t>(1, shape.planes * percent / 100);
}

Block ownBlock(const Communicator& comm, Grid grid) {
  const Grid ranks = rankGrid(comm.size());
  const std::int64_t row = comm.rank() / ranks.lon;
  const std::int64_t column = comm.rank() % ranks.lon;
  const std::int64_t lat = grid.lat * row / ranks.lat;
  const std::int64_t lon = grid.lon * column / ranks.lon;
  return {{lat, lon},
          {grid.lat * (row + 1) / ranks.lat - lat, grid.lon * (column + 1) / ranks.lon - lon}};
}

void putText(Schema& schema, int bundle, int variable, const char* name, const std::string& text) {
  schema.addAttribute(bundle, variable, name, BIO_TEXT, static_cast<std::int64_t>(text.size()),
                      text.data());
}

}  // namespace

Grid rankGrid(int ranks) {
  std::int64_t lat = 1;
  for (std::int64_t divisor = 1; divisor * divisor <= ranks; ++divisor) {
    if (ranks % divisor == 0) lat = divisor;
  }
  return {lat, ranks / lat};
}

GeosModel::GeosModel(const Communicator& comm, Grid grid, std::int64_t planesPercent)
    : percent_(planesPercent),
      grid_(grid),
      decomposition_(std::make_shared<const Decomposition>(
          Decomposition::block(comm, {grid.lat, grid.lon}, ownBlock(comm, grid)))) {}

void GeosModel::define(Run& run) {
  redefine(run);
  values_.resize(static_cast<std::size_t>(valueCount_));
  fillValues(run.schema());
}

void GeosModel::redefine(Run& run) {
  Schema& schema = run.definitions();
  fields_.clear();
  std::int64_t next = 0;
  for (const Shape& shape : shapes) {
    const int bundle = schema.addBundle(shape.name);
    putText(schema, bundle, BIO_GLOBAL, "Conventions", "CF-1.8");
    const int time = schema.addDimension(bundle, "time", BIO_UNLIMITED);
    const int lev = schema.addDimension(bundle, "lev", levels);
    const int lat = schema.addDimension(bundle, "lat", grid_.lat);
    const int lon = schema.addDimension(bundle, "lon", grid_.lon);
    std::int64_t left = planesOf(shape, percent_);
    for (int number = 0; left > 0; ++number) {
      const bool deep = left >= levels;
      const std::string name = std::string(shape.name) + "_" + std::to_string(number);
      const int variable = schema.addVariable(
          bundle, name, BIO_FLOAT32,
          deep ? std::vector<int>{time, lev, lat, lon} : std::vector<int>{time, lat, lon},
          decomposition_);
      putText(schema, bundle, variable, "long_name", "field " + name);
      putText(schema, bundle, variable, "units", "1");
      fields_.push_back({variable, next});
      next += schema.variable(variable).planeCount * decomposition_->own().cells();
      left -= deep ? levels : 1;
    }
  }
  valueCount_ = next;
}

// Values depend on the variable and the cell of the globe alone, so that runs with different
// numbers of ranks must give equal files.
void GeosModel::fillValues(const Schema& schema) {
  const Block& own = decomposition_->own();
  for (const Field& field : fields_) {
    float* value = values_.data() + field.firstValue;
    for (std::int64_t plane = 0; plane < schema.variable(field.variable).planeCount; ++plane) {
      for (std::int64_t lat = 0; lat < own.count[0]; ++lat) {
        for (std::int64_t lon = 0; lon < own.count[1]; ++lon) {
          const std::int64_t cell = (own.start[0] + lat) * grid_.lon + own.start[1] + lon;
          const auto mixed =
              static_cast<std::uint32_t>(cell + plane * 7919 + field.variable * 104729);
          *value++ = static_cast<float>(mixed * 1664525U >> 8U) * 1e-5F;
        }
      }
    }
  }
}

void GeosModel::writeStep(Run& run) {
  run.stepBegin();
  for (const Field& field : fields_) {
    run.put(field.variable, reinterpret_cast<const std::byte*>(values_.data() + field.firstValue));
  }
  run.stepEnd();
}

std::int64_t GeosModel::stepBytes() const {
  std::int64_t planes = 0;
  for (const Shape& shape : shapes) planes += planesOf(shape, percent_);
  return planes * grid_.lat * grid_.lon * static_cast<std::int64_t>(sizeof(float));
}

const float* GeosModel::values(int index) const {
  return values_.data() + fields_.at(static_cast<std::size_t>(index)).firstValue;
}

}  // namespace bundleio
