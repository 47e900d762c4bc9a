package io.tierwise.experiments.run;

import io.tierwise.core.message.FileReason;
import io.tierwise.core.message.OperatorException;
import io.tierwise.simulator.DecisionListener;
import io.tierwise.simulator.report.DecisionLines;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file that holds a run's decisions; known to be writable before anything runs. */
public final class DecisionFile implements AutoCloseable {
  private final Path file;
  private final Writer out;

  private DecisionFile(Path file, Writer out) {
    this.file = file;
    this.out = out;
  }

  /** Begins the file anew; null for null. */
  public static DecisionFile of(Path file) {
    if (file == null) {
      return null;
    }
    try {
      return new DecisionFile(file, Files.newBufferedWriter(file));
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  private static OperatorException unwritable(Path file, IOException e) {
    return OperatorException.cluster(
        "--decisions "
            + file
            + " cannot be written ("
            + FileReason.alone(e)
            + "); name another file",
        e);
  }

  DecisionListener listener() {
    return new DecisionLines(out)::decided;
  }

  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }
}
