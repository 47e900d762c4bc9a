package io.tierwise.hadoop.autotier.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.history.Phase;
import io.tierwise.history.RunRecord;
import io.tierwise.profiles.RunCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A daemon that runs for weeks, and a catalog that grows meanwhile. */
class ProfileBookTest {
  private static final long BYTES = 1_000;

  @TempDir private Path folder;
  private long nowNanos;

  private String catalog() {
    return folder.resolve("runs.db").toString();
  }

  private void add(String id, String name, long seconds) {
    Phase map =
        new Phase("map", 1, 0, 1_000 * seconds, 1_000 * seconds, 5, BYTES, 0, 0, 0, Map.of());
    RunRecord run =
        new RunRecord(
            RunRecord.Engine.MAPREDUCE, id, name, 0, 0, 1_000 * seconds, true, List.of(map));
    try (RunCatalog runs = RunCatalog.openOrMake(catalog())) {
      runs.add(List.of(new RunCatalog.NamedRun(run, name)));
    }
  }

  @BeforeEach
  void runOnce() {
    add("job_1", "count", 100);
  }

  private static SubmittedJob job(String name) {
    return new SubmittedJob(RunRecord.Engine.MAPREDUCE, "application_1", "ann", name, 0);
  }

  private double seconds(ProfileBook book, String name) {
    return book.predict(job(name), BYTES).seconds().expected();
  }

  private void pass(long minutes) {
    nowNanos += TimeUnit.MINUTES.toNanos(minutes);
  }

  @Test
  void newerRunsOfAKnownApplicationCountWithinTenMinutes() {
    ProfileBook book = new ProfileBook(catalog(), () -> nowNanos);
    assertThat(seconds(book, "count")).isEqualTo(100);
    add("job_2", "count", 300);

    pass(9);
    assertThat(seconds(book, "count")).isEqualTo(100);
    pass(1);
    assertThat(seconds(book, "count")).isEqualTo(200);
  }

  @Test
  void aCatalogThatIsAwayIsAsItWas() throws IOException {
    ProfileBook book = new ProfileBook(catalog(), () -> nowNanos);
    Files.delete(folder.resolve("runs.db"));

    pass(60);
    assertThat(seconds(book, "count")).isEqualTo(100);
    pass(2);
    assertThatThrownBy(() -> seconds(book, "sort"))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("runs.db");
    add("job_2", "sort", 300);
    pass(2);
    assertThat(seconds(book, "sort")).isEqualTo(300);
  }
}
