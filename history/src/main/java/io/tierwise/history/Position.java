package io.tierwise.history;

import java.io.Closeable;
import java.io.IOException;

/** Where the reading of a file is. */
public interface Position extends Closeable {
  /** File and line of what was read last. */
  String where();

  /** Share of the file that has been read, from 0 to 1. */
  double progress();

  /** A reader that is where the one below it is, and ends with it. */
  abstract class OfBelow implements Position {
    private final Position below;

    protected OfBelow(Position below) {
      this.below = below;
    }

    @Override
    public String where() {
      return below.where();
    }

    @Override
    public double progress() {
      return below.progress();
    }

    @Override
    public void close() throws IOException {
      below.close();
    }
  }
}
