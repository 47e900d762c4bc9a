// The C interface's times: what CF wants of a run, and dates.
#include "c_handles.hpp"
#include "model/calendar.hpp"

namespace {

using namespace bundleio;

constexpr const char* boundsDimension = "bnds";

TimeUnits unitsOf(const char* units, const char* calendar) {
  checkGiven(units, "units");
  checkGiven(calendar, "calendar");
  return {units, calendarNamed(calendar)};
}

void addText(Schema& schema, int bundle, int variable, const char* name, const std::string& text) {
  schema.addAttribute(bundle, variable, name, BIO_TEXT, static_cast<int64_t>(text.size()),
                      text.data());
}

// Several times of a bundle share it.
int boundsDimensionOf(Schema& schema, int bundle) {
  const auto& dimensions = schema.bundles().at(static_cast<std::size_t>(bundle)).dimensions;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    if (dimensions[i].name == boundsDimension && dimensions[i].length == 2) {
      return static_cast<int>(i);
    }
  }
  return schema.addDimension(bundle, boundsDimension, 2);
}

const std::string& nameOfDimension(const Schema& schema, int bundle, int dimension) {
  const auto& bundles = schema.bundles();
  if (bundle < 0 || static_cast<std::size_t>(bundle) >= bundles.size()) {
    throw Failure(BIO_BAD_ARGUMENT, "bundle " + std::to_string(bundle) + " is not defined");
  }
  const auto& dimensions = bundles[static_cast<std::size_t>(bundle)].dimensions;
  if (dimension < 0 || static_cast<std::size_t>(dimension) >= dimensions.size()) {
    throw Failure(BIO_BAD_ARGUMENT, "dimension " + std::to_string(dimension) + " is not defined");
  }
  return dimensions[static_cast<std::size_t>(dimension)].name;
}

}  // namespace

extern "C" {

int bio_def_time(bio_run* run, int bundle, int dimension, const char* units, const char* calendar,
                 int* time, int* bounds) {
  return localCall(run, [&](Run& target) {
    checkGiven(time, "time");
    (void)unitsOf(units, calendar);
    Schema& schema = target.definitions();
    const std::string name = nameOfDimension(schema, bundle, dimension);
    *time = schema.addVariable(bundle, name, BIO_FLOAT64, {dimension}, nullptr);
    addText(schema, bundle, *time, "standard_name", "time");
    addText(schema, bundle, *time, "long_name", "time");
    addText(schema, bundle, *time, "axis", "T");
    addText(schema, bundle, *time, "units", units);
    addText(schema, bundle, *time, "calendar", calendar);
    if (bounds == nullptr) return;
    const int both = boundsDimensionOf(schema, bundle);
    // CF: the bounds have the attributes of what they bound, and need none of their own.
    *bounds = schema.addVariable(bundle, name + "_bnds", BIO_FLOAT64, {dimension, both}, nullptr);
    addText(schema, bundle, *time, "bounds", name + "_bnds");
  });
}

int bio_time_value(bio_context* context, const char* units, const char* calendar,
                   const bio_date* date, double* value) {
  if (context == nullptr) return noHandle("context");
  return call(context->message, [&] {
    checkGiven(date, "date");
    checkGiven(value, "value");
    *value = unitsOf(units, calendar).valueOf(*date);
  });
}

int bio_time_date(bio_context* context, const char* units, const char* calendar, double value,
                  bio_date* date) {
  if (context == nullptr) return noHandle("context");
  return call(context->message, [&] {
    checkGiven(date, "date");
    *date = unitsOf(units, calendar).dateOf(value);
  });
}

}  // extern "C"
