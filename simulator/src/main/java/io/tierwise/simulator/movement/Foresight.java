package io.tierwise.simulator.movement;

import io.tierwise.policies.popularity.UseWindow;
import io.tierwise.simulator.workload.JobSource;
import io.tierwise.simulator.workload.JobSpec;
import java.io.IOException;

/**
 * Reads a trace ahead of the jobs, for predictors that are a bound. How many jobs will read a file
 * at one time is not known beforehand: those that are submitted within a minute count as such.
 */
final class Foresight implements AutoCloseable {
  private static final double READ_SECONDS = 60;

  private final JobSource ahead;
  private JobSpec coming;

  Foresight(JobSource ahead) throws IOException {
    this.ahead = ahead;
    coming = ahead.next();
  }

  /** The reads of known files between two times; earlier ones are passed over. */
  UseWindow window(InputUse known, double startSeconds, double endSeconds) throws IOException {
    UseWindow window = new UseWindow(known.fileCount());
    window.begin(startSeconds, endSeconds);
    int[] together = new int[known.fileCount()];
    double[] sinceSeconds = new double[known.fileCount()];
    while (coming != null && coming.submitSeconds() < endSeconds) {
      int file = known.number(coming.inputPath());
      double now = coming.submitSeconds();
      if (file >= 0 && now >= startSeconds && coming.inputBytes() > 0) {
        boolean isNear = together[file] > 0 && now - sinceSeconds[file] < READ_SECONDS;
        together[file] = isNear ? together[file] + 1 : 1;
        sinceSeconds[file] = isNear ? sinceSeconds[file] : now;
        window.read(file, now, together[file]);
      }
      coming = ahead.next();
    }
    return window;
  }

  @Override
  public void close() throws IOException {
    ahead.close();
  }
}
