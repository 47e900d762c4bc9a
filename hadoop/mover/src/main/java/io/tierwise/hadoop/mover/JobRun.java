package io.tierwise.hadoop.mover;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.IOException;
import java.time.Instant;

/** A run of a job: it takes the cluster's one lock, keeps the journal and tells how far it is. */
public final class JobRun {
  /** Begins the journal, when the lock is taken. */
  @FunctionalInterface
  public interface Start {
    JournalRun begin() throws IOException;
  }

  /**
   * The end of a run.
   *
   * @param id of the run in the journal
   * @param ended when the last move was in place, or given up
   */
  public record Outcome(String id, MoverReport report, Instant ended) {}

  private final MoverCluster cluster;
  private final MoverSettings settings;
  private final MoverJob job;

  /** Null where no other run comes after this one. */
  private MoverMemory memory;

  private Mover mover;
  private boolean stopped;

  public JobRun(MoverCluster cluster, MoverSettings settings, MoverJob job) {
    this.cluster = cluster;
    this.settings = settings;
    this.job = job;
  }

  /** Knows what runs before it learned; what this one learns is added, and told there. */
  public JobRun remembering(MoverMemory known) {
    memory = known;
    return this;
  }

  /**
   * Runs the job. Once only.
   *
   * @param plan says how much is to come
   */
  public Outcome run(MoverReport plan, Start start, Listener listener) throws IOException {
    MoverMemory known = memory == null ? new MoverMemory(listener::say) : memory;
    try (Mover opened = Mover.open(cluster, settings, known);
        JournalRun journal = start.begin()) {
      use(opened);
      Listener.Step step = listener.begin(plan.coming(), plan.moved().bytes());
      MoverReport report = job.run(opened.writingTo(journal), journal, step);
      Instant ended = Instant.now();
      if (memory != null) {
        memory.ended(report, opened.unseenMovers()); // Else the report alone says it.
      }
      journal.append(report.journalEnd(job.changes(), job.changesLeft()));
      step.finish(
          Words.count(report.moved().replicas(), "replica")
              + " in "
              + Words.duration(report.seconds()));
      return new Outcome(journal.id(), report, ended);
    }
  }

  private synchronized void use(Mover opened) {
    mover = opened;
    if (stopped) {
      opened.stop();
    }
  }

  /** Ends it within seconds; from any thread. */
  public synchronized void stop() {
    stopped = true;
    if (mover != null) {
      mover.stop();
    }
  }
}
