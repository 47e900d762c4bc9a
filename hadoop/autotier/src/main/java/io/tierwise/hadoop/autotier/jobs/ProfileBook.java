package io.tierwise.hadoop.autotier.jobs;

import io.tierwise.core.message.OperatorException;
import io.tierwise.profiles.Prediction;
import io.tierwise.profiles.Profiles;
import io.tierwise.profiles.RunCatalog;
import java.util.concurrent.TimeUnit;

/** The profiles of a catalog, read again when an application is not among them. */
public final class ProfileBook {
  /** Own: somebody may have imported runs since; a catalog of many runs takes seconds to read. */
  private static final long AGE_NANOS_MIN = TimeUnit.MINUTES.toNanos(1);

  private static final String ENGINE = "mapreduce";

  private final String catalog;
  private Profiles profiles;
  private long readNanos;

  /**
   * @throws OperatorException when there is no such catalog, or it cannot be read
   */
  public ProfileBook(String catalog) {
    this.catalog = catalog;
    read();
  }

  private void read() {
    try (RunCatalog runs = RunCatalog.open(catalog)) {
      profiles = Profiles.of(runs);
    }
    readNanos = System.nanoTime();
  }

  /**
   * A run's prediction.
   *
   * @param name of the job
   * @throws OperatorException when nothing is known of its application
   */
  public Prediction predict(String name, long inputBytes) {
    try {
      return profiles.find(name, ENGINE).predict(inputBytes);
    } catch (OperatorException e) {
      if (System.nanoTime() - readNanos < AGE_NANOS_MIN) {
        throw e;
      }
      read();
      return profiles.find(name, ENGINE).predict(inputBytes);
    }
  }
}
