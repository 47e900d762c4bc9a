// PIO's calls in C over the classes of this folder: numbers become objects, and failures codes.
#include <pio.h>

#include <cstdio>
#include <cstring>

#include "handles.hpp"
#include "place.hpp"

using namespace bundleio_pio;

namespace {

constexpr int kModesKnown = PIO_NOCLOBBER | PIO_64BIT_DATA | PIO_64BIT_OFFSET;

void checkHandler(int method) {
  if (method != PIO_INTERNAL_ERROR && method != PIO_BCAST_ERROR && method != PIO_RETURN_ERROR) {
    throw Failure(PIO_EINVAL, "error handler " + std::to_string(method) + " is none of PIO's");
  }
}

int decompose(const char *call, int iosysid, int type, int ndims, const int *lengths, int count,
              const PIO_Offset *cells, int *id, const PIO_Offset *start, const PIO_Offset *part,
              int first) {
  return callSystem(call, iosysid, [&](System &system) {
    if (start != nullptr || part != nullptr) {
      throw Failure(PIO_EINVAL,
                    "iostart and iocount are not there: bundleio chooses what a rank writes");
    }
    typeOf(type);
    if (ndims < 1 || count < 0)
      throw Failure(PIO_EINVAL,
                    "a decomposition has one dimension at least, and no negative number of cells");
    *id =
        system.decompose(type, std::vector<int64_t>(lengths, lengths + ndims), cells, count, first);
  });
}

void checkAttributeType(const char *name, int given, int taken) {
  if (given != taken) {
    throw Failure(PIO_EBADTYPE, std::string("attribute '") + name +
                                    "': the type of the file must be that of the values");
  }
}

int putAttribute(const char *call, int ncid, int varid, const char *name, int type, int taken,
                 PIO_Offset count, const void *values) {
  return callFile(call, ncid, [&](OpenFile &file) {
    checkAttributeType(name, type, taken);
    file.writable().attribute(varid, name, type, count, values);
  });
}

}  // namespace

