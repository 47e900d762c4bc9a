! Prints what lists.c prints, of a step without unsigned numbers, which Fortran does not have.
!   lists_f90 FOLDER
program lists
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use mpi, only: MPI_COMM_WORLD
  use bundleio
  implicit none
  type(bio_context) :: context
  type(bio_reader) :: reader
  character(bio_name_max), allocatable :: bundles(:), found(:)
  character(1000) :: folder
  integer(int64) :: length
  logical :: unlimited
  integer :: ierr, i, j

  call MPI_Init(ierr)
  call get_command_argument(1, folder)
  call context%init(MPI_COMM_WORLD)
  call reader%open(context, folder)
  call reader%bundles(bundles)
  do i = 1, size(bundles)
    call reader%dimensions(bundles(i), '', found)
    do j = 1, size(found)
      call reader%dimension(bundles(i), found(j), length, unlimited)
      print '(5a, i0, a)', 'dimension ', trim(bundles(i)), '/', trim(found(j)), ': ', length, &
        trim(merge(' unlimited', '          ', unlimited))
    end do
    call print_attributes(trim(bundles(i)), '')
    call reader%variables(bundles(i), found)
    do j = 1, size(found)
      call print_variable(trim(bundles(i)), trim(found(j)))
    end do
  end do
  call refuse_what_is_wrong()
  call reader%close()
  call context%finish()
  call MPI_Finalize(ierr)

