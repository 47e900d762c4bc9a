package io.tierwise.hadoop.secondary;

import io.tierwise.core.message.Table;
import io.tierwise.core.message.Words;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;

/**
 * Where the bytes of files are.
 *
 * @param store that takes new copies
 * @param states of all files that were looked at
 * @param unfinished files that a run made and did not take away
 */
public record SecondaryStatus(String store, List<State> states, long unfinished) {
  public SecondaryStatus {
    states = List.copyOf(states);
  }

  /**
   * Files in one state.
   *
   * @param state {@code hdfs}, {@code both} or {@code secondary}
   * @param bytes of the files, replicas not counted
   */
  public record State(String state, long files, long bytes) {
    private State plus(long more) {
      return new State(state, files + 1, bytes + more);
    }
  }

  /** Looks at the files at paths and below; the store is not contacted. */
  public static SecondaryStatus of(SecondaryTier tier, List<String> paths) throws IOException {
    LazyCopies lazy = new LazyCopies(tier.fs(), tier.stores());
    State[] states = {
      new State("hdfs", 0, 0), new State("both", 0, 0), new State("secondary", 0, 0)
    };
    long[] unfinished = {0};
    for (String path : paths) {
      FilesOf.walk(
          tier.fs(),
          path,
          file -> {
            if (file.isWork()) {
              unfinished[0]++;
              return true;
            }
            int state = file.isPlaceholder() ? 2 : lazy.isMarked(file) ? 1 : 0;
            states[state] = states[state].plus(file.knownBytes());
            return true;
          },
          SecondaryStatus::skip);
    }
    return new SecondaryStatus(tier.target().toString(), List.of(states), unfinished[0]);
  }

  /**
   * Passes over a directory that was deleted meanwhile; any other one that cannot be listed ends
   * the count.
   */
  private static void skip(String directory, IOException e) throws IOException {
    if (!(e.getCause() instanceof FileNotFoundException)) {
      throw e;
    }
  }

  /** For people. */
  public Table table() {
    Table table = new Table().text("bytes are in").number("files", "bytes").keys(1);
    for (State state : states) {
      table.row(state.state(), state.files(), Words.bytes(state.bytes()));
    }
    return table;
  }

  /** The lines below the table. */
  public String text() {
    return "secondary store: "
        + store
        + (unfinished == 0
            ? ""
            : "; "
                + Words.count(unfinished, "file")
                + " of unfinished runs: 'tierwise secondary clean' takes them away");
  }
}
