// The C interface's readers: what a step holds, and its values.
#include <algorithm>
#include <cstring>

#include "c_handles.hpp"

namespace {

using namespace bundleio;

// Local, or collective where `work` is: what went wrong is not kept.
template <class Work>
int readerCall(const bio_reader* reader, Work&& work) {
  if (reader == nullptr) return noHandle("reader");
  return call(reader->context->message, std::forward<Work>(work));
}

const Bundle& bundleOf(const bio_reader* reader, const char* bundle) {
  checkGiven(bundle, "bundle");
  return reader->reader.find(bundle);
}

const Variable& variableOf(const bio_reader* reader, const char* bundle, const char* variable) {
  checkGiven(bundle, "bundle");
  checkGiven(variable, "variable");
  return reader->reader.find(bundle, variable);
}

// The bundle as a whole is meant, and no variable of it.
bool isGlobal(const char* variable) { return variable == nullptr || *variable == '\0'; }

std::vector<const Dimension*> dimensionsOf(const bio_reader* reader, const char* bundle,
                                           const char* variable) {
  const std::vector<Dimension>& all = bundleOf(reader, bundle).dimensions;
  std::vector<const Dimension*> found;
  if (isGlobal(variable)) {
    for (const Dimension& each : all) found.push_back(&each);
  } else {
    for (const int each : variableOf(reader, bundle, variable).dimensions) {
      found.push_back(&all.at(static_cast<std::size_t>(each)));
    }
  }
  return found;
}

const std::vector<Attribute>& attributesOf(const bio_reader* reader, const char* bundle,
                                           const char* variable) {
  return isGlobal(variable) ? bundleOf(reader, bundle).attributes
                            : variableOf(reader, bundle, variable).attributes;
}

template <class Item>
const Item& named(const std::vector<Item>& items, const std::string& name, const char* missing,
                  const std::string& owner) {
  std::string known;
  for (const Item& item : items) {
    if (item.name == name) return item;
    known += (known.empty() ? "" : ", ") + item.name;
  }
  throw Failure(BIO_NOT_FOUND, "'" + owner + "' has " + missing + " '" + name + "': it has " +
                                   (known.empty() ? "none" : known));
}

const Attribute& attributeOf(const bio_reader* reader, const char* bundle, const char* variable,
                             const char* name) {
  checkGiven(name, "name");
  const auto& attributes = attributesOf(reader, bundle, variable);
  const std::string owner =
      std::string(bundle) + (isGlobal(variable) ? "" : "/") + (isGlobal(variable) ? "" : variable);
  return named(attributes, name, "no attribute", owner);
}

// BIO_ANY as type is not compared.
void checkRoom(const std::string& what, Type type, int64_t count, int givenType, int64_t givenCount,
               const void* values) {
  if (givenType != BIO_ANY && !isType(givenType)) {
    throw Failure(BIO_BAD_ARGUMENT, what + ": type " + std::to_string(givenType) +
                                        " is none: the values must lie together in memory, and be "
                                        "of a type that can be stored");
  }
  if (givenType != BIO_ANY && givenType != type) {
    throw Failure(BIO_MISMATCH, what + " is of type " + std::string(infoOf(type).name) + ", not " +
                                    std::string(infoOf(static_cast<Type>(givenType)).name));
  }
  if (count != givenCount) {
    throw Failure(BIO_MISMATCH, what + ": " + std::to_string(count) +
                                    " values are asked for, but there is room for " +
                                    std::to_string(givenCount));
  }
  if (count > 0) checkGiven(values, "values");
}

}  // namespace

