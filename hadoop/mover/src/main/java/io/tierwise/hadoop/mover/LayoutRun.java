package io.tierwise.hadoop.mover;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.cluster.StoredFiles;
import io.tierwise.hadoop.mover.MoverReport.Amount;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A run of a verb that gives paths another layout: it says first what HDFS will make of that, and
 * changes nothing where copies would get no place as wanted, unless it was told to.
 */
public final class LayoutRun {
  private final LayoutChanges.Verb verb;
  private final Asked asked;
  private final Listener listener;

  /** Of the run in the journal; null until something is changed. */
  private volatile String id;

  /**
   * The wishes of whoever asks.
   *
   * @param dryRun whether nothing is to be changed
   * @param anyway whether to change also where copies get no place as wanted
   * @param waitSeconds for HDFS to copy and drop; null to wait for nothing
   */
  public record Asked(boolean dryRun, boolean anyway, Integer waitSeconds) {
    public Asked {
      if (waitSeconds != null) {
        OperatorException.requireAtLeast(1, "--wait", waitSeconds);
      }
    }
  }

  /** Begins its journal. */
  @FunctionalInterface
  public interface Journaling {
    /**
     * Nothing is written yet.
     *
     * @param to the first path's new layout
     */
    JobRun.Start start(String to);
  }

  /** A forecast, or why there is none. */
  private record Foretold(ChangeForecast forecast, String unknown) {
    private Amount homeless() {
      return forecast == null ? Amount.NONE : forecast.homeless();
    }
  }

  /**
   * @param listener told how far a wait is, and why nothing was changed
   */
  public LayoutRun(LayoutChanges.Verb verb, Asked asked, Listener listener) {
    this.verb = verb;
    this.asked = asked;
    this.listener = listener;
  }

  /** Runs. Once only. */
  public LayoutAnswer run(MoverCluster cluster, StoredFiles files, Journaling journaling)
      throws IOException {
    LayoutChanges all = LayoutChanges.of(cluster, files, verb);
    boolean waits = asked.waitSeconds() != null && !asked.dryRun();
    long end = System.nanoTime() + (waits ? TimeUnit.SECONDS.toNanos(asked.waitSeconds()) : 0);
    if (waits && all.awaitEarlier(end, asked.waitSeconds(), listener)) {
      all = LayoutChanges.of(cluster, files, verb);
    }
    Foretold foretold = forecast(all);
    Amount homeless = foretold.homeless();
    boolean refused = homeless.replicas() > 0 && !asked.anyway() && !asked.dryRun();
    if (refused) {
      listener.say(
          "nothing was changed: "
              + Words.count(homeless.replicas(), "copy")
              + " ("
              + Words.bytes(homeless.bytes())
              + ") would get no place where the layout wants them (--anyway changes it all the"
              + " same)");
    }
    if (refused || asked.dryRun()) {
      return answer(all, foretold, null, homeless.replicas() == 0);
    }
    JobRun.Start start = noting(journaling.start(all.changes().get(0).after()));
    LayoutChanges.Made made = waits ? all.applyAndWait(start, end, listener) : all.apply(start);
    return answer(all, foretold, made, !made.isUndone());
  }

  private static LayoutAnswer answer(
      LayoutChanges all, Foretold foretold, LayoutChanges.Made made, boolean complete) {
    return new LayoutAnswer(
        made == null ? null : made.id(),
        made != null,
        all.changes(),
        foretold.forecast(),
        foretold.unknown(),
        made == null ? null : made.blocksPending(),
        made == null ? null : made.unknown(),
        made == null ? List.of() : made.left(),
        complete);
  }

  private static Foretold forecast(LayoutChanges all) throws IOException {
    try {
      return new Foretold(all.forecast(), null);
    } catch (OperatorException e) {
      // The superuser alone may list volumes; others may change their files all the same.
      return new Foretold(null, e.getMessage());
    }
  }

  private JobRun.Start noting(JobRun.Start begun) {
    return () -> {
      JournalRun run = begun.begin();
      id = run.id();
      return run;
    };
  }

  /** What stays where it is ended before its end; from any thread. */
  public String stays() {
    String begun = id;
    return begun == null
        ? "nothing was changed"
        : String.format(
            "HDFS goes on with what was changed: 'tierwise journal %s' tells it, 'tierwise undo %s'"
                + " takes it back",
            begun, begun);
  }
}
