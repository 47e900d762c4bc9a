package io.tierwise.lab.dfsio;

/** An endless stream of bytes that can be made again: what a bench file contains. */
public interface BenchContent {
  /** Fills {@code buffer} with the next bytes. */
  void fill(byte[] buffer);

  /** The kind of data in a file. */
  enum Kind {
    /** Rows of 100 bytes with random keys, as TeraGen makes them. */
    ROWS,
    /** Text: the licences and notices that come with every JDK. */
    TEXT
  }

  /** The content of one file: the same kind and seed give the same bytes. */
  static BenchContent of(Kind kind, long seed) {
    return switch (kind) {
      case ROWS -> new TeraRows(seed);
      case TEXT -> new JdkText(seed);
    };
  }
}
