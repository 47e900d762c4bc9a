package io.tierwise.hadoop.autotier.jobs;

import io.tierwise.core.message.OperatorException;
import io.tierwise.profiles.Prediction;
import io.tierwise.profiles.Profiles;
import io.tierwise.profiles.RunCatalog;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The profiles of a catalog, as they were no more than ten minutes ago: what is imported meanwhile,
 * or measured, counts for the next jobs.
 */
public final class ProfileBook {
  /** Own: a catalog of many runs takes seconds to read, and history is imported once a night. */
  private static final long AGE_NANOS_MAX = TimeUnit.MINUTES.toNanos(10);

  /** Own: sooner where an application is not among them, but not for each of its jobs. */
  private static final long AGE_NANOS_MIN = TimeUnit.MINUTES.toNanos(1);

  private final String catalog;
  private final LongSupplier nanos;
  private Profiles profiles;
  private long readNanos;

  /**
   * @throws OperatorException when there is no such catalog, or it cannot be read
   */
  public ProfileBook(String catalog) {
    this(catalog, System::nanoTime);
  }

  /** The same with a clock of its own. */
  ProfileBook(String catalog, LongSupplier nanos) {
    this.catalog = catalog;
    this.nanos = nanos;
    read();
  }

  private void read() {
    // A catalog that is away is asked again as late as one that was read.
    readNanos = nanos.getAsLong();
    try (RunCatalog runs = RunCatalog.open(catalog)) {
      profiles = Profiles.of(runs);
    }
  }

  private long ageNanos() {
    return nanos.getAsLong() - readNanos;
  }

  /** Reads a catalog that has grown old. While it is away, what it said last is good enough. */
  private void renew() {
    if (ageNanos() < AGE_NANOS_MAX) {
      return;
    }
    try {
      read();
    } catch (OperatorException e) {
      // It is told when an application is asked for that the old profiles do not know.
    }
  }

  /**
   * A run's prediction.
   *
   * @throws OperatorException when nothing is known of its application
   */
  public Prediction predict(SubmittedJob job, long inputBytes) {
    renew();
    try {
      return profiles.find(job.name(), job.engine().word()).predict(inputBytes);
    } catch (OperatorException e) {
      if (ageNanos() < AGE_NANOS_MIN) {
        throw e;
      }
      read();
      return profiles.find(job.name(), job.engine().word()).predict(inputBytes);
    }
  }
}
