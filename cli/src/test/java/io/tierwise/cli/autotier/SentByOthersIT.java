package io.tierwise.cli.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whose file a daemon takes one for that is in the store, by its journal. */
@Tag("long")
class SentByOthersIT {
  private static final String RENAMED = "/data/renamed";
  private static final String PERSONS = "/data/cold-0";
  private static final String AWAY = "/data/away";
  private static final String KEPT = "/data/cold-2";

  @TempDir private Path folder;
  private ColdFiles cold;
  private List<String> store;

  private void rename(String from, String to) throws IOException {
    assertThat(cold.hdfs().fs().rename(AuditedHdfs.hadoop(from), AuditedHdfs.hadoop(to))).isTrue();
  }

  /** What a daemon with that journal would bring back, in the order of names. */
  private List<String> recalls(String journal) throws IOException {
    List<String> words =
        cold.words("plan", store, "--json", "--journal", folder.resolve(journal).toString());
    // All reads of this test count, also on a slow machine.
    words.set(words.indexOf("8 s"), "10 min");
    CommandRun run = CommandRun.of(words.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isLessThan(2);
    TreeSet<String> paths = new TreeSet<>();
    for (JsonNode move : new ObjectMapper().readTree(run.out()).path("recalls")) {
      move.path("paths").forEach(path -> paths.add(path.asText()));
    }
    return new ArrayList<>(paths);
  }

  @Test
  @Timeout(600)
  void itGoesByThePathInItsOwnJournal() throws Exception {
    String uri = "file://" + Files.createDirectory(folder.resolve("nas"));
    store = List.of("-D", "tierwise.secondary.stores=" + uri);
    try (ColdFiles files = new ColdFiles(folder, 3)) {
      cold = files;
      StoredFiles stored = new StoredFiles(cold.hdfs(), uri);
      try (DaemonProcess daemon = cold.daemon(store)) {
        cold.awaitReading(daemon, "all go", () -> cold.stored(stored) == 3);
      }
      rename("/data/cold-1", RENAMED);
      rename(PERSONS, AWAY);
      cold.hdfs().write("/data/mine", 3);
      List<String> words = new ArrayList<>(List.of("secondary", "offload", "/data/mine"));
      words.addAll(store);
      words.addAll(List.of("--journal", folder.resolve("a-persons").toString()));
      assertThat(cold.hdfs().run(words.toArray(String[]::new)).exitCode()).isZero();
      rename("/data/mine", PERSONS);
      List<String> all = List.of(RENAMED, AWAY, PERSONS, KEPT);

      DaemonThread.await(
          "they are popular",
          300,
          () -> {
            for (String path : all) {
              stored.read(path, ColdFiles.READERS);
            }
            return recalls("journal").contains(KEPT);
          });

      assertThat(recalls("journal"))
          .as("not what was renamed, and what a person sent from another journal")
          .isEqualTo(List.of(PERSONS, KEPT));
      assertThat(recalls("another")).as("a daemon that knows of none").isEmpty();
    }
  }
}
