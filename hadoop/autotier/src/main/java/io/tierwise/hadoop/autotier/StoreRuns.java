package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.secondary.FullQuotas;
import io.tierwise.hadoop.secondary.SecondaryReport;
import io.tierwise.hadoop.secondary.StoreProbe;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The runs of a daemon's secondary stores, one at a time, in a thread of their own: a store that
 * takes calls and never answers holds up that thread alone.
 *
 * <p>A run without a sign of life is given up when a store does not answer a question beside it,
 * either. A large object that is renamed takes as long, and a DataNode that hangs is the client's
 * to give up. A run that was given up ends as soon as its call comes back, and takes back what it
 * was about; until then no other one begins.
 */
final class StoreRuns {
  /** Own: longer than most calls take. Clients of HDFS wait for as long for a DataNode. */
  private static final long SIGN_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Own: a run ends within seconds where its store answers. */
  private static final long STOP_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long LOOK_MILLIS = 200;

  private final Consumer<String> say;
  private final FullQuotas quotas = new FullQuotas();

  /** When the store that is silent was heard last; empty while none is. */
  private Optional<Long> silentSinceNanos = Optional.empty();

  private Attempt last;
  private boolean isAsked;

  /** A run of the secondary store. */
  @FunctionalInterface
  interface Run {
    /**
     * Makes it.
     *
     * @param ended asked all the time: whether it should end
     */
    SecondaryReport make(BooleanSupplier ended) throws IOException;
  }

  /**
   * @param say is told lines for people, by any thread
   */
  StoreRuns(Consumer<String> say) {
    this.say = say;
  }

  /** Quotas that refused files of earlier runs. */
  FullQuotas quotas() {
    return quotas;
  }

  /**
   * Refuses stores that are not there before anything runs: asks once, whoever needs them. A store
   * that hangs is no reason not to begin, and is said.
   *
   * @throws OperatorException one line
   */
  void requireReachable(MoverCluster cluster) throws IOException {
    if (!isAsked) {
      StoreProbe.requireReachable(cluster.fs(), cluster.fs().getConf()).ifPresent(this::isSilent);
      isAsked = true;
    }
  }

  /** Says so, once until it answers again. */
  private void isSilent(StoreProbe.Silence silence) {
    if (silentSinceNanos.isEmpty()) {
      silentSinceNanos = Optional.of(System.nanoTime() - Math.round(1e9 * silence.seconds()));
      say.accept(silence + ": files stay where they are, and all else goes on");
    }
  }

  /**
   * Makes a run; for one thread at a time.
   *
   * @param ended whether it should end
   * @param stopped whether it should, and nobody waits for it any more
   * @return empty when it was stopped before it began, or given up since it was stopped
   * @throws OperatorException when it was given up since a store does not answer
   */
  Optional<SecondaryReport> make(
      MoverCluster cluster, Run run, BooleanSupplier ended, BooleanSupplier stopped)
      throws IOException {
    if (last != null && last.thread.isAlive()) {
      throw OperatorException.cluster(
          last.silent
              .map(store -> silence(store).toString())
              .orElse("an earlier run of the secondary store has not ended yet"),
          null);
    }
    last = new Attempt(run, ended);
    last.thread.start();
    if (await(last, cluster, stopped)) {
      if (last.failure instanceof InterruptedIOException && ended.getAsBoolean()) {
        return Optional.empty();
      }
      SecondaryReport report = last.result();
      if (silentSinceNanos.isPresent()) {
        silentSinceNanos = Optional.empty();
        say.accept("the secondary store " + report.store() + " answers again");
      }
      return Optional.of(report);
    }
    if (last.silent.isEmpty()) {
      return Optional.empty();
    }
    StoreProbe.Silence silence = silence(last.silent.get());
    isSilent(silence);
    throw OperatorException.cluster(silence.toString(), null);
  }

  private StoreProbe.Silence silence(String store) {
    return new StoreProbe.Silence(
        store, (System.nanoTime() - silentSinceNanos.orElse(last.signNanos)) / 1e9);
  }

  /** Whether it came to its end; else it is given up. */
  private static boolean await(Attempt attempt, MoverCluster cluster, BooleanSupplier stopped)
      throws IOException {
    StoreProbe probe = null;
    long answeredNanos = attempt.signNanos;
    while (!attempt.join()) {
      long now = System.nanoTime();
      long quietNanos = now - attempt.signNanos;
      if (stopped.getAsBoolean() && quietNanos > STOP_NANOS) {
        attempt.givenUp = true;
        return false;
      }
      if (quietNanos < SIGN_NANOS || now - answeredNanos < SIGN_NANOS) {
        probe = null;
      } else if (probe == null) {
        probe = StoreProbe.start(cluster.fs(), cluster.fs().getConf());
      } else if (probe.isAnswered()) {
        answeredNanos = now;
      } else if (probe.silent().isPresent()) {
        attempt.silent = probe.silent();
        attempt.givenUp = true;
        return false;
      }
    }
    return true;
  }

  /** One run, in its thread. */
  private static final class Attempt {
    private final Run run;
    private final BooleanSupplier ended;
    private final Thread thread = new Thread(this::work, "autotier-store");
    private volatile long signNanos = System.nanoTime();
    private volatile boolean givenUp;
    private Optional<String> silent = Optional.empty();
    private SecondaryReport report;
    private Throwable failure;

    private Attempt(Run run, BooleanSupplier ended) {
      this.run = run;
      this.ended = ended;
      thread.setDaemon(true);
    }

    private void work() {
      try {
        report = run.make(this::isEnded);
      } catch (IOException | RuntimeException | Error e) {
        failure = e;
      }
    }

    private boolean isEnded() {
      signNanos = System.nanoTime();
      return givenUp || ended.getAsBoolean();
    }

    /** Waits a moment, and returns whether it is over. */
    private boolean join() throws IOException {
      try {
        thread.join(LOOK_MILLIS);
      } catch (InterruptedException e) {
        givenUp = true;
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("stopped");
      }
      return !thread.isAlive();
    }

    private SecondaryReport result() throws IOException {
      ThreadFailure.raise(failure);
      return report;
    }
  }
}
