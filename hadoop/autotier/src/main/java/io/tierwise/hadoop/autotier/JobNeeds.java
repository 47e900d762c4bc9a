package io.tierwise.hadoop.autotier;

import java.util.function.LongPredicate;

/** What jobs need of the fast tier, for those who share it; from any thread. */
interface JobNeeds {
  /** Where nothing is prefetched. */
  JobNeeds NONE = of(file -> false);

  /** Jobs that read these files, and hold no free room. */
  static JobNeeds of(LongPredicate files) {
    return new JobNeeds() {
      @Override
      public long reservedBytes() {
        return 0;
      }

      @Override
      public boolean needs(long fileId) {
        return files.test(fileId);
      }
    };
  }

  /** Bytes of the temporary region that are free, and not for others. */
  long reservedBytes();

  /** Whether a job that is not over reads the file, or may, as long as jobs are not known. */
  boolean needs(long fileId);
}
