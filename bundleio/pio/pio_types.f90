! Constants and types of module pio: for the modules of this folder alone.
module bundleio_pio_types
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t
  implicit none
  public

  integer, parameter :: pio_offset_kind = c_int64_t
  integer, parameter :: pio_iotype_pnetcdf = 1, pio_iotype_netcdf = 2, pio_iotype_netcdf4c = 3, pio_iotype_netcdf4p = 4
  integer, parameter :: iotype_pnetcdf = pio_iotype_pnetcdf, iotype_netcdf = pio_iotype_netcdf
  integer, parameter :: pio_rearr_box = 1, pio_rearr_subset = 2
  integer, parameter :: pio_internal_error = -51, pio_bcast_error = -52, pio_return_error = -53, pio_default = -1
  integer, parameter :: pio_global = 0, pio_unlimited = 0, pio_noerr = 0
  integer, parameter :: pio_char = 2, pio_short = 3, pio_int = 4, pio_real = 5, pio_double = 6
  integer, parameter :: pio_nowrite = 0, pio_clobber = 0, pio_write = 1, pio_noclobber = 4
  integer, parameter :: pio_64bit_data = 32, pio_64bit_offset = 512, pio_max_name = 256, pio_max_var_dims = 6
  integer, parameter :: pio_fill_int = -2147483647
  real, parameter :: pio_fill_float = 9.9692099683868690e+36
  double precision, parameter :: pio_fill_double = 9.9692099683868690d+36

  type :: iosystem_desc_t
    integer(c_int) :: iosysid = -1
  end type
  type :: file_desc_t
    integer(c_int) :: fh = -1
  end type
  type :: io_desc_t
    integer(c_int) :: ioid = -1
  end type
  type :: var_desc_t
    integer(c_int) :: varid = 0
  end type

end module
