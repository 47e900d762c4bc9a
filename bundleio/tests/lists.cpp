// Prints what lists.c prints.
//   lists_cpp FOLDER [STEP]
#include <bundleio/bundleio.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

template <class T>
long long sum(const std::vector<T>& values) {
  std::vector<unsigned char> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  long long total = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    total += bytes[i] * static_cast<long long>(i % 251 + 1);
  }
  return total;
}

// Calls visit(T{}) for the type of this number.
template <class Visit>
long long withType(int type, Visit visit) {
  switch (type) {
    case BIO_INT8:
      return visit(std::int8_t{});
    case BIO_UINT8:
      return visit(std::uint8_t{});
    case BIO_INT16:
      return visit(std::int16_t{});
    case BIO_UINT16:
      return visit(std::uint16_t{});
    case BIO_INT32:
      return visit(std::int32_t{});
    case BIO_UINT32:
      return visit(std::uint32_t{});
    case BIO_INT64:
      return visit(std::int64_t{});
    case BIO_UINT64:
      return visit(std::uint64_t{});
    case BIO_FLOAT32:
      return visit(float{});
    default:
      return visit(double{});
  }
}

void printAttributes(const bio::Reader& reader, const std::string& bundle,
                     const std::string& variable) {
  for (const std::string& name : reader.attributes(bundle, variable)) {
    const bio::Shape shape = reader.attributeShape(bundle, variable, name);
    long long total = 0;
    if (shape.type == BIO_TEXT) {
      const std::string text = reader.text(bundle, variable, name);
      total = sum(std::vector<char>(text.begin(), text.end()));
    } else {
      total = withType(shape.type, [&](auto sample) {
        return sum(reader.attribute<decltype(sample)>(bundle, variable, name));
      });
    }
    std::printf("attribute %s/%s/%s: %d %lld %lld\n", bundle.c_str(), variable.c_str(),
                name.c_str(), shape.type, static_cast<long long>(shape.lengths[0]), total);
  }
}

void printVariable(bio::Reader& reader, const std::string& bundle, const std::string& variable) {
  const bio::Shape shape = reader.shape(bundle, variable);
  const std::vector<std::string> names = reader.dimensions(bundle, variable);
  bio::Extent start;
  bio::Extent count;
  std::printf("variable %s/%s: %d", bundle.c_str(), variable.c_str(), shape.type);
  for (std::size_t i = 0; i < names.size(); ++i) {
    start.push_back(shape.lengths[i] > 1 ? 1 : 0);
    count.push_back((shape.lengths[i] - start[i] + 1) / 2);
    std::printf(" %s=%lld", names[i].c_str(), static_cast<long long>(shape.lengths[i]));
  }
  std::printf(" %lld\n", withType(shape.type, [&](auto sample) {
                return sum(reader.slab<decltype(sample)>(bundle, variable, start, count,
                                                         bio::Extent(start.size(), 2)));
              }));
  printAttributes(reader, bundle, variable);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  MPI_Init(&argc, &argv);
  {
    const bio::Context context(MPI_COMM_WORLD);
    bio::Reader reader(context, argv[1], argc > 2 ? std::atoll(argv[2]) : BIO_LAST_STEP);
    for (const std::string& bundle : reader.bundles()) {
      for (const std::string& name : reader.dimensions(bundle)) {
        const bio::Length found = reader.dimension(bundle, name);
        std::printf("dimension %s/%s: %lld%s\n", bundle.c_str(), name.c_str(),
                    static_cast<long long>(found.length), found.isUnlimited ? " unlimited" : "");
      }
      printAttributes(reader, bundle, "");
      for (const std::string& name : reader.variables(bundle)) printVariable(reader, bundle, name);
    }
  }
  MPI_Finalize();
  return 0;
}
