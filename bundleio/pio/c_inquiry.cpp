// PIO's inquiries in C. Any argument for an answer may be null.
#include <pio.h>

#include <cstdint>
#include <cstring>

#include "handles.hpp"

using namespace bundleio_pio;

namespace {

template <class Value, class Given>
void answer(Value *place, Given value) {
  if (place != nullptr) *place = static_cast<Value>(value);
}

// A model's place has room for PIO_MAX_NAME characters; what a file holds may be longer.
void answerText(char *place, const std::string &text) {
  if (place == nullptr) return;
  if (text.size() > PIO_MAX_NAME) {
    throw Failure(PIO_EINVAL,
                  "name '" + text.substr(0, 40) + "...' has " + std::to_string(text.size()) +
                      " characters: a model has room for " + std::to_string(PIO_MAX_NAME));
  }
  std::memcpy(place, text.c_str(), text.size() + 1);
}

template <class Work>
int inquire(const char *call, int ncid, Work &&work) {
  return callFile(call, ncid, [&](OpenFile &file) { work(file.contents()); });
}

[[noreturn]] void wrongType(const char *name) {
  throw Failure(PIO_EBADTYPE, std::string("attribute '") + name +
                                  "' is of another type than the values: bundleio converts "
                                  "nothing");
}

// `taken` is the type of the model's values; PIO_NAT: that of the attribute.
int getAttribute(const char *call, int ncid, int varid, const char *name, int taken, void *values) {
  return inquire(call, ncid, [&](const Contents &contents) {
    const Contents::Attribute &found = contents.attribute(varid, name);
    if (taken != PIO_NAT && taken != found.pioType) wrongType(name);
    if (!found.values.empty()) std::memcpy(values, found.values.data(), found.values.size());
  });
}

}  // namespace

