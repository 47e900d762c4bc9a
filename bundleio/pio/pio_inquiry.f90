! Contents of files: inquiries of module pio, of files that are made, read or gone on with. Numbers count from 1, and the
! dimensions of a variable come fastest first.
module bundleio_pio_inquiry
  use, intrinsic :: iso_c_binding
  use bundleio_array
  use bundleio_context, only: c_text
  use bundleio_pio_arrays, only: pio_type
  use bundleio_pio_c
  use bundleio_pio_types
  implicit none
  private
  public :: pio_inquire, pio_inq_unlimdim, pio_inq_dimid, pio_inq_dimname, pio_inq_dimlen, pio_inquire_dimension
  public :: pio_inq_varname, pio_inq_vartype, pio_inq_varndims, pio_inq_vardimid, pio_inq_varnatts, pio_inquire_variable
  public :: pio_inq_att, pio_inq_attlen, pio_inq_attname, pio_get_att, pio_strerror

  interface pio_inq_dimlen
    module procedure length_default, length_long
  end interface
  interface pio_inq_varname
    module procedure name_id, name_desc
  end interface
  interface pio_inq_vartype
    module procedure type_id, type_desc
  end interface
  interface pio_inq_varndims
    module procedure ndims_id, ndims_desc
  end interface
  interface pio_inq_vardimid
    module procedure dimids_id, dimids_desc
  end interface
  interface pio_inq_varnatts
    module procedure natts_id, natts_desc
  end interface
  interface pio_inquire_variable
    module procedure variable_id, variable_desc
  end interface
  interface pio_inq_att
    module procedure att_id, att_desc
  end interface
  interface pio_inq_attlen
    module procedure attlen_id, attlen_desc
  end interface
  interface pio_inq_attname
    module procedure attname_id, attname_desc
  end interface
  interface pio_get_att
    module procedure get_id, get_desc, get_some_id, get_some_desc
  end interface

