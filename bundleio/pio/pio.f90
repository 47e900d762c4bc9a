! The names of module pio of NCAR's ParallelIO that bundleio answers, so that a model written for PIO links.
!
! Not PIO: docs/reference/bundleio-pio.md lists what is there. Dimensions come fastest first, dimension and variable
! numbers and frames count from 1, as PIO's do. Arrays must lie without gaps and be of the decomposition's type, which
! is checked at run time.
module pio
  use, intrinsic :: iso_c_binding
  use bundleio_pio_arrays
  use bundleio_context, only: c_text
  use bundleio_pio_c
  use bundleio_pio_get
  use bundleio_pio_inquiry
  use bundleio_pio_put
  use bundleio_pio_types
  implicit none
  private
  public :: iosystem_desc_t, file_desc_t, var_desc_t, io_desc_t
  public :: pio_init, pio_finalize, pio_seterrorhandling, pio_iotype_available
  public :: pio_initdecomp, pio_freedecomp, pio_createfile, pio_openfile, pio_syncfile, pio_closefile
  public :: pio_redef, pio_enddef, pio_def_dim, pio_def_var, pio_inq_varid, pio_put_att
  public :: pio_inquire, pio_inq_unlimdim, pio_inq_dimid, pio_inq_dimname, pio_inq_dimlen, pio_inquire_dimension
  public :: pio_inq_varname, pio_inq_vartype, pio_inq_varndims, pio_inq_vardimid, pio_inq_varnatts, pio_inquire_variable
  public :: pio_inq_att, pio_inq_attlen, pio_inq_attname, pio_get_att, pio_strerror
  public :: pio_setframe, pio_advanceframe, pio_put_var, pio_get_var, pio_write_darray, pio_read_darray

  public :: pio_offset_kind, pio_iotype_pnetcdf, pio_iotype_netcdf, pio_iotype_netcdf4c, pio_iotype_netcdf4p
  public :: iotype_pnetcdf, iotype_netcdf, pio_rearr_box, pio_rearr_subset
  public :: pio_internal_error, pio_bcast_error, pio_return_error, pio_default, pio_global, pio_unlimited, pio_noerr
  public :: pio_char, pio_short, pio_int, pio_real, pio_double, pio_nowrite, pio_clobber, pio_write, pio_noclobber
  public :: pio_64bit_data, pio_64bit_offset, pio_max_name, pio_max_var_dims
  public :: pio_fill_int, pio_fill_float, pio_fill_double

  interface pio_initdecomp
    module procedure decomp_default, decomp_long
  end interface
  interface pio_freedecomp
    module procedure free_by_system, free_by_file
  end interface
  interface pio_seterrorhandling
    module procedure handler_of_system, handler_of_file, handler_of_number
  end interface
  interface pio_def_dim
    module procedure dimension_default, dimension_long
  end interface
  interface pio_def_var
    module procedure variable_desc, variable_id, scalar_desc, scalar_id
  end interface
  interface pio_inq_varid
    module procedure ask_desc, ask_id
  end interface

