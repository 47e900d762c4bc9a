package io.tierwise.hadoop.mover.journal;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;

/** A run of a journal on no disk, which tells what is asked of the disk. */
public final class WatchedRun {
  private WatchedRun() {}

  /**
   * Makes one.
   *
   * @param told of each write and sync, in their order
   */
  public static JournalRun of(List<String> told) {
    JournalRun.Target target =
        new JournalRun.Target() {
          private final OutputStream out =
              new OutputStream() {
                @Override
                public void write(int one) {
                  write(new byte[] {(byte) one}, 0, 1);
                }

                @Override
                public void write(byte[] bytes, int offset, int length) {
                  told.add("write " + new String(bytes, offset, length, StandardCharsets.UTF_8));
                }
              };

          @Override
          public OutputStream out() {
            return out;
          }

          @Override
          public void sync() {
            told.add("sync");
          }

          @Override
          public void close() {}
        };
    return new JournalRun("run", "file", target, InstantSource.system());
  }
}
