/* The calls of NCAR's ParallelIO (PIO 2) that bundleio answers, so that a model written for PIO
 * links.
 *
 * Not PIO: a call that is missing here is missing when the model is compiled or linked, and what a
 * call does not do is an error that says so. docs/reference/bundleio-pio.md lists both, and says
 * what a file of PIO becomes. Numbers of constants are those of PIO and netCDF. Every call but
 * setframe, strerror, inquiries and get_att must be made by all ranks of the I/O system in the same
 * order.
 */
#ifndef BUNDLEIO_PIO_H
#define BUNDLEIO_PIO_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define PIO_Offset MPI_Offset
#define PIO_OFFSET MPI_OFFSET

enum { PIO_DEFAULT = -1, PIO_GLOBAL = -1, PIO_UNLIMITED = 0, PIO_MAX_NAME = 256 };
enum PIO_IOTYPE {
  PIO_IOTYPE_PNETCDF = 1,
  PIO_IOTYPE_NETCDF = 2,
  PIO_IOTYPE_NETCDF4C = 3,
  PIO_IOTYPE_NETCDF4P = 4
};
enum PIO_REARRANGERS { PIO_REARR_BOX = 1, PIO_REARR_SUBSET = 2 };
enum PIO_ERROR_HANDLERS {
  PIO_INTERNAL_ERROR = -51, /* the default: one line, and the end of all ranks */
  PIO_BCAST_ERROR = -52,
  PIO_RETURN_ERROR = -53
};
enum {
  PIO_NAT = 0,
  PIO_BYTE = 1,
  PIO_CHAR = 2, /* attributes only */
  PIO_SHORT = 3,
  PIO_INT = 4,
  PIO_FLOAT = 5,
  PIO_REAL = 5,
  PIO_DOUBLE = 6,
  PIO_UBYTE = 7,
  PIO_USHORT = 8,
  PIO_UINT = 9,
  PIO_INT64 = 10,
  PIO_UINT64 = 11
};
enum {
  PIO_NOWRITE = 0,
  PIO_CLOBBER = 0,
  PIO_WRITE = 1,
  PIO_NOCLOBBER = 4,
  PIO_64BIT_DATA = 32,
  PIO_64BIT_OFFSET = 512
};
enum {
  PIO_NOERR = 0,
  PIO_EBADID = -33,
  PIO_EEXIST = -35,
  PIO_EINVAL = -36,
  PIO_EPERM = -37,
  PIO_ENOTINDEFINE = -38,
  PIO_EINDEFINE = -39,
  PIO_ENOTATT = -43,
  PIO_EBADTYPE = -45,
  PIO_EBADDIM = -46,
  PIO_ENOTVAR = -49,
  PIO_EIO = -68,
  PIO_EBADIOTYPE = -500,
  PIO_EBADREARR = -502
};

int PIOc_Init_Intracomm(MPI_Comm comp_comm, int num_iotasks, int stride, int base, int rearr,
                        int *iosysidp);
int PIOc_finalize(int iosysid);
int PIOc_free_iosystem(int iosysid);
/* Returns the handler before; PIO_DEFAULT: of systems that are made from now on. */
int PIOc_Set_IOSystem_Error_Handling(int iosysid, int method);
int PIOc_set_iosystem_error_handling(int iosysid, int method, int *old_method);
int PIOc_iotype_available(int iotype);
int PIOc_strerror(int pioerr, char *errstr);

/* Offsets count from 1, and 0 is nowhere; iostart and iocount must be null. */
int PIOc_InitDecomp(int iosysid, int pio_type, int ndims, const int *gdimlen, int maplen,
                    const PIO_Offset *compmap, int *ioidp, const int *rearr,
                    const PIO_Offset *iostart, const PIO_Offset *iocount);
/* Offsets count from 0, and -1 is nowhere. */
int PIOc_init_decomp(int iosysid, int pio_type, int ndims, const int *gdimlen, int maplen,
                     const PIO_Offset *compmap, int *ioidp, int rearranger,
                     const PIO_Offset *iostart, const PIO_Offset *iocount);
int PIOc_freedecomp(int iosysid, int ioid);