extern "C" {

// For Fortran, whose values have a type and a length: a text is as long as its variable, with
// blanks behind.
FOR_FORTRAN int bundleio_pio_get_att(int ncid, int varid, const char *name, int type,
                                     PIO_Offset room, void *values) {
  return inquire("PIO_get_att", ncid, [&](const Contents &contents) {
    const Contents::Attribute &found = contents.attribute(varid, name);
    if (found.pioType != type) wrongType(name);
    if (found.count > room) {
      throw Failure(PIO_EINVAL, std::string("attribute '") + name + "' has " +
                                    std::to_string(found.count) + " values: there is room for " +
                                    std::to_string(room));
    }
    if (type == PIO_CHAR) std::memset(values, ' ', static_cast<size_t>(room));
    if (!found.values.empty()) std::memcpy(values, found.values.data(), found.values.size());
  });
}

// For Fortran's default integers, which end at 2^31 - 1.
FOR_FORTRAN int bundleio_pio_inq_dimlen(int ncid, int dimid, int *lenp) {
  return inquire("PIO_inq_dimlen", ncid, [&](const Contents &contents) {
    const Contents::Dimension &found = contents.dimension(dimid);
    if (found.length > INT32_MAX) {
      throw Failure(PIO_EINVAL, "dimension '" + found.name + "' has " +
                                    std::to_string(found.length) +
                                    " entries, more than a default integer counts: ask for an "
                                    "integer of kind PIO_OFFSET_KIND");
    }
    *lenp = static_cast<int>(found.length);
  });
}

int PIOc_inq(int ncid, int *ndimsp, int *nvarsp, int *ngattsp, int *unlimdimidp) {
  return inquire("PIOc_inq", ncid, [&](const Contents &contents) {
    answer(ndimsp, contents.dimensions.size());
    answer(nvarsp, contents.variables.size());
    answer(ngattsp, contents.attributes.size());
    answer(unlimdimidp, contents.unlimited());
  });
}

int PIOc_inq_ndims(int ncid, int *ndimsp) { return PIOc_inq(ncid, ndimsp, NULL, NULL, NULL); }

int PIOc_inq_nvars(int ncid, int *nvarsp) { return PIOc_inq(ncid, NULL, nvarsp, NULL, NULL); }

int PIOc_inq_natts(int ncid, int *ngattsp) { return PIOc_inq(ncid, NULL, NULL, ngattsp, NULL); }

int PIOc_inq_unlimdim(int ncid, int *unlimdimidp) {
  return PIOc_inq(ncid, NULL, NULL, NULL, unlimdimidp);
}

int PIOc_inq_dim(int ncid, int dimid, char *name, PIO_Offset *lenp) {
  return inquire("PIOc_inq_dim", ncid, [&](const Contents &contents) {
    answerText(name, contents.dimension(dimid).name);
    answer(lenp, contents.dimension(dimid).length);
  });
}

int PIOc_inq_dimname(int ncid, int dimid, char *name) {
  return PIOc_inq_dim(ncid, dimid, name, NULL);
}

int PIOc_inq_dimlen(int ncid, int dimid, PIO_Offset *lenp) {
  return PIOc_inq_dim(ncid, dimid, NULL, lenp);
}

int PIOc_inq_dimid(int ncid, const char *name, int *idp) {
  return inquire("PIOc_inq_dimid", ncid,
                 [&](const Contents &contents) { answer(idp, contents.dimensionNamed(name)); });
}

int PIOc_inq_varid(int ncid, const char *name, int *varidp) {
  return inquire("PIOc_inq_varid", ncid,
                 [&](const Contents &contents) { answer(varidp, contents.variableNamed(name)); });
}

int PIOc_inq_var(int ncid, int varid, char *name, int *xtypep, int *ndimsp, int *dimidsp,
                 int *nattsp) {
  return inquire("PIOc_inq_var", ncid, [&](const Contents &contents) {
    const Contents::Variable &found = contents.variable(varid);
    answerText(name, found.name);
    answer(xtypep, found.pioType);
    answer(ndimsp, found.dimensions.size());
    answer(nattsp, found.attributes.size());
    for (size_t i = 0; dimidsp != nullptr && i < found.dimensions.size(); ++i)
      dimidsp[i] = found.dimensions[i];
  });
}

int PIOc_inq_varname(int ncid, int varid, char *name) {
  return PIOc_inq_var(ncid, varid, name, NULL, NULL, NULL, NULL);
}

int PIOc_inq_vartype(int ncid, int varid, int *xtypep) {
  return PIOc_inq_var(ncid, varid, NULL, xtypep, NULL, NULL, NULL);
}

int PIOc_inq_varndims(int ncid, int varid, int *ndimsp) {
  return PIOc_inq_var(ncid, varid, NULL, NULL, ndimsp, NULL, NULL);
}

int PIOc_inq_vardimid(int ncid, int varid, int *dimidsp) {
  return PIOc_inq_var(ncid, varid, NULL, NULL, NULL, dimidsp, NULL);
}

int PIOc_inq_varnatts(int ncid, int varid, int *nattsp) {
  return PIOc_inq_var(ncid, varid, NULL, NULL, NULL, NULL, nattsp);
}

int PIOc_inq_att(int ncid, int varid, const char *name, int *xtypep, PIO_Offset *lenp) {
  return inquire("PIOc_inq_att", ncid, [&](const Contents &contents) {
    answer(xtypep, contents.attribute(varid, name).pioType);
    answer(lenp, contents.attribute(varid, name).count);
  });
}

int PIOc_inq_attlen(int ncid, int varid, const char *name, PIO_Offset *lenp) {
  return PIOc_inq_att(ncid, varid, name, NULL, lenp);
}

int PIOc_inq_attname(int ncid, int varid, int attnum, char *name) {
  return inquire("PIOc_inq_attname", ncid, [&](const Contents &contents) {
    const auto &all = contents.attributesOf(varid);
    if (attnum < 0 || static_cast<size_t>(attnum) >= all.size())
      throw Failure(PIO_ENOTATT, "there is no attribute " + std::to_string(attnum));
    answerText(name, all[static_cast<size_t>(attnum)].name);
  });
}

int PIOc_get_att(int ncid, int varid, const char *name, void *ip) {
  return getAttribute("PIOc_get_att", ncid, varid, name, PIO_NAT, ip);
}

int PIOc_get_att_text(int ncid, int varid, const char *name, char *ip) {
  return getAttribute("PIOc_get_att_text", ncid, varid, name, PIO_CHAR, ip);
}

int PIOc_get_att_int(int ncid, int varid, const char *name, int *ip) {
  return getAttribute("PIOc_get_att_int", ncid, varid, name, PIO_INT, ip);
}

int PIOc_get_att_float(int ncid, int varid, const char *name, float *ip) {
  return getAttribute("PIOc_get_att_float", ncid, varid, name, PIO_REAL, ip);
}

int PIOc_get_att_double(int ncid, int varid, const char *name, double *ip) {
  return getAttribute("PIOc_get_att_double", ncid, varid, name, PIO_DOUBLE, ip);
}

}  // extern "C"
