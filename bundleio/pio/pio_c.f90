! The C calls of bundleio_pio as Fortran sees them: for module pio alone, which is what programs use.
module bundleio_pio_c
  implicit none
  public

  interface
    integer(c_int) function c_init(comm, tasks, stride, rearr, id) bind(c, name='bundleio_pio_init')
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: comm, tasks, stride, rearr
      integer(c_int), intent(inout) :: id
    end function
    integer(c_int) function c_finalize(id) bind(c, name='PIOc_finalize')
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: id
    end function
    integer(c_int) function c_set_handler(id, method) bind(c, name='PIOc_Set_IOSystem_Error_Handling')
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: id, method
    end function
    integer(c_int) function c_system_of(file, id) bind(c, name='bundleio_pio_system_of')
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: file
      integer(c_int), intent(inout) :: id
    end function
    integer(c_int) function c_available(iotype) bind(c, name='PIOc_iotype_available')
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: iotype
    end function
    integer(c_int) function c_decomp(system, type, dims, lengths, cell_count, cells, id, rearr, start, part) &
        bind(c, name='PIOc_InitDecomp')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_ptr
      integer(c_int), value :: system, type, dims, cell_count
      integer(c_int), intent(in) :: lengths(*)
      integer(c_int64_t), intent(in) :: cells(*)
      integer(c_int), intent(inout) :: id
      type(c_ptr), value :: rearr, start, part
    end function
    integer(c_int) function c_free_decomp(system, id) bind(c, name='PIOc_freedecomp')
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: system, id
    end function
    integer(c_int) function c_create(system, file, iotype, name, mode) bind(c, name='PIOc_createfile')
      use, intrinsic :: iso_c_binding, only: c_int, c_char
      integer(c_int), value :: system, mode
      integer(c_int), intent(inout) :: file, iotype
      character(kind=c_char), intent(in) :: name(*)
    end function
    integer(c_int) function c_open(system, file, iotype, name, mode) bind(c, name='PIOc_openfile')
      use, intrinsic :: iso_c_binding, only: c_int, c_char
      integer(c_int), value :: system, mode
      integer(c_int), intent(inout) :: file, iotype
      character(kind=c_char), intent(in) :: name(*)
    end function
    integer(c_int) function c_sync(file) bind(c, name='PIOc_sync')
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: file
    end function
    integer(c_int) function c_close(file) bind(c, name='PIOc_closefile')
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: file
    end function
    integer(c_int) function c_redef(file) bind(c, name='PIOc_redef')
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: file
    end function
    integer(c_int) function c_enddef(file) bind(c, name='PIOc_enddef')
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: file
    end function
    integer(c_int) function c_def_dim(file, name, length, id) bind(c, name='PIOc_def_dim')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_char
      integer(c_int), value :: file
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: length
      integer(c_int), intent(inout) :: id
    end function
    integer(c_int) function c_def_var(file, name, type, dims, ids, id) bind(c, name='PIOc_def_var')
      use, intrinsic :: iso_c_binding, only: c_int, c_char
      integer(c_int), value :: file, type, dims
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), intent(in) :: ids(*)
      integer(c_int), intent(inout) :: id
    end function
    integer(c_int) function c_inq_varid(file, name, id) bind(c, name='PIOc_inq_varid')
      use, intrinsic :: iso_c_binding, only: c_int, c_char
      integer(c_int), value :: file
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), intent(inout) :: id
    end function
    integer(c_int) function c_inq(file, dims, variables, attributes, unlimited) bind(c, name='PIOc_inq')
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: file
      integer(c_int), intent(inout) :: dims, variables, attributes, unlimited
    end function
    integer(c_int) function c_inq_dimid(file, name, id) bind(c, name='PIOc_inq_dimid')
      use, intrinsic :: iso_c_binding, only: c_int, c_char
      integer(c_int), value :: file
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), intent(inout) :: id
    end function
    integer(c_int) function c_inq_dim(file, id, name, length) bind(c, name='PIOc_inq_dim')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_char
      integer(c_int), value :: file, id
      character(kind=c_char), intent(inout) :: name(*)
      integer(c_int64_t), intent(inout) :: length
    end function
    integer(c_int) function c_inq_dimlen(file, id, length) bind(c, name='bundleio_pio_inq_dimlen')
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: file, id
      integer(c_int), intent(inout) :: length
    end function
    integer(c_int) function c_inq_var(file, id, name, type, dims, ids, attributes) bind(c, name='PIOc_inq_var')
      use, intrinsic :: iso_c_binding, only: c_int, c_char
      integer(c_int), value :: file, id
      character(kind=c_char), intent(inout) :: name(*)
      integer(c_int), intent(inout) :: type, dims, ids(*), attributes
    end function
    integer(c_int) function c_inq_varndims(file, id, dims) bind(c, name='PIOc_inq_varndims')
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: file, id
      integer(c_int), intent(inout) :: dims
    end function
    integer(c_int) function c_inq_att(file, variable, name, type, length) bind(c, name='PIOc_inq_att')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_char
      integer(c_int), value :: file, variable
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), intent(inout) :: type
      integer(c_int64_t), intent(inout) :: length
    end function
    integer(c_int) function c_inq_attname(file, variable, number, name) bind(c, name='PIOc_inq_attname')
      use, intrinsic :: iso_c_binding, only: c_int, c_char
      integer(c_int), value :: file, variable, number
      character(kind=c_char), intent(inout) :: name(*)
    end function
    integer(c_int) function c_get_att(file, variable, name, type, room, values) bind(c, name='bundleio_pio_get_att')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_char, c_ptr
      integer(c_int), value :: file, variable, type
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: room
      type(c_ptr), value :: values
    end function
    integer(c_int) function c_strerror(code, text) bind(c, name='PIOc_strerror')
      use, intrinsic :: iso_c_binding, only: c_int, c_char
      integer(c_int), value :: code
      character(kind=c_char), intent(inout) :: text(*)
    end function
    integer(c_int) function c_put_att(file, variable, name, type, length, values) bind(c, name='PIOc_put_att')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_char, c_ptr
      integer(c_int), value :: file, variable, type
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: length
      type(c_ptr), value :: values
    end function
    integer(c_int) function c_set_frame(file, variable, frame) bind(c, name='PIOc_setframe')
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: file, variable, frame
    end function
    integer(c_int) function c_advance_frame(file, variable) bind(c, name='PIOc_advanceframe')
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: file, variable
    end function
    integer(c_int) function c_check(file, variable, decomposition, type, contiguous) bind(c, name='bundleio_pio_check')
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: file, variable, decomposition, type, contiguous
    end function
    integer(c_int) function c_put(file, variable, type, contiguous, length, given, start, part, values) &
        bind(c, name='bundleio_pio_put_values')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_ptr
      integer(c_int), value :: file, variable, type, contiguous, given
      integer(c_int64_t), value :: length
      type(c_ptr), value :: start, part, values
    end function
    integer(c_int) function c_get(file, variable, type, contiguous, length, given, start, part, values) &
        bind(c, name='bundleio_pio_get_values')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_ptr
      integer(c_int), value :: file, variable, type, contiguous, given
      integer(c_int64_t), value :: length
      type(c_ptr), value :: start, part, values
    end function
    integer(c_int) function c_write(file, variable, decomposition, length, values, fill) bind(c, name='PIOc_write_darray')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_ptr
      integer(c_int), value :: file, variable, decomposition
      integer(c_int64_t), value :: length
      type(c_ptr), value :: values, fill
    end function
    integer(c_int) function c_read(file, variable, decomposition, length, values) bind(c, name='PIOc_read_darray')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_ptr
      integer(c_int), value :: file, variable, decomposition
      integer(c_int64_t), value :: length
      type(c_ptr), value :: values
    end function
  end interface
end module