extern "C" {
int PIOc_Init_Intracomm(MPI_Comm comm, int io_tasks, int stride, int, int rearr, int *iosysidp) {
  const auto refuse = [](int code, const char *why) {
    return settleWithoutSystem("PIOc_Init_Intracomm", code, why);
  };
  if (rearr != PIO_REARR_BOX && rearr != PIO_REARR_SUBSET)
    return refuse(PIO_EBADREARR, "the rearranger is neither PIO_REARR_BOX nor PIO_REARR_SUBSET");
  if (io_tasks < 1 || stride < 1)
    return refuse(PIO_EINVAL, "there must be one I/O task at least, and a stride of 1 at least");
  try {
    *iosysidp = addSystem(std::make_unique<System>(comm, io_tasks, firstHandler));
    return PIO_NOERR;
  } catch (const Failure &failure) {
    return refuse(failure.code, failure.what());
  }
}

// For Fortran, whose communicators are numbers.
FOR_FORTRAN int bundleio_pio_init(MPI_Fint comm, int io_tasks, int stride, int rearr,
                                  int *iosysidp) {
  return PIOc_Init_Intracomm(MPI_Comm_f2c(comm), io_tasks, stride, 0, rearr, iosysidp);
}

int PIOc_free_iosystem(int iosysid) {
  const int code =
      callSystem("PIOc_free_iosystem", iosysid, [](System &system) { system.finish(); });
  if (code == PIO_NOERR) removeSystem(iosysid);
  return code;
}

int PIOc_finalize(int iosysid) { return PIOc_free_iosystem(iosysid); }

int PIOc_set_iosystem_error_handling(int iosysid, int method, int *old_method) {
  if (iosysid == PIO_DEFAULT) {
    try {
      checkHandler(method);
    } catch (const Failure &failure) {
      return settleWithoutSystem("PIOc_set_iosystem_error_handling", failure.code, failure.what());
    }
    if (old_method != nullptr) *old_method = firstHandler;
    firstHandler = method;
    return PIO_NOERR;
  }
  return callSystem("PIOc_set_iosystem_error_handling", iosysid, [&](System &system) {
    checkHandler(method);
    if (old_method != nullptr) *old_method = system.handler;
    system.handler = method;
  });
}

int PIOc_Set_IOSystem_Error_Handling(int iosysid, int method) {
  int before = 0;
  const int code = PIOc_set_iosystem_error_handling(iosysid, method, &before);
  return code == PIO_NOERR ? before : code;
}

// A file has the handler of its system.
FOR_FORTRAN int bundleio_pio_system_of(int ncid, int *iosysidp) {
  return callFile("PIO_seterrorhandling", ncid, [&](OpenFile &file) { *iosysidp = file.system; });
}

// As far as this build has the library.
int PIOc_iotype_available(int iotype) {
  switch (iotype) {
#ifdef BUNDLEIO_WITH_PNETCDF
    case PIO_IOTYPE_PNETCDF:
#endif
#ifdef BUNDLEIO_WITH_NETCDF4
    case PIO_IOTYPE_NETCDF4C:
    case PIO_IOTYPE_NETCDF4P:
#endif
    case PIO_IOTYPE_NETCDF:
      return 1;
    default:
      return 0;
  }
}

int PIOc_strerror(int pioerr, char *errstr) {
  static const std::map<int, const char *> texts = {
      {PIO_NOERR, "No error"},
      {PIO_EBADID, "No such file, decomposition or I/O system"},
      {PIO_EEXIST, "File exists"},
      {PIO_EINVAL, "Invalid argument"},
      {PIO_EPERM, "Operation not allowed on this file"},
      {PIO_ENOTINDEFINE, "Not in define mode"},
      {PIO_EINDEFINE, "In define mode"},
      {PIO_EBADTYPE, "Type that is not stored"},
      {PIO_EBADDIM, "No such dimension"},
      {PIO_ENOTATT, "Attribute not found"},
      {PIO_ENOTVAR, "Variable not found"},
      {PIO_EIO, "Input or output failed"},
      {PIO_EBADIOTYPE, "No such I/O type, or more than it can hold"},
      {PIO_EBADREARR, "No such rearranger"}};
  const auto found = texts.find(pioerr);
  std::strcpy(errstr, found == texts.end() ? "Unknown error" : found->second);
  return PIO_NOERR;
}

int PIOc_InitDecomp(int iosysid, int pio_type, int ndims, const int *gdimlen, int maplen,
                    const PIO_Offset *compmap, int *ioidp, const int *, const PIO_Offset *iostart,
                    const PIO_Offset *iocount) {
  return decompose("PIOc_InitDecomp", iosysid, pio_type, ndims, gdimlen, maplen, compmap, ioidp,
                   iostart, iocount, 1);
}

int PIOc_init_decomp(int iosysid, int pio_type, int ndims, const int *gdimlen, int maplen,
                     const PIO_Offset *compmap, int *ioidp, int, const PIO_Offset *iostart,
                     const PIO_Offset *iocount) {
  return decompose("PIOc_init_decomp", iosysid, pio_type, ndims, gdimlen, maplen, compmap, ioidp,
                   iostart, iocount, 0);
}

int PIOc_freedecomp(int iosysid, int ioid) {
  return callSystem("PIOc_freedecomp", iosysid, [&](System &system) { system.forget(ioid); });
}

int PIOc_createfile(int iosysid, int *ncidp, int *iotype, const char *fname, int mode) {
  return callSystem("PIOc_createfile", iosysid, [&](System &system) {
    if ((mode & ~kModesKnown) != 0) {
      throw Failure(
          PIO_EINVAL,
          "mode " + std::to_string(mode) +
              ": only PIO_CLOBBER, PIO_NOCLOBBER, PIO_64BIT_OFFSET and PIO_64BIT_DATA are there");
    }
    OpenFile file{iosysid,
                  std::make_unique<Output>(system, *iotype, fname, (mode & PIO_NOCLOBBER) != 0),
                  nullptr,
                  {},
                  {}};
    *ncidp = addFile(std::move(file));
  });
}

int PIOc_openfile(int iosysid, int *ncidp, int *iotype, const char *fname, int mode) {
  return callSystem("PIOc_openfile", iosysid, [&](System &system) {
    // The file knows the format that createfile was given.
    if ((mode & ~(kModesKnown | PIO_WRITE)) != 0)
      throw Failure(PIO_EINVAL, "mode " + std::to_string(mode) + " is not one of openfile's");
    if ((mode & PIO_WRITE) != 0) {
      const Growing found = findGrowing(system, fname);
      const bool asked = *iotype == PIO_IOTYPE_NETCDF4C || *iotype == PIO_IOTYPE_NETCDF4P;
      if (asked != found.isHdf5) *iotype = found.isHdf5 ? PIO_IOTYPE_NETCDF4P : PIO_IOTYPE_PNETCDF;
      Input before(system, found.run);
      const Contents known = before.contents();
      before.close();
      OpenFile going{iosysid,
                     std::make_unique<Output>(system, *iotype, fname, found.run, known),
                     nullptr,
                     {},
                     {}};
      *ncidp = addFile(std::move(going));
      return;
    }
    OpenFile file{
        iosysid, nullptr, std::make_unique<Input>(system, findPlace(system, fname)), {}, {}};
    file.known = file.input->contents();
    file.frames.assign(file.known.variables.size(), -1);
    *ncidp = addFile(std::move(file));
  });
}

int PIOc_sync(int ncid) {
  // As in PIO, a file that is read has nothing to sync.
  return callFile("PIOc_sync", ncid, [](OpenFile &file) {
    if (file.output) file.output->sync();
  });
}

int PIOc_closefile(int ncid) {
  const int code = callFile("PIOc_closefile", ncid, [](OpenFile &file) {
    if (file.output)
      file.output->close();
    else
      file.input->close();
  });
  if (code != PIO_EBADID) removeFile(ncid);
  return code;
}

int PIOc_redef(int ncid) {
  return callFile("PIOc_redef", ncid, [](OpenFile &file) { file.writable().define(true); });
}

int PIOc_enddef(int ncid) {
  return callFile("PIOc_enddef", ncid, [](OpenFile &file) { file.writable().define(false); });
}

int PIOc_def_dim(int ncid, const char *name, PIO_Offset len, int *idp) {
  return callFile("PIOc_def_dim", ncid,
                  [&](OpenFile &file) { *idp = file.writable().dimension(name, len); });
}

int PIOc_def_var(int ncid, const char *name, int xtype, int ndims, const int *dimidsp,
                 int *varidp) {
  return callFile("PIOc_def_var", ncid, [&](OpenFile &file) {
    *varidp = file.writable().variable(name, xtype, ndims, dimidsp);
  });
}

int PIOc_put_att(int ncid, int varid, const char *name, int xtype, PIO_Offset len, const void *op) {
  return putAttribute("PIOc_put_att", ncid, varid, name, xtype, xtype, len, op);
}

int PIOc_put_att_text(int ncid, int varid, const char *name, PIO_Offset len, const char *op) {
  return putAttribute("PIOc_put_att_text", ncid, varid, name, PIO_CHAR, PIO_CHAR, len, op);
}

int PIOc_put_att_int(int ncid, int varid, const char *name, int xtype, PIO_Offset len,
                     const int *op) {
  return putAttribute("PIOc_put_att_int", ncid, varid, name, xtype, PIO_INT, len, op);
}

int PIOc_put_att_float(int ncid, int varid, const char *name, int xtype, PIO_Offset len,
                       const float *op) {
  return putAttribute("PIOc_put_att_float", ncid, varid, name, xtype, PIO_REAL, len, op);
}

int PIOc_put_att_double(int ncid, int varid, const char *name, int xtype, PIO_Offset len,
                        const double *op) {
  return putAttribute("PIOc_put_att_double", ncid, varid, name, xtype, PIO_DOUBLE, len, op);
}

int PIOc_setframe(int ncid, int varid, int frame) {
  return callFile("PIOc_setframe", ncid, [&](OpenFile &file) {
    if (frame < 0)
      throw Failure(PIO_EINVAL, "frame " + std::to_string(frame) + ": frames count from 0");
    if (file.output)
      file.output->setFrame(varid, frame);
    else
      file.frameOf(varid) = frame;
  });
}

int PIOc_advanceframe(int ncid, int varid) {
  return callFile("PIOc_advanceframe", ncid, [&](OpenFile &file) {
    if (file.output)
      file.output->advanceFrame(varid);
    else
      ++file.frameOf(varid);
  });
}

int PIOc_write_darray(int ncid, int varid, int ioid, PIO_Offset arraylen, void *array,
                      void *fillvalue) {
  return callFile("PIOc_write_darray", ncid, [&](OpenFile &file) {
    file.writable().write(varid, ioid, arraylen, array, fillvalue);
  });
}

int PIOc_read_darray(int ncid, int varid, int ioid, PIO_Offset arraylen, void *array) {
  return callFile("PIOc_read_darray", ncid, [&](OpenFile &file) {
    if (file.output) return file.output->read(varid, ioid, arraylen, array);
    const System &system = file.itsSystem();
    bool grows = false;
    system.agreeOn([&]() -> Named {
      const int64_t frame = file.frameOf(varid);
      grows = file.known.grows(varid);
      return {varid, grows ? frame : 0, system.decomposition(ioid).bio};
    });
    file.input->read({file.known.variable(varid).name, grows, file.frameOf(varid)},
                     system.decomposition(ioid), arraylen, array);
  });
}

// For Fortran, which knows the types of its arrays: `type` is what bundleio calls it, or -1 if it
// does not matter (no values), or -2 where no address can be had. Collective: an array may have
// gaps on one rank alone.
FOR_FORTRAN int bundleio_pio_check(int ncid, int varid, int ioid, int type, int is_contiguous) {
  return callFile("PIO_write_darray or PIO_read_darray", ncid, [&](OpenFile &file) {
    const System &system = file.itsSystem();
    system.agree([&] {
      const std::string what = "variable " + std::to_string(varid + 1) + ": ";
      const Type wanted = typeOf(system.decomposition(ioid).pioType);
      if (is_contiguous == 0) throw Failure(PIO_EINVAL, what + kHasGaps);
      if (type != BIO_ANY && type != wanted.bio)
        throw Failure(PIO_EINVAL,
                      what + "the array is not of the decomposition's type, " + wanted.name);
    });
  });
}

}  // extern "C"
