package io.tierwise.profiles;

import io.tierwise.history.Phase;
import io.tierwise.history.RunRecord;
import java.util.List;
import java.util.Map;

/** Runs for tests. */
final class Runs {
  private static final long DAY_MILLIS = 86_400_000;

  private Runs() {}

  /** A MapReduce job of one map phase that read so much in so long; its number is its day, too. */
  static RunCatalog.NamedRun run(String application, int number, long inputBytes, double seconds) {
    return run(application, number, inputBytes, seconds, true);
  }

  static RunCatalog.NamedRun run(
      String application, int number, long inputBytes, double seconds, boolean succeeded) {
    long submit = number * DAY_MILLIS;
    long end = submit + Math.round(seconds * 1000);
    Phase map =
        new Phase(
            "map",
            2,
            submit,
            end,
            2 * (end - submit),
            5,
            inputBytes,
            inputBytes / 10,
            inputBytes / 2,
            0,
            Map.of("n1", 1L, "n2", 1L));
    return new RunCatalog.NamedRun(
        new RunRecord(
            RunRecord.Engine.MAPREDUCE,
            "job_" + number,
            application,
            submit,
            submit,
            end,
            succeeded,
            List.of(map)),
        application);
  }
}
