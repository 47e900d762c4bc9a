package io.tierwise.hadoop.inspect.audit;

import io.tierwise.policies.popularity.UseWindow;
import io.tierwise.policies.popularity.WindowFeed;
import java.io.IOException;
import java.util.BitSet;

/**
 * The windows of use that an audit log tells, one after the other. Files are there from their first
 * read on, of one block each: a log says nothing of sizes.
 */
public final class LogWindows implements WindowFeed.Listener {
  private final WindowFeed.Listener listener;
  private final BitSet files = new BitSet();

  private LogWindows(WindowFeed.Listener listener) {
    this.listener = listener;
  }

  /**
   * Reads a log to its end; a window that the end cuts is left out.
   *
   * @param wish its windows are those that the listener hears of
   */
  public static void read(LogHeat.Wish wish, WindowFeed.Listener listener) throws IOException {
    WindowFeed feed =
        new WindowFeed(wish.windowMillis(), wish.filesMax(), new LogWindows(listener));
    new LogHeat(wish, feed).read();
  }

  @Override
  public void begins(int file, int formerReads) {
    files.clear(file);
    listener.begins(file, formerReads);
  }

  @Override
  public void windowEnded(UseWindow window) {
    for (int file = 0; file < window.fileCount(); file++) {
      // A file may have begun with a read that is behind the window's end.
      if (window.reads(file) > 0) {
        files.set(file);
      }
      if (files.get(file)) {
        window.keep(file, 1);
      }
    }
    listener.windowEnded(window);
  }
}
