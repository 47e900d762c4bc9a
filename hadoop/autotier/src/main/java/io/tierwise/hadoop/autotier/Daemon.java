package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.cluster.FailureText;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * An {@link Autotier} as the one daemon of its cluster: waits for the lease, heeds a pause, tells
 * what it does.
 */
public final class Daemon {
  private static final long LOOK_MILLIS = 1_000;
  private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Control control;
  private final AutotierSettings settings;
  private final Autotier.Logs logs;
  private final Journal journal;
  private final Consumer<String> say;
  private final String since = Control.now();

  /** With the tiers that it has now. */
  private MoverCluster cluster;

  private long lookNanos = TierWatch.LOOK_NANOS;
  private long toldNanos;
  private long rounds;
  private Round last;
  private Autotier autotier;
  private JobsTold toldJobs;

  /** Whether the last state could not be written. */
  private boolean isUntold;

  /**
   * @param say is told a line for people when something stands in the way
   */
  public Daemon(
      MoverCluster cluster,
      Control control,
      AutotierSettings settings,
      Autotier.Logs logs,
      Journal journal,
      Consumer<String> say) {
    cluster.requireNameNode(); // Before it takes the lease of one name service behind it.
    this.cluster = cluster;
    this.control = control;
    this.settings = settings;
    this.logs = logs;
    this.journal = journal;
    this.say = say;
  }

  /** Looks that often whether the cluster has other tiers. */
  Daemon lookingEach(long nanos) {
    lookNanos = nanos;
    return this;
  }

  /** Host and process, for people. */
  private static String owner() throws IOException {
    return InetAddress.getLocalHost().getHostName() + " process " + ProcessHandle.current().pid();
  }

  /**
   * Waits until no other daemon runs, and is one.
   *
   * @param roundsMax ends after so many; 0 for never
   * @param told of each round
   * @param stopped asked all the time: it ends within seconds
   * @throws OperatorException when another daemon took the lease, as after a minute without a sign
   *     of life
   */
  public void run(int roundsMax, Consumer<Round> told, BooleanSupplier stopped)
      throws IOException, InterruptedException {
    Optional<Lease> taken = await(stopped);
    if (taken.isEmpty()) {
      return;
    }
    try (Lease lease = taken.get()) {
      control.clear();
      // Only now: the daemon before may have changed files until its end.
      autotier = new Autotier(cluster, settings, logs, journal, say);
      tell();
      LeaseWatch held = new LeaseWatch(lease);
      TierWatch tiers = follow(held, roundsMax, told, stopped);
      while (tiers.isOutdated() && !stopped.getAsBoolean() && !isOver(roundsMax)) {
        tiers = followAnew(tiers, held, roundsMax, told, stopped);
      }
      tell();
    } catch (Autotier.Replaced e) {
      throw OperatorException.cluster(e.getMessage(), e);
    }
  }

  private boolean isOver(int roundsMax) {
    return roundsMax > 0 && rounds >= roundsMax;
  }

  /** Ends, too, when the cluster has other tiers by then. */
  private TierWatch follow(
      LeaseWatch lease, int roundsMax, Consumer<Round> told, BooleanSupplier stopped)
      throws IOException, InterruptedException {
    TierWatch tiers = new TierWatch(cluster, lookNanos, say);
    autotier.run(
        roundsMax == 0 ? 0 : Math.toIntExact(roundsMax - rounds),
        round -> {
          rounds++;
          last = round;
          toldNanos = 0;
          told.accept(round);
        },
        new Autotier.Gate() {
          @Override
          public boolean isStopped() {
            return stopped.getAsBoolean() || tiers.isOutdated();
          }

          @Override
          public boolean mayChange() throws IOException {
            lease.require();
            boolean may = Daemon.this.mayChange();
            return tiers.look() && may;
          }

          @Override
          public void requireLease() throws IOException {
            lease.require();
          }
        });
    return tiers;
  }

  /**
   * Begins anew with the tiers that the cluster has now. What they do not allow is said, and mended
   * by somebody: this daemon keeps the lease and changes nothing until then.
   */
  private TierWatch followAnew(
      TierWatch before,
      LeaseWatch lease,
      int roundsMax,
      Consumer<Round> told,
      BooleanSupplier stopped)
      throws InterruptedException {
    String said = "";
    while (!stopped.getAsBoolean()) {
      try {
        cluster = MoverCluster.of(cluster.fs(), cluster.conf());
        autotier = new Autotier(cluster, settings, logs, journal, say);
        return follow(lease, roundsMax, told, stopped);
      } catch (OperatorException | IOException e) {
        String line = FailureText.line(FailureText.cause(e));
        if (!line.equals(said) && !stopped.getAsBoolean()) {
          say.accept(line + "; nothing is changed until that is mended");
        }
        said = line;
        rest(lease, stopped);
      }
    }
    return before;
  }

  private void rest(LeaseWatch lease, BooleanSupplier stopped) throws InterruptedException {
    for (int i = 0; i < Autotier.REST_SECONDS && !stopped.getAsBoolean(); i++) {
      Thread.sleep(LOOK_MILLIS);
      try {
        lease.require();
        boolean unused = mayChange();
      } catch (IOException e) {
        // The next try says it.
      }
    }
  }

  private Optional<Lease> await(BooleanSupplier stopped) throws IOException, InterruptedException {
    Optional<Lease> lease = control.tryLease();
    if (lease.isEmpty()) {
      say.accept(
          "another daemon runs, or one was killed less than a minute ago: waits for its end"
              + " ('tierwise autotier status' says more)");
    }
    String said = "";
    while (lease.isEmpty() && !stopped.getAsBoolean()) {
      Thread.sleep(LOOK_MILLIS);
      try {
        lease = control.tryLease();
      } catch (IOException e) {
        // A NameNode that starts anew: who waits goes on waiting, as who runs goes on.
        String line = FailureText.line(FailureText.cause(e));
        if (!line.equals(said) && !stopped.getAsBoolean()) {
          say.accept(line);
        }
        said = line;
      }
    }
    return lease;
  }

  private boolean mayChange() throws IOException {
    // First: it fails where no NameNode answers, and not where nothing can be written.
    boolean paused = control.isPaused();
    boolean isNew = !isUntold && !Objects.equals(autotier.jobsTold(), toldJobs);
    if (isNew || System.nanoTime() - toldNanos > TELL_NANOS || toldNanos == 0) {
      tell();
    }
    return !paused;
  }

  /**
   * Tells of itself. Where that cannot be written, as where all disks are full, a line says so
   * once, and the work goes on: it may be what makes room.
   */
  private void tell() throws IOException {
    toldNanos = System.nanoTime();
    toldJobs = autotier.jobsTold();
    Control.Told now =
        new Control.Told(
            owner(),
            UserGroupInformation.getCurrentUser().getShortUserName(),
            since,
            Control.now(),
            settings.predictor(),
            rounds,
            last,
            toldJobs);
    try {
      control.tell(now);
      isUntold = false;
    } catch (IOException e) {
      if (!isUntold) {
        say.accept(
            "what this daemon does cannot be written to "
                + control.toldPath()
                + " ("
                + FailureText.line(FailureText.cause(e))
                + "): it goes on, and 'autotier status' says what it did before");
      }
      isUntold = true;
      control.sign();
    }
  }
}
