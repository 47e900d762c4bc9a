! The C interface as Fortran sees it: for module bundleio alone, which is what programs use.
module bundleio_c
  use, intrinsic :: iso_c_binding, only: c_int, c_double
  implicit none
  public
  private :: c_int, c_double

  type, bind(c) :: bio_date
    integer(c_int) :: year = 1, month = 1, day = 1, hour = 0, minute = 0
    real(c_double) :: second = 0
  end type

  interface
    integer(c_int) function c_init(comm, context) bind(c, name='bio_init_f')
      use, intrinsic :: iso_c_binding, only: c_int, c_ptr
      integer(c_int), value :: comm
      type(c_ptr), intent(out) :: context
    end function
    integer(c_int) function c_finish(context) bind(c, name='bio_finish')
      use, intrinsic :: iso_c_binding, only: c_int, c_ptr
      type(c_ptr), value :: context
    end function
    type(c_ptr) function c_message(context) bind(c, name='bio_message')
      use, intrinsic :: iso_c_binding, only: c_ptr
      type(c_ptr), value :: context
    end function
    integer(c_int) function c_block(context, dims, lengths, start, count, made) bind(c, name='bio_decomp_block')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: context
      integer(c_int), value :: dims
      integer(c_int64_t), intent(in) :: lengths(*), start(*), count(*)
      integer(c_int), intent(out) :: made
    end function
    integer(c_int) function c_map(context, dims, lengths, cell_count, cells, made) bind(c, name='bio_decomp_map')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: context
      integer(c_int), value :: dims
      integer(c_int64_t), value :: cell_count
      integer(c_int64_t), intent(in) :: lengths(*), cells(*)
      integer(c_int), intent(out) :: made
    end function
    integer(c_int) function c_map_one_based(context, dims, lengths, cell_count, cells, made) &
        bind(c, name='bio_decomp_map_one_based')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: context
      integer(c_int), value :: dims
      integer(c_int64_t), value :: cell_count
      integer(c_int64_t), intent(in) :: lengths(*), cells(*)
      integer(c_int), intent(out) :: made
    end function
    integer(c_int) function c_open(context, path, mode, backend, options, run) bind(c, name='bio_open')
      use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_char
      type(c_ptr), value :: context
      character(kind=c_char), intent(in) :: path(*), backend(*), options(*)
      integer(c_int), value :: mode
      type(c_ptr), intent(out) :: run
    end function
    integer(c_int) function c_bundle(run, name, made) bind(c, name='bio_bundle')
      use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_char
      type(c_ptr), value :: run
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), intent(out) :: made
    end function
    integer(c_int) function c_def_dim(run, bundle, name, length, made) bind(c, name='bio_def_dim')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_ptr, c_char
      type(c_ptr), value :: run
      integer(c_int), value :: bundle
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: length
      integer(c_int), intent(out) :: made
    end function
    integer(c_int) function c_def_var(run, bundle, name, kind, dims, dimensions, decomposition, made) &
        bind(c, name='bio_def_var')
      use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_char
      type(c_ptr), value :: run
      integer(c_int), value :: bundle, kind, dims, decomposition
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), intent(in) :: dimensions(*)
      integer(c_int), intent(out) :: made
    end function
    integer(c_int) function c_def_every(run, variable, every) bind(c, name='bio_def_every')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: run
      integer(c_int), value :: variable
      integer(c_int64_t), value :: every
    end function
    integer(c_int) function c_due(run, variable, due) bind(c, name='bio_due')
      use, intrinsic :: iso_c_binding, only: c_int, c_ptr
      type(c_ptr), value :: run
      integer(c_int), value :: variable
      integer(c_int), intent(out) :: due
    end function
    integer(c_int) function c_put_att(run, bundle, variable, name, kind, count, values) bind(c, name='bio_put_att')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_ptr, c_char
      type(c_ptr), value :: run, values
      integer(c_int), value :: bundle, variable, kind
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: count
    end function
    integer(c_int) function c_def_time(run, bundle, dimension, units, calendar, time, bounds) bind(c, name='bio_def_time')
      use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_char
      type(c_ptr), value :: run, bounds
      integer(c_int), value :: bundle, dimension
      character(kind=c_char), intent(in) :: units(*), calendar(*)
      integer(c_int), intent(out) :: time
    end function
    integer(c_int) function c_time_value(context, units, calendar, date, value) bind(c, name='bio_time_value')
      use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_char, c_double
      import :: bio_date
      type(c_ptr), value :: context
      character(kind=c_char), intent(in) :: units(*), calendar(*)
      type(bio_date), intent(in) :: date
      real(c_double), intent(out) :: value
    end function
    integer(c_int) function c_time_date(context, units, calendar, value, date) bind(c, name='bio_time_date')
      use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_char, c_double
      import :: bio_date
      type(c_ptr), value :: context
      character(kind=c_char), intent(in) :: units(*), calendar(*)
      real(c_double), value :: value
      type(bio_date), intent(out) :: date
    end function
    integer(c_int) function c_put(run, variable, values) bind(c, name='bio_put')
      use, intrinsic :: iso_c_binding, only: c_int, c_ptr
      type(c_ptr), value :: run, values
      integer(c_int), value :: variable
    end function
    integer(c_int) function c_put_levels(run, variable, first, count, values) bind(c, name='bio_put_levels')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: run, values
      integer(c_int), value :: variable
      integer(c_int64_t), value :: first, count
    end function
    integer(c_int) function c_check_put(run, variable, count, kind, value_count) bind(c, name='bio_check_put')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: run
      integer(c_int), value :: variable, kind
      integer(c_int64_t), value :: count, value_count
    end function
    integer(c_int) function c_fail(run, status, message) bind(c, name='bio_fail')
      use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_char
      type(c_ptr), value :: run
      integer(c_int), value :: status
      character(kind=c_char), intent(in) :: message(*)
    end function
    integer(c_int) function c_test(run, done) bind(c, name='bio_test')
      use, intrinsic :: iso_c_binding, only: c_int, c_ptr
      type(c_ptr), value :: run
      integer(c_int), intent(out) :: done
    end function
    integer(c_int) function c_report(run, json) bind(c, name='bio_report')
      use, intrinsic :: iso_c_binding, only: c_int, c_ptr
      type(c_ptr), value :: run
      type(c_ptr), intent(out) :: json
    end function
    integer(c_int) function c_step_begin(run) bind(c, name='bio_step_begin')
      use, intrinsic :: iso_c_binding, only: c_int, c_ptr
      type(c_ptr), value :: run
    end function
    integer(c_int) function c_step_end(run) bind(c, name='bio_step_end')
      use, intrinsic :: iso_c_binding, only: c_int, c_ptr
      type(c_ptr), value :: run
    end function
    integer(c_int) function c_wait(run) bind(c, name='bio_wait')
      use, intrinsic :: iso_c_binding, only: c_int, c_ptr
      type(c_ptr), value :: run
    end function
    integer(c_int) function c_close(run) bind(c, name='bio_close')
      use, intrinsic :: iso_c_binding, only: c_int, c_ptr
      type(c_ptr), value :: run
    end function
    integer(c_int) function c_read_open(context, path, step, options, reader) bind(c, name='bio_read_open')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_ptr, c_char
      type(c_ptr), value :: context
      character(kind=c_char), intent(in) :: path(*), options(*)
      integer(c_int64_t), value :: step
      type(c_ptr), intent(out) :: reader
    end function
    integer(c_int) function c_read_step(reader, step) bind(c, name='bio_read_step')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: reader
      integer(c_int64_t), intent(out) :: step
    end function
    integer(c_int) function c_read_names(reader, list, bundle, variable, count, names) bind(c, name='bio_read_names')
      use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_char
      type(c_ptr), value :: reader
      integer(c_int), value :: list
      character(kind=c_char), intent(in) :: bundle(*), variable(*)
      integer(c_int), intent(out) :: count
      type(c_ptr), intent(out) :: names
    end function
    integer(c_int) function c_read_dim(reader, bundle, dimension, length, unlimited) bind(c, name='bio_read_dim')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_ptr, c_char
      type(c_ptr), value :: reader
      character(kind=c_char), intent(in) :: bundle(*), dimension(*)
      integer(c_int64_t), intent(out) :: length
      integer(c_int), intent(out) :: unlimited
    end function
    integer(c_int) function c_read_att(reader, bundle, variable, name, kind, count) bind(c, name='bio_read_att')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_ptr, c_char
      type(c_ptr), value :: reader
      character(kind=c_char), intent(in) :: bundle(*), variable(*), name(*)
      integer(c_int), intent(out) :: kind
      integer(c_int64_t), intent(out) :: count
    end function
    integer(c_int) function c_get_att(reader, bundle, variable, name, kind, value_count, values) &
        bind(c, name='bio_get_att')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_ptr, c_char
      type(c_ptr), value :: reader, values
      character(kind=c_char), intent(in) :: bundle(*), variable(*), name(*)
      integer(c_int), value :: kind
      integer(c_int64_t), value :: value_count
    end function
    integer(c_int) function c_get_slab(reader, bundle, variable, kind, dims, start, count, stride, value_count, values) &
        bind(c, name='bio_get_slab')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_ptr, c_char
      type(c_ptr), value :: reader, values
      character(kind=c_char), intent(in) :: bundle(*), variable(*)
      integer(c_int), value :: kind, dims
      integer(c_int64_t), intent(in) :: start(*), count(*), stride(*)
      integer(c_int64_t), value :: value_count
    end function
    integer(c_int) function c_read_shape(reader, bundle, variable, kind, dims, lengths) bind(c, name='bio_read_shape')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_ptr, c_char
      type(c_ptr), value :: reader
      character(kind=c_char), intent(in) :: bundle(*), variable(*)
      integer(c_int), intent(out) :: kind
      integer(c_int), intent(inout) :: dims
      integer(c_int64_t), intent(out) :: lengths(*)
    end function
    integer(c_int) function c_get(reader, bundle, variable, kind, decomposition, value_count, values) &
        bind(c, name='bio_get')
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_ptr, c_char
      type(c_ptr), value :: reader, values
      character(kind=c_char), intent(in) :: bundle(*), variable(*)
      integer(c_int), value :: kind, decomposition
      integer(c_int64_t), value :: value_count
    end function
    integer(c_int) function c_read_close(reader) bind(c, name='bio_read_close')
      use, intrinsic :: iso_c_binding, only: c_int, c_ptr
      type(c_ptr), value :: reader
    end function
    integer(c_size_t) function c_strlen(text) bind(c, name='strlen')
      use, intrinsic :: iso_c_binding, only: c_size_t, c_ptr
      type(c_ptr), value :: text
    end function
  end interface
end module