contains

  subroutine fill(name, letters)
    character(*), intent(out) :: name
    character(kind=c_char), intent(in) :: letters(:)
    integer :: i
    name = ''
    do i = 1, min(len(name), size(letters))
      if (letters(i) == c_null_char) exit
      name(i:i) = letters(i)
    end do
  end subroutine

  integer function pio_inquire(file, ndimensions, nvariables, nattributes, unlimiteddimid) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(out), optional :: ndimensions, nvariables, nattributes, unlimiteddimid
    integer(c_int) :: dims, variables, attributes, unlimited
    dims = 0
    variables = 0
    attributes = 0
    unlimited = -1
    ierr = c_inq(file%fh, dims, variables, attributes, unlimited)
    if (present(ndimensions)) ndimensions = dims
    if (present(nvariables)) nvariables = variables
    if (present(nattributes)) nattributes = attributes
    ! None is -1, as in PIO.
    if (present(unlimiteddimid)) unlimiteddimid = merge(unlimited + 1, -1, unlimited >= 0)
  end function

  integer function pio_inq_unlimdim(file, unlimdim) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(out) :: unlimdim
    ierr = pio_inquire(file, unlimiteddimid=unlimdim)
  end function

  integer function pio_inq_dimid(file, name, dimid) result(ierr)
    type(file_desc_t), intent(in) :: file
    character(*), intent(in) :: name
    integer, intent(out) :: dimid
    integer(c_int) :: id
    id = -1
    ierr = c_inq_dimid(file%fh, c_text(name), id)
    dimid = id + 1
  end function

  integer function dimension_of(file, dimid, name, len) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: dimid
    character(*), intent(out), optional :: name
    integer(pio_offset_kind), intent(out), optional :: len
    character(kind=c_char) :: letters(pio_max_name + 1)
    integer(c_int64_t) :: length
    letters = c_null_char
    length = 0
    ierr = c_inq_dim(file%fh, dimid - 1, letters, length)
    if (present(name)) call fill(name, letters)
    if (present(len)) len = length
  end function

  integer function pio_inq_dimname(file, dimid, name) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: dimid
    character(*), intent(out) :: name
    ierr = dimension_of(file, dimid, name)
  end function

  integer function length_long(file, dimid, len) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: dimid
    integer(pio_offset_kind), intent(out) :: len
    ierr = dimension_of(file, dimid, len=len)
  end function

  integer function length_default(file, dimid, len) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: dimid
    integer, intent(out) :: len
    integer(c_int) :: length
    length = 0
    ierr = c_inq_dimlen(file%fh, dimid - 1, length)
    len = length
  end function

  integer function pio_inquire_dimension(file, dimid, name, len) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: dimid
    character(*), intent(out), optional :: name
    integer, intent(out), optional :: len
    ierr = dimension_of(file, dimid, name)
    if (present(len) .and. ierr == pio_noerr) ierr = length_default(file, dimid, len)
  end function

  integer function variable_id(file, varid, name, xtype, ndims, dimids, natts) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    character(*), intent(out), optional :: name
    integer, intent(out), optional :: xtype, ndims, dimids(:), natts
    character(kind=c_char) :: letters(pio_max_name + 1)
    integer(c_int), allocatable :: ids(:)
    integer(c_int) :: dims, type, attributes
    integer :: i
    letters = c_null_char
    dims = 0
    type = 0
    attributes = 0
    ierr = c_inq_varndims(file%fh, varid - 1, dims)
    allocate (ids(max(1, dims)))
    if (ierr == pio_noerr) ierr = c_inq_var(file%fh, varid - 1, letters, type, dims, ids, attributes)
    if (present(name)) call fill(name, letters)
    if (present(xtype)) xtype = type
    if (present(ndims)) ndims = dims
    if (present(natts)) natts = attributes
    if (.not. present(dimids) .or. ierr /= pio_noerr) return
    do i = 1, min(dims, size(dimids))
      dimids(i) = ids(dims + 1 - i) + 1
    end do
  end function

  integer function variable_desc(file, vardesc, name, xtype, ndims, dimids, natts) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    character(*), intent(out), optional :: name
    integer, intent(out), optional :: xtype, ndims, dimids(:), natts
    ierr = variable_id(file, vardesc%varid, name, xtype, ndims, dimids, natts)
  end function

  integer function name_id(file, varid, name) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    character(*), intent(out) :: name
    ierr = variable_id(file, varid, name)
  end function

  integer function name_desc(file, vardesc, name) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    character(*), intent(out) :: name
    ierr = variable_id(file, vardesc%varid, name)
  end function

  integer function type_id(file, varid, type) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    integer, intent(out) :: type
    ierr = variable_id(file, varid, xtype=type)
  end function

  integer function type_desc(file, vardesc, type) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    integer, intent(out) :: type
    ierr = variable_id(file, vardesc%varid, xtype=type)
  end function

  integer function ndims_id(file, varid, ndims) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    integer, intent(out) :: ndims
    ierr = variable_id(file, varid, ndims=ndims)
  end function

  integer function ndims_desc(file, vardesc, ndims) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    integer, intent(out) :: ndims
    ierr = variable_id(file, vardesc%varid, ndims=ndims)
  end function

  integer function dimids_id(file, varid, dimids) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    integer, intent(out) :: dimids(:)
    ierr = variable_id(file, varid, dimids=dimids)
  end function

  integer function dimids_desc(file, vardesc, dimids) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    integer, intent(out) :: dimids(:)
    ierr = variable_id(file, vardesc%varid, dimids=dimids)
  end function

  integer function natts_id(file, varid, natts) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    integer, intent(out) :: natts
    ierr = variable_id(file, varid, natts=natts)
  end function

  integer function natts_desc(file, vardesc, natts) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    integer, intent(out) :: natts
    ierr = variable_id(file, vardesc%varid, natts=natts)
  end function

  integer function att_id(file, varid, name, xtype, len) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    character(*), intent(in) :: name
    integer, intent(out), optional :: xtype
    integer(pio_offset_kind), intent(out), optional :: len
    integer(c_int) :: type
    integer(c_int64_t) :: length
    type = 0
    length = 0
    ierr = c_inq_att(file%fh, varid - 1, c_text(name), type, length)
    if (present(xtype)) xtype = type
    if (present(len)) len = length
  end function

  integer function att_desc(file, vardesc, name, xtype, len) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    character(*), intent(in) :: name
    integer, intent(out), optional :: xtype
    integer(pio_offset_kind), intent(out), optional :: len
    ierr = att_id(file, vardesc%varid, name, xtype, len)
  end function

  integer function attlen_id(file, varid, name, len) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    character(*), intent(in) :: name
    integer(pio_offset_kind), intent(out) :: len
    ierr = att_id(file, varid, name, len=len)
  end function

  integer function attlen_desc(file, vardesc, name, len) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    character(*), intent(in) :: name
    integer(pio_offset_kind), intent(out) :: len
    ierr = att_id(file, vardesc%varid, name, len=len)
  end function

  integer function attname_id(file, varid, attnum, name) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid, attnum
    character(*), intent(out) :: name
    character(kind=c_char) :: letters(pio_max_name + 1)
    letters = c_null_char
    ierr = c_inq_attname(file%fh, varid - 1, attnum - 1, letters)
    call fill(name, letters)
  end function

  integer function attname_desc(file, vardesc, attnum, name) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    integer, intent(in) :: attnum
    character(*), intent(out) :: name
    ierr = attname_id(file, vardesc%varid, attnum, name)
  end function

  integer function get_facts(file, varid, name, facts) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    character(*), intent(in) :: name
    type(array_facts), intent(in) :: facts
    ierr = c_get_att(file%fh, varid - 1, c_text(name), merge(pio_type(facts%kind), 0, facts%is_contiguous), &
                     facts%count, facts%first)
  end function

  integer function get_id(file, varid, name, value) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    character(*), intent(in) :: name
    class(*), intent(inout), target :: value
    ierr = get_facts(file, varid, name, facts_of(value))
  end function

  integer function get_desc(file, vardesc, name, value) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    character(*), intent(in) :: name
    class(*), intent(inout), target :: value
    ierr = get_facts(file, vardesc%varid, name, facts_of(value))
  end function

  integer function get_some_id(file, varid, name, values) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    character(*), intent(in) :: name
    class(*), intent(inout), target :: values(:)
    ierr = get_facts(file, varid, name, facts_of(values))
  end function

  integer function get_some_desc(file, vardesc, name, values) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    character(*), intent(in) :: name
    class(*), intent(inout), target :: values(:)
    ierr = get_facts(file, vardesc%varid, name, facts_of(values))
  end function

  integer function pio_strerror(errcode, errmsg) result(ierr)
    integer, intent(in) :: errcode
    character(*), intent(out) :: errmsg
    character(kind=c_char) :: letters(pio_max_name + 1)
    letters = c_null_char
    ierr = c_strerror(errcode, letters)
    call fill(errmsg, letters)
  end function

end module