contains

  ! bundleio asks MPI for the rank, spreads its writers evenly, and rearranges by itself: base, stride and rearr are hints.
  subroutine pio_init(comp_rank, comp_comm, num_iotasks, num_aggregator, stride, rearr, iosystem, base)
    integer, intent(in) :: comp_rank, comp_comm, num_iotasks, num_aggregator, stride, rearr
    type(iosystem_desc_t), intent(out) :: iosystem
    integer, intent(in), optional :: base
    integer(c_int) :: status
    status = c_init(comp_comm, num_iotasks, stride, rearr, iosystem%iosysid)
  end subroutine

  subroutine pio_finalize(iosystem, ierr)
    type(iosystem_desc_t), intent(inout) :: iosystem
    integer, intent(out) :: ierr
    ierr = c_finalize(iosystem%iosysid)
  end subroutine

  subroutine handler_of_system(iosystem, method, oldmethod)
    type(iosystem_desc_t), intent(inout) :: iosystem
    integer, intent(in) :: method
    integer, intent(out), optional :: oldmethod
    call handler_of_number(iosystem%iosysid, method, oldmethod)
  end subroutine

  ! pio_default: of systems that are made from now on, and of calls without one.
  subroutine handler_of_number(iosysid, method, oldmethod)
    integer, intent(in) :: iosysid, method
    integer, intent(out), optional :: oldmethod
    integer(c_int) :: before
    before = c_set_handler(iosysid, method)
    if (present(oldmethod)) oldmethod = before
  end subroutine

  subroutine handler_of_file(file, method, oldmethod)
    type(file_desc_t), intent(inout) :: file
    integer, intent(in) :: method
    integer, intent(out), optional :: oldmethod
    type(iosystem_desc_t) :: iosystem
    if (c_system_of(file%fh, iosystem%iosysid) == pio_noerr) call handler_of_system(iosystem, method, oldmethod)
  end subroutine

  logical function pio_iotype_available(iotype) result(available)
    integer, intent(in) :: iotype
    available = c_available(iotype) /= 0
  end function

  subroutine decomp_long(iosystem, basepiotype, dims, compdof, iodesc, rearr)
    type(iosystem_desc_t), intent(in) :: iosystem
    integer, intent(in) :: basepiotype, dims(:)
    integer(pio_offset_kind), intent(in) :: compdof(:)
    type(io_desc_t), intent(inout) :: iodesc
    integer, intent(in), optional :: rearr
    integer(c_int) :: status
    integer :: i
    status = c_decomp(iosystem%iosysid, basepiotype, size(dims), [(dims(i), i = size(dims), 1, -1)], size(compdof), compdof, &
                      iodesc%ioid, c_null_ptr, c_null_ptr, c_null_ptr)
  end subroutine

  subroutine decomp_default(iosystem, basepiotype, dims, compdof, iodesc, rearr)
    type(iosystem_desc_t), intent(in) :: iosystem
    integer, intent(in) :: basepiotype, dims(:), compdof(:)
    type(io_desc_t), intent(inout) :: iodesc
    integer, intent(in), optional :: rearr
    call decomp_long(iosystem, basepiotype, dims, int(compdof, pio_offset_kind), iodesc, rearr)
  end subroutine

  subroutine free_by_system(ios, iodesc)
    type(iosystem_desc_t), intent(in) :: ios
    type(io_desc_t), intent(inout) :: iodesc
    if (c_free_decomp(ios%iosysid, iodesc%ioid) == pio_noerr) iodesc%ioid = -1
  end subroutine

  subroutine free_by_file(file, iodesc)
    type(file_desc_t), intent(in) :: file
    type(io_desc_t), intent(inout) :: iodesc
    type(iosystem_desc_t) :: iosystem
    if (c_system_of(file%fh, iosystem%iosysid) == pio_noerr) call free_by_system(iosystem, iodesc)
  end subroutine

  integer function pio_createfile(iosystem, file, iotype, fname, amode_in) result(ierr)
    type(iosystem_desc_t), intent(inout) :: iosystem
    type(file_desc_t), intent(out) :: file
    integer, intent(in) :: iotype
    character(*), intent(in) :: fname
    integer, intent(in), optional :: amode_in
    integer(c_int) :: type, mode
    type = iotype
    mode = pio_clobber
    if (present(amode_in)) mode = amode_in
    ierr = c_create(iosystem%iosysid, file%fh, type, c_text(fname), mode)
  end function

  integer function pio_openfile(iosystem, file, iotype, fname, mode) result(ierr)
    type(iosystem_desc_t), intent(inout) :: iosystem
    type(file_desc_t), intent(out) :: file
    integer, intent(in) :: iotype
    character(*), intent(in) :: fname
    integer, intent(in), optional :: mode
    integer(c_int) :: type, access
    type = iotype
    access = pio_nowrite
    if (present(mode)) access = mode
    ierr = c_open(iosystem%iosysid, file%fh, type, c_text(fname), access)
  end function

  subroutine pio_syncfile(file)
    type(file_desc_t), intent(inout) :: file
    integer(c_int) :: status
    status = c_sync(file%fh)
  end subroutine

  subroutine pio_closefile(file)
    type(file_desc_t), intent(inout) :: file
    integer(c_int) :: status
    status = c_close(file%fh)
    file%fh = -1
  end subroutine

  integer function pio_redef(file) result(ierr)
    type(file_desc_t), intent(inout) :: file
    ierr = c_redef(file%fh)
  end function

  integer function pio_enddef(file) result(ierr)
    type(file_desc_t), intent(inout) :: file
    ierr = c_enddef(file%fh)
  end function

  integer function dimension_long(file, name, len, dimid) result(ierr)
    type(file_desc_t), intent(in) :: file
    character(*), intent(in) :: name
    integer(pio_offset_kind), intent(in) :: len
    integer, intent(out) :: dimid
    integer(c_int) :: id
    id = -1
    ierr = c_def_dim(file%fh, c_text(name), len, id)
    dimid = id + 1
  end function

  integer function dimension_default(file, name, len, dimid) result(ierr)
    type(file_desc_t), intent(in) :: file
    character(*), intent(in) :: name
    integer, intent(in) :: len
    integer, intent(out) :: dimid
    ierr = dimension_long(file, name, int(len, pio_offset_kind), dimid)
  end function

  integer function variable_id(file, name, type, dimids, varid) result(ierr)
    type(file_desc_t), intent(in) :: file
    character(*), intent(in) :: name
    integer, intent(in) :: type, dimids(:)
    integer, intent(out) :: varid
    integer(c_int) :: id
    integer :: i
    id = -1
    ierr = c_def_var(file%fh, c_text(name), type, size(dimids), [(dimids(i) - 1, i = size(dimids), 1, -1)], id)
    varid = id + 1
  end function

  integer function variable_desc(file, name, type, dimids, vardesc) result(ierr)
    type(file_desc_t), intent(in) :: file
    character(*), intent(in) :: name
    integer, intent(in) :: type, dimids(:)
    type(var_desc_t), intent(inout) :: vardesc
    ierr = variable_id(file, name, type, dimids, vardesc%varid)
  end function

  integer function scalar_id(file, name, type, varid) result(ierr)
    type(file_desc_t), intent(in) :: file
    character(*), intent(in) :: name
    integer, intent(in) :: type
    integer, intent(out) :: varid
    integer :: none(0)
    ierr = variable_id(file, name, type, none, varid)
  end function

  integer function scalar_desc(file, name, type, vardesc) result(ierr)
    type(file_desc_t), intent(in) :: file
    character(*), intent(in) :: name
    integer, intent(in) :: type
    type(var_desc_t), intent(inout) :: vardesc
    ierr = scalar_id(file, name, type, vardesc%varid)
  end function

  integer function ask_id(file, name, varid) result(ierr)
    type(file_desc_t), intent(in) :: file
    character(*), intent(in) :: name
    integer, intent(out) :: varid
    integer(c_int) :: id
    id = -1
    ierr = c_inq_varid(file%fh, c_text(name), id)
    varid = id + 1
  end function

  integer function ask_desc(file, name, vardesc) result(ierr)
    type(file_desc_t), intent(in) :: file
    character(*), intent(in) :: name
    type(var_desc_t), intent(inout) :: vardesc
    ierr = ask_id(file, name, vardesc%varid)
  end function

  ! Whether it failed is known from the next call that returns a status; by default the job has ended then.
  subroutine pio_setframe(file, vardesc, frame)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(inout) :: vardesc
    integer(pio_offset_kind), intent(in) :: frame
    integer(c_int) :: status
    status = c_set_frame(file%fh, vardesc%varid - 1, int(frame, c_int) - 1)
  end subroutine

  subroutine pio_advanceframe(file, vardesc)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(inout) :: vardesc
    integer(c_int) :: status
    status = c_advance_frame(file%fh, vardesc%varid - 1)
  end subroutine

end module
