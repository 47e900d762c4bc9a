package io.tierwise.core.view;

/**
 * The size of a file and when it was used. Times are milliseconds on a clock that all files of a
 * host share.
 *
 * @param bytes its length; -1 when unknown
 * @param writtenMillis when it was written last; -1 when unknown
 * @param usedMillis when it was written or read last, as exactly as the host notes it; -1 when
 *     unknown
 */
public record FileUse(long bytes, long writtenMillis, long usedMillis) {
  /** Of a file that is only coming into being. */
  public static final FileUse UNKNOWN = new FileUse(-1, -1, -1);

  public FileUse {
    if (usedMillis < writtenMillis) {
      throw new IllegalArgumentException(
          "a file that was written at "
              + writtenMillis
              + " ms was not used last at "
              + usedMillis
              + " ms");
    }
  }

  /** A file that was written and read at those times; a read that nobody noted is before both. */
  public static FileUse of(long bytes, long writtenMillis, long readMillis) {
    return new FileUse(bytes, writtenMillis, Math.max(writtenMillis, readMillis));
  }
}
