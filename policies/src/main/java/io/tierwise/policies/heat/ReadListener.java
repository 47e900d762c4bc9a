package io.tierwise.policies.heat;

/**
 * Hears of each read that a heat map counts, in order. Files are numbers below the count of rows; a
 * file keeps its number when it is renamed, and gives it up when it is deleted or goes to the
 * sketch: then another may begin with it.
 */
public interface ReadListener {
  /** Hears of nothing. */
  ReadListener NONE =
      new ReadListener() {
        @Override
        public void begins(int file) {
          // Nobody wants to know.
        }

        @Override
        public void read(int file, long millis) {
          // Nobody wants to know.
        }
      };

  /** From now on the number is that of a file that had none. */
  void begins(int file);

  /** The file is read. */
  void read(int file, long millis);
}