int PIOc_createfile(int iosysid, int *ncidp, int *iotype, const char *fname, int mode);
int PIOc_openfile(int iosysid, int *ncidp, int *iotype, const char *fname, int mode);
int PIOc_sync(int ncid);
int PIOc_closefile(int ncid);
int PIOc_redef(int ncid);
int PIOc_enddef(int ncid);
int PIOc_def_dim(int ncid, const char *name, PIO_Offset len, int *idp);
int PIOc_def_var(int ncid, const char *name, int xtype, int ndims, const int *dimidsp, int *varidp);
int PIOc_put_att(int ncid, int varid, const char *name, int xtype, PIO_Offset len, const void *op);
int PIOc_put_att_text(int ncid, int varid, const char *name, PIO_Offset len, const char *op);
int PIOc_put_att_int(int ncid, int varid, const char *name, int xtype, PIO_Offset len,
                     const int *op);
int PIOc_put_att_float(int ncid, int varid, const char *name, int xtype, PIO_Offset len,
                       const float *op);
int PIOc_put_att_double(int ncid, int varid, const char *name, int xtype, PIO_Offset len,
                        const double *op);

/* The contents of a file that is made or read; answers that are not wanted may be null. The length
 * of the unlimited dimension is that of the frames on the disk. A text has no zero at its end. */
int PIOc_inq(int ncid, int *ndimsp, int *nvarsp, int *ngattsp, int *unlimdimidp);
int PIOc_inq_ndims(int ncid, int *ndimsp);
int PIOc_inq_nvars(int ncid, int *nvarsp);
int PIOc_inq_natts(int ncid, int *ngattsp);
int PIOc_inq_unlimdim(int ncid, int *unlimdimidp);
int PIOc_inq_dim(int ncid, int dimid, char *name, PIO_Offset *lenp);
int PIOc_inq_dimname(int ncid, int dimid, char *name);
int PIOc_inq_dimlen(int ncid, int dimid, PIO_Offset *lenp);
int PIOc_inq_dimid(int ncid, const char *name, int *idp);
int PIOc_inq_varid(int ncid, const char *name, int *varidp);
int PIOc_inq_var(int ncid, int varid, char *name, int *xtypep, int *ndimsp, int *dimidsp,
                 int *nattsp);
int PIOc_inq_varname(int ncid, int varid, char *name);
int PIOc_inq_vartype(int ncid, int varid, int *xtypep);
int PIOc_inq_varndims(int ncid, int varid, int *ndimsp);
int PIOc_inq_vardimid(int ncid, int varid, int *dimidsp);
int PIOc_inq_varnatts(int ncid, int varid, int *nattsp);
int PIOc_inq_att(int ncid, int varid, const char *name, int *xtypep, PIO_Offset *lenp);
int PIOc_inq_attlen(int ncid, int varid, const char *name, PIO_Offset *lenp);
int PIOc_inq_attname(int ncid, int varid, int attnum, char *name);
int PIOc_get_att(int ncid, int varid, const char *name, void *ip);
int PIOc_get_att_text(int ncid, int varid, const char *name, char *ip);
int PIOc_get_att_int(int ncid, int varid, const char *name, int *ip);
int PIOc_get_att_float(int ncid, int varid, const char *name, float *ip);
int PIOc_get_att_double(int ncid, int varid, const char *name, double *ip);

/* Frames count from 0. */
int PIOc_setframe(int ncid, int varid, int frame);
int PIOc_advanceframe(int ncid, int varid);
int PIOc_write_darray(int ncid, int varid, int ioid, PIO_Offset arraylen, void *array,
                      void *fillvalue);
int PIOc_read_darray(int ncid, int varid, int ioid, PIO_Offset arraylen, void *array);
/* A variable, or its entry of one frame, whole: rank 0's values count. */
int PIOc_put_var(int ncid, int varid, const void *buf);
int PIOc_put_vara(int ncid, int varid, const PIO_Offset *start, const PIO_Offset *count,
                  const void *buf);
/* All of a variable that is on the disk, or a part of it, on all ranks: rank 0 reads. */
int PIOc_get_var(int ncid, int varid, void *buf);
int PIOc_get_vara(int ncid, int varid, const PIO_Offset *start, const PIO_Offset *count, void *buf);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
