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

  private final MoverCluster cluster;
  private final Control control;
  private final AutotierSettings settings;
  private final Autotier.Logs logs;
  private final Journal journal;
  private final Consumer<String> say;
  private final String since = Control.now();
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
    this.cluster = cluster;
    this.control = control;
    this.settings = settings;
    this.logs = logs;
    this.journal = journal;
    this.say = say;
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
      follow(new LeaseWatch(lease), roundsMax, told, stopped);
      tell();
    } catch (Autotier.Replaced e) {
      throw OperatorException.cluster(e.getMessage(), e);
    }
  }

  private void follow(
      LeaseWatch lease, int roundsMax, Consumer<Round> told, BooleanSupplier stopped)
      throws IOException, InterruptedException {
    autotier.run(
        roundsMax,
        round -> {
          rounds++;
          last = round;
          toldNanos = 0;
          told.accept(round);
        },
        new Autotier.Gate() {
          @Override
          public boolean isStopped() {
            return stopped.getAsBoolean();
          }

          @Override
          public boolean mayChange() throws IOException {
            lease.require();
            return Daemon.this.mayChange();
          }

          @Override
          public void requireLease() throws IOException {
            lease.require();
          }
        });
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