contains

  integer(int64) function weighed(bytes)
    integer(int8), intent(in) :: bytes(:)
    integer :: at
    weighed = 0
    do at = 1, size(bytes)
      weighed = weighed + iand(int(bytes(at), int64), 255_int64) * (mod(at - 1, 251) + 1)
    end do
  end function

  subroutine print_attributes(bundle, variable)
    character(*), intent(in) :: bundle, variable
    character(bio_name_max), allocatable :: names(:)
    integer :: at, kind
    integer(int64) :: count
    call reader%attributes(bundle, variable, names)
    do at = 1, size(names)
      call reader%attribute_shape(bundle, variable, names(at), kind, count)
      print '(7a, i0, 1x, i0, 1x, i0)', 'attribute ', bundle, '/', variable, '/', trim(names(at)), ': ', kind, count, &
        attribute_sum(bundle, variable, trim(names(at)), kind, int(count))
    end do
  end subroutine

  integer(int64) function attribute_sum(bundle, variable, name, kind, count) result(total)
    character(*), intent(in) :: bundle, variable, name
    integer, intent(in) :: kind, count
    character(:), allocatable :: text
    integer(int8), target :: one(count)
    integer(int16), target :: two(count)
    integer(int32), target :: four(count)
    integer(int64), target :: eight(count)
    real(real32), target :: small(count)
    real(real64), target :: large(count)
    total = -1
    select case (kind)
    case (bio_text)
      call reader%attribute_text(bundle, variable, name, text)
      total = weighed(transfer(text, [1_int8]))
    case (bio_int8)
      call reader%attribute(bundle, variable, name, one)
      total = weighed(one)
    case (bio_int16)
      call reader%attribute(bundle, variable, name, two)
      total = weighed(transfer(two, [1_int8]))
    case (bio_int32)
      call reader%attribute(bundle, variable, name, four)
      total = weighed(transfer(four, [1_int8]))
    case (bio_int64)
      call reader%attribute(bundle, variable, name, eight)
      total = weighed(transfer(eight, [1_int8]))
    case (bio_float32)
      call reader%attribute(bundle, variable, name, small)
      if (count == 1) call reader%attribute(bundle, variable, name, small(1))
      total = weighed(transfer(small, [1_int8]))
    case (bio_float64)
      call reader%attribute(bundle, variable, name, large)
      total = weighed(transfer(large, [1_int8]))
    end select
  end function

  subroutine print_variable(bundle, variable)
    character(*), intent(in) :: bundle, variable
    character(bio_name_max), allocatable :: names(:)
    character(:), allocatable :: shown
    character(30) :: number
    integer(int64), allocatable :: lengths(:)
    integer, allocatable :: start(:), count(:), stride(:)
    integer :: kind, at
    call reader%shape(bundle, variable, kind, lengths)
    call reader%dimensions(bundle, variable, names)
    start = merge(2, 1, lengths > 1)
    count = (int(lengths) - start + 2) / 2
    stride = [(2, at = 1, size(start))]
    shown = ''
    do at = size(names), 1, -1
      write (number, '(a, i0)') '=', lengths(at)
      shown = shown // ' ' // trim(names(at)) // trim(number)
    end do
    print '(5a, i0, a, 1x, i0)', 'variable ', bundle, '/', variable, ': ', kind, shown, &
      slab_sum(bundle, variable, kind, start, count, stride)
    call print_attributes(bundle, variable)
  end subroutine

  integer(int64) function slab_sum(bundle, variable, kind, start, count, stride) result(total)
    character(*), intent(in) :: bundle, variable
    integer, intent(in) :: kind, start(:), count(:), stride(:)
    integer(int8), target :: one(product(count))
    integer(int16), target :: two(product(count))
    integer(int32), target :: four(product(count))
    integer(int64), target :: eight(product(count))
    real(real32), target :: small(product(count))
    real(real64), target :: large(product(count))
    total = -1
    select case (kind)
    case (bio_int8)
      call reader%slab(bundle, variable, one, start, count, stride)
      total = weighed(one)
    case (bio_int16)
      call reader%slab(bundle, variable, two, start, count, stride)
      total = weighed(transfer(two, [1_int8]))
    case (bio_int32)
      call reader%slab(bundle, variable, four, start, count, stride)
      total = weighed(transfer(four, [1_int8]))
    case (bio_int64)
      call reader%slab(bundle, variable, eight, start, count, stride)
      total = weighed(transfer(eight, [1_int8]))
    case (bio_float32)
      call reader%slab(bundle, variable, small, start, count, stride)
      total = weighed(transfer(small, [1_int8]))
    case (bio_float64)
      call reader%slab(bundle, variable, large, start, count, stride)
      total = weighed(transfer(large, [1_int8]))
    end select
  end function

  subroutine refused(got, wanted, text)
    integer, intent(in) :: got, wanted
    character(*), intent(in) :: text
    character(:), allocatable :: message
    message = context%message()
    if (got == wanted .and. index(message, text) > 0) return
    print '(3a)', text, ' is not ', message
    stop 3
  end subroutine

  ! Blocks of arrays of more dimensions, and what does not fit.
  subroutine refuse_what_is_wrong()
    real(real32), target :: block(3, 2, 1), gaps(4, 4, 4)
    integer :: status
    character(:), allocatable :: text
    call reader%slab('verbs', 'by rows', block, [2, 2, 4], [3, 2, 1], [2, 3, 1])
    if (any(nint(block(:, 2, 1)) /= [1341, 1343, 1345])) stop 1
    call reader%slab('verbs', 'by rows', gaps(1:3, 1:2, 1:1), [2, 2, 4], [3, 2, 1], status=status)
    if (status /= bio_bad_argument) stop 2
    call reader%slab('verbs', 'by rows', block, [5, 2, 4], [3, 2, 1], status=status)
    call refused(status, bio_bad_argument, 'has 6 entries, not 3 from 4')
    call reader%slab('verbs', 'by rows', block, [2, 2], [3, 2], status=status)
    call refused(status, bio_mismatch, 'has 3 dimensions')
    call reader%attribute_text('verbs', 'by rows', 'range', text, status)
    call refused(status, bio_mismatch, 'is of type float32, not text')
    call reader%attribute_text('verbs', 'by rows', 'nosuch', text, status)
    call refused(status, bio_not_found, "no attribute 'nosuch': it has range")
  end subroutine

end program