extern "C" {

int bio_read_open(bio_context* context, const char* path, int64_t step, const char* options,
                  bio_reader** reader) {
  if (context == nullptr) return noHandle("context");
  if (reader == nullptr) return noPlace(context, "reader");
  *reader = nullptr;
  return call(context->message, [&] {
    context->comm.agree(ContextCall::readOpen, [&] { checkGiven(path, "path"); });
    *reader =
        new bio_reader{context, {context->comm, path, step, options == nullptr ? "" : options}, {}};
    ++context->openRuns;
  });
}

int bio_read_step(const bio_reader* reader, int64_t* step) {
  if (reader == nullptr) return noHandle("reader");
  if (step == nullptr) return noPlace(reader->context, "step");
  *step = reader->reader.number();
  return BIO_OK;
}

int bio_read_shape(const bio_reader* reader, const char* bundle, const char* variable, int* type,
                   int* dimension_count, int64_t* lengths) {
  return readerCall(reader, [&] {
    checkGiven(type, "type");
    checkGiven(dimension_count, "dimension_count");
    const Variable& found = variableOf(reader, bundle, variable);
    const int room = std::exchange(*dimension_count, static_cast<int>(found.lengths.size()));
    if (room < *dimension_count) {
      throw Failure(BIO_MISMATCH, "variable '" + found.name + "' has " +
                                      std::to_string(*dimension_count) +
                                      " dimensions, but there is room for " + std::to_string(room));
    }
    if (*dimension_count > 0) checkGiven(lengths, "lengths");
    std::copy(found.lengths.begin(), found.lengths.end(), lengths);
    *type = found.type;
  });
}

int bio_read_names(bio_reader* reader, int list, const char* bundle, const char* variable,
                   int* count, const char* const** names) {
  return readerCall(reader, [&] {
    checkGiven(count, "count");
    checkGiven(names, "names");
    const Schema& schema = reader->reader.schema();
    std::vector<const char*> found;
    if (list == BIO_BUNDLES) {
      for (const Bundle& each : schema.bundles()) found.push_back(each.name.c_str());
    } else if (list == BIO_VARIABLES) {
      for (const int each : bundleOf(reader, bundle).variables) {
        found.push_back(schema.variable(each).name.c_str());
      }
    } else if (list == BIO_DIMENSIONS) {
      for (const Dimension* each : dimensionsOf(reader, bundle, variable)) {
        found.push_back(each->name.c_str());
      }
    } else if (list == BIO_ATTRIBUTES) {
      for (const Attribute& each : attributesOf(reader, bundle, variable)) {
        found.push_back(each.name.c_str());
      }
    } else {
      throw Failure(BIO_BAD_ARGUMENT, "list " + std::to_string(list) + " is none of bio_list");
    }
    reader->names = std::move(found);
    *count = static_cast<int>(reader->names.size());
    *names = reader->names.data();
  });
}

int bio_read_dim(const bio_reader* reader, const char* bundle, const char* dimension,
                 int64_t* length, int* unlimited) {
  return readerCall(reader, [&] {
    checkGiven(dimension, "dimension");
    checkGiven(length, "length");
    checkGiven(unlimited, "unlimited");
    const Dimension& found =
        named(bundleOf(reader, bundle).dimensions, dimension, "no dimension", bundle);
    *length = found.length;
    *unlimited = found.unlimited ? 1 : 0;
  });
}

int bio_read_att(const bio_reader* reader, const char* bundle, const char* variable,
                 const char* name, int* type, int64_t* count) {
  return readerCall(reader, [&] {
    checkGiven(type, "type");
    checkGiven(count, "count");
    const Attribute& found = attributeOf(reader, bundle, variable, name);
    *type = found.type;
    *count = found.count;
  });
}

int bio_get_att(const bio_reader* reader, const char* bundle, const char* variable,
                const char* name, int type, int64_t value_count, void* values) {
  return readerCall(reader, [&] {
    const Attribute& found = attributeOf(reader, bundle, variable, name);
    checkRoom("attribute '" + found.name + "'", found.type, found.count, type, value_count, values);
    if (found.count > 0) std::memcpy(values, found.bytes.data(), found.bytes.size());
  });
}

int bio_get_slab(bio_reader* reader, const char* bundle, const char* variable, int type,
                 int dimension_count, const int64_t* start, const int64_t* count,
                 const int64_t* stride, int64_t value_count, void* values) {
  return readerCall(reader, [&] {
    const Variable& found = variableOf(reader, bundle, variable);
    const std::string name = "variable '" + std::string(bundle) + "/" + found.name + "'";
    const std::size_t dimensions = found.lengths.size();
    if (dimension_count < 0 || static_cast<std::size_t>(dimension_count) != dimensions) {
      throw Failure(BIO_MISMATCH,
                    name + " has " + std::to_string(dimensions) +
                        " dimensions: start, count and stride need as many values, not " +
                        std::to_string(dimension_count));
    }
    Slab slab = Slab::whole(found);
    if (start != nullptr) slab.start.assign(start, start + dimensions);
    if (stride != nullptr) slab.stride.assign(stride, stride + dimensions);
    if (count != nullptr) {
      slab.count.assign(count, count + dimensions);
    } else {
      slab.reachEnd(found);
    }
    slab.check(found, name);
    checkRoom(name, found.type, slab.cells(), type, value_count, values);
    reader->reader.getSlab(found, slab, static_cast<std::byte*>(values));
  });
}

int bio_get(bio_reader* reader, const char* bundle, const char* variable, int type,
            int decomposition, int64_t value_count, void* values) {
  return readerCall(reader, [&] {
    reader->reader.get([&]() -> Request {
      checkGiven(bundle, "bundle");
      checkGiven(variable, "variable");
      return {bundle,      variable,
              type,        decompositionOf(*reader->context, decomposition),
              value_count, static_cast<std::byte*>(values)};
    });
  });
}

int bio_read_close(bio_reader* reader) {
  if (reader == nullptr) return noHandle("reader");
  const int status = call(reader->context->message, [&] { reader->reader.close(); });
  --reader->context->openRuns;
  delete reader;
  return status;
}

}  // extern "C"
