package io.tierwise.hadoop.mover;

import io.tierwise.policies.movement.MovementLimits;
import java.util.List;
import java.util.function.Consumer;

/**
 * Knowledge of a process's movers that outlasts a run: which volumes and nodes are left alone for a
 * while, what moves owe to the rates, and which other name services do not tell whether a mover
 * runs there. A daemon keeps it from one run to the next, and says each thing once. Safe for many
 * threads.
 */
public final class MoverMemory {
  private final Consumer<String> say;
  private final OtherMovers.Known services = new OtherMovers.Known();
  private final Avoided avoided;
  private final SilentServices silent;
  private boolean saidUnseenShuffle;

  /** Of the last run; null before the first. */
  private MoveQueue queue;

  /**
   * Knows nothing yet.
   *
   * @param say is told lines for people, by any thread
   */
  public MoverMemory(Consumer<String> say) {
    this.say = say;
    avoided = new Avoided(say);
    silent = new SilentServices(say);
  }

  OtherMovers.Known services() {
    return services;
  }

  Avoided avoided() {
    return avoided;
  }

  /** For a run that begins now: it may not move what those before it owe to the same limits. */
  synchronized MoveQueue queue(MovementLimits limits) {
    queue = queue == null ? new MoveQueue(limits) : queue.next(limits);
    return queue;
  }

  /**
   * A run is over: says what it could not heed, and none before it said.
   *
   * @param unseen name services that did not always answer
   */
  synchronized void ended(MoverReport report, List<OtherNameService.Silent> unseen) {
    if (report.heeded().unseenShuffle() != null && !saidUnseenShuffle) {
      saidUnseenShuffle = true;
      say.accept(report.heeded().unseenShuffle());
    }
    silent.say(unseen);
  }
}
