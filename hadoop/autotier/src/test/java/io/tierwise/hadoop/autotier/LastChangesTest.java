package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.inspect.cluster.ClusterUri;
import io.tierwise.hadoop.mover.ReplicaMark;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LastChangesTest {
  private static final String HERE = "hdfs://here";

  @TempDir private Path folder;
  private final List<String> said = new ArrayList<>();

  private String run(
      String command, String cluster, String undoes, long file, int after, String why)
      throws IOException {
    try (JournalRun run =
        new Journal(folder).begin(command, "ann", cluster, List.of("/"), "ppa", undoes)) {
      long step = run.append(new JournalEntry.Replicas("/f", file, 3, after, "ppa", "it is hot"));
      run.append(new JournalEntry.Result(step, why));
      return run.id();
    }
  }

  private LastChanges read() {
    said.clear();
    return LastChanges.of(
        new Journal(folder), new ClusterUri(URI.create(HERE), new Configuration(false)), said::add);
  }

  private void damage(String id, int line) throws IOException {
    Path file = folder.resolve(id + ".jsonl");
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    lines.set(line, "damaged");
    Files.write(file, lines);
  }

  private boolean owns(long file, int replicas) {
    return read().of(file, Map.of()).filter(last -> last.owns(replicas)).isPresent();
  }

  @Test
  void knowsWhatItGaveEachFile() throws IOException {
    run(ReplicaMark.COMMAND, "hdfs://HERE:8020", null, 1, 5, null);
    run(ReplicaMark.COMMAND, HERE, null, 2, 5, "no permission");
    run(ReplicaMark.COMMAND, "hdfs://there", null, 3, 5, null);
    run("file layout", HERE, null, 4, 5, null);

    assertThat(owns(1, 5)).isTrue();
    assertThat(owns(1, 4)).isFalse();
    assertThat(read().of(1, Map.of()).orElseThrow().seconds()).isPositive();
    for (long other = 2; other <= 5; other++) {
      assertThat(read().of(other, Map.of())).as("file %d", other).isEmpty();
    }
  }

  /** What is not this cluster's daemon's matters to it by its first line alone. */
  @Test
  void aFileThatCannotBeReadKeepsNobodyFromStarting() throws IOException {
    run(ReplicaMark.COMMAND, HERE, null, 1, 5, null);
    damage(run("file move", HERE, null, 2, 5, null), 1);
    damage(run(ReplicaMark.COMMAND, "hdfs://there", null, 3, 5, null), 1);
    Files.writeString(folder.resolve("out.jsonl"), "{}\n");
    assertThat(owns(1, 5)).isTrue();
    assertThat(said).isEmpty();

    damage(run(ReplicaMark.COMMAND, HERE, null, 4, 5, null), 1);
    damage(run("file move", HERE, null, 5, 5, null), 0);
    run(ReplicaMark.COMMAND, HERE, null, 6, 5, null);

    assertThat(owns(1, 5)).isTrue();
    assertThat(said).hasSize(2);
    assertThat(said.get(0)).contains("is damaged at line 2", "autotier goes on without it");
    assertThat(said.get(1)).contains("is damaged at line 1");
    assertThat(owns(4, 5)).isFalse();
    assertThat(owns(6, 5)).isTrue();
  }

  @Test
  void aRunThatWasTakenBackCountsAsAChangeOfItsOwn() throws IOException {
    String id = run(ReplicaMark.COMMAND, HERE, null, 1, 5, null);
    run("undo", HERE, id, 1, 3, null);

    assertThat(owns(1, 3)).isTrue();
    assertThat(owns(1, 5)).isFalse();
  }

  @Test
  void aStepOfWhichNobodyWroteTheResultMayHaveBeenMade() throws IOException {
    try (JournalRun run =
        new Journal(folder).begin(ReplicaMark.COMMAND, "ann", HERE, List.of("/"), "ppa", null)) {
      run.append(new JournalEntry.Replicas("/f", 1, 3, 5, "ppa", "it is hot"));
    }
    assertThat(owns(1, 5)).isTrue();
  }

  /** As where a quota is full: once there is room, the file need not wait. */
  @Test
  void aMarkWhoseChangeHdfsRefusedIsNoChange() throws IOException {
    run(ReplicaMark.COMMAND, HERE, null, 1, 5, "the quota is exceeded");
    ReplicaMark mark = new ReplicaMark(1, 3, 5, 9, false);

    assertThat(read().isMade(mark, 3)).isFalse();

    run(ReplicaMark.COMMAND, HERE, null, 1, 5, null);
    assertThat(read().isMade(mark, 3)).as("somebody gave it the number back").isTrue();
  }

  @Test
  void aMarkWithoutItsChangeIsNoChange() throws IOException {
    aStepOfWhichNobodyWroteTheResultMayHaveBeenMade();
    ReplicaMark mark = new ReplicaMark(1, 3, 5, 9, false);

    assertThat(read().isMade(mark, 3)).as("the number from before").isFalse();
    assertThat(read().isMade(mark, 5)).as("it was, and its result was lost").isTrue();
    assertThat(read().isMade(mark, 4)).as("somebody's own choice").isTrue();
    assertThat(read().isMade(new ReplicaMark(1, 2, 3, 9, false), 3)).as("a later one").isTrue();
    assertThat(read().isMade(new ReplicaMark(2, 3, 5, 9, false), 3)).as("a file").isTrue();

    run(ReplicaMark.COMMAND, HERE, null, 1, 5, null);
    assertThat(read().isMade(mark, 3)).as("somebody gave it the number back").isTrue();
  }

  private static JournalEntry.Moving move(long file, long block, String from, String to) {
    return new JournalEntry.Moving(
        "/f", file, 20, null, 0, block, 10, place(from), "n", place(to), "p", "r", 10, null);
  }

  private static JournalEntry.Place place(String tier) {
    return new JournalEntry.Place("n", "n", "s", "t", tier, "r");
  }

  private LastChanges moved(String to, String firstResult, JournalEntry.Moving... moves)
      throws IOException {
    Journal journal = new Journal(folder);
    try (JournalRun run = journal.begin(ReplicaMark.COMMAND, "ann", HERE, List.of("/"), to, null)) {
      String why = firstResult;
      for (JournalEntry.Moving move : moves) {
        run.append(new JournalEntry.Result(run.append(move), why));
        why = null;
      }
    }
    return read();
  }

  private void policy(long file, String before, String after, boolean done) throws IOException {
    policy("1 x ssd by ppa", file, before, after, done);
  }

  private void policy(String to, long file, String before, String after, boolean done)
      throws IOException {
    try (JournalRun run =
        new Journal(folder).begin(ReplicaMark.COMMAND, "ann", HERE, List.of("/"), to, null)) {
      long step = run.append(new JournalEntry.StoragePolicy("/f" + file, file, before, after));
      if (done) {
        run.append(new JournalEntry.Result(step, null));
      }
    }
  }

  @Test
  void aStoragePolicyIsInVainWhereNoReplicaCameToAnyTier() throws IOException {
    for (long file = 1; file <= 5; file++) {
      policy(file, "HOT", "ONE_SSD", true);
    }
    moved("1 x ssd by ppa", null, move(2, 2, "disk", "ssd"));
    moved("1 x nvme by rule 1", null, move(3, 3, "disk", "nvme"));
    moved("1 x ssd by ppa", null, move(4, 4, "disk", "ssd"));
    policy(4, "ONE_SSD", "HOT", false);
    policy(5, "ONE_SSD", "HOT", true);

    LastChanges changes = read();
    assertThat(changes.keptInVain("disk")).containsExactly(Map.entry(1L, "/f1"));
    assertThat(changes.unkept("ssd")).containsExactly(Map.entry(4L, "/f4"));
    changes.forgetStoragePolicy(1);
    assertThat(changes.keptInVain("disk")).isEmpty();
  }

  @Test
  void theLastRunSaysWhetherAStoragePolicyIsOfAPrefetch() throws IOException {
    String prefetch = "1 x ssd by adaptive-placement";
    policy(1, "HOT", "ONE_SSD", true);
    policy(prefetch, 2, "HOT", "ONE_SSD", false);
    policy(prefetch, 3, "HOT", "ONE_SSD", true);
    policy("1 x disk by ppa", 3, "ONE_SSD", "HOT", false);
    policy(4, "HOT", "ONE_SSD", true);
    policy("1 x disk by adaptive-placement", 4, "ONE_SSD", "HOT", false);

    LastChanges changes = read();
    assertThat(List.of(1L, 2L, 3L, 4L).stream().filter(changes::hasPolicyOfPrefetch))
        .containsExactly(2L, 4L);
  }

  /** Else a daemon that prefetches for months remembers each file that it ever prefetched. */
  @Test
  void ofAFileThatLeftAgainNothingOfItsStoragePolicyIsRemembered() throws IOException {
    Journal journal = new Journal(folder);
    String in = "1 x ssd by adaptive-placement";
    String out = "1 x disk by adaptive-placement";
    for (long file = 1; file <= 5; file++) {
      try (JournalRun run =
          journal.begin(ReplicaMark.COMMAND, "ann", HERE, List.of("/"), in, null)) {
        done(run, new JournalEntry.StoragePolicy("/f", file, "HOT", "ONE_SSD"));
        done(run, move(file, file, "disk", "ssd"));
      }
    }
    try (JournalRun run =
        journal.begin(ReplicaMark.COMMAND, "ann", HERE, List.of("/"), out, null)) {
      for (long file = 1; file <= 3; file++) {
        done(run, new JournalEntry.StoragePolicy("/f", file, "ONE_SSD", "HOT"));
      }
      done(run, move(1, 1, "ssd", "disk"));
      run.append(new JournalEntry.Result(run.append(move(2, 2, "ssd", "disk")), "stopped"));
    }

    LastChanges changes = read();
    assertThat(List.of(1L, 2L, 3L, 4L, 5L).stream().filter(changes::hasPolicyOfPrefetch))
        .as("2 and 3 may be there without the policy with which they stay")
        .containsExactly(2L, 3L, 4L, 5L);
    assertThat(changes.unkept("ssd")).containsOnlyKeys(2L, 3L);
    changes.forgetPlaced(2);
    changes.forgetStoragePolicy(5);
    assertThat(List.of(1L, 2L, 3L, 4L, 5L).stream().filter(changes::hasPolicyOfPrefetch))
        .containsExactly(3L, 4L);
    assertThat(changes.unkept("ssd")).containsOnlyKeys(3L);
    changes.forgetPlaced(4);
    assertThat(changes.keptInVain("disk")).as("it has still what we gave it").containsOnlyKeys(4L);
    assertThat(changes.hasPolicyOfPrefetch(4)).isTrue();
  }

  private static void done(JournalRun run, JournalEntry entry) throws IOException {
    run.append(new JournalEntry.Result(run.append(entry), null));
  }

  @Test
  void aMoveThatFailedMayHaveComeOrMayNotHaveLeft() throws IOException {
    String stopped = "the mover was stopped";
    moved("1 x ssd by adaptive-placement", null, move(1, 1, "disk", "ssd"));
    moved("1 x ssd by adaptive-placement", stopped, move(2, 2, "disk", "ssd"));
    moved("1 x ssd by ppa", stopped, move(3, 3, "ssd", "disk"));
    LastChanges changes =
        moved(
            "1 x disk by adaptive-placement",
            stopped,
            move(1, 1, "ssd", "disk"),
            move(1, 4, "ssd", "disk"));

    assertThat(changes.prefetchedIn("ssd")).containsOnlyKeys(1L, 2L);
    assertThat(changes.placedIn("ssd")).as("nobody here brought it there").isEmpty();
    moved("1 x ssd by adaptive-placement", null, move(2, 2, "ssd", "disk"));
    assertThat(read().prefetchedIn("ssd")).as("it has left since").containsOnlyKeys(1L);
    changes.popular(2);
    assertThat(changes.placedIn("ssd")).containsOnlyKeys(2L);
    changes.forgetPlaced(1);
    assertThat(changes.prefetchedIn("ssd")).isEmpty();
  }

  @Test
  void whatTheNameNodeHasInOneTierSaysNothingOfAnother() throws IOException {
    moved("1 x ssd by adaptive-placement", null, move(1, 1, "disk", "ssd"));
    LastChanges changes =
        moved("1 x disk by adaptive-placement", "the mover was stopped", move(1, 1, "ssd", "disk"));
    changes.saw("disk", 1, "/f", 0);

    assertThat(changes.prefetchedIn("disk").get(1L).bytes()).isZero();
    assertThat(changes.prefetchedIn("ssd").get(1L).bytes()).isEqualTo(20);
  }

  private void takeIn(LastChanges changes, String to, JournalEntry... entries) throws IOException {
    Journal journal = new Journal(folder);
    String id;
    try (JournalRun run = journal.begin(ReplicaMark.COMMAND, "ann", HERE, List.of("/"), to, null)) {
      id = run.id();
      for (JournalEntry entry : entries) {
        done(run, entry);
      }
    }
    changes.add(PastRun.read(journal, id));
    changes.forgetPast(Optional.of("ssd"), 3_600);
  }

  /** Else a daemon that runs for months remembers each file that it ever changed. */
  @Test
  void ofFilesThatCameAndLeftNothingIsRemembered() throws IOException {
    LastChanges changes = read();
    for (long file = 1; file <= 20; file++) {
      JournalEntry comes = new JournalEntry.StoragePolicy("/f", file, "HOT", "ONE_SSD");
      JournalEntry leaves = new JournalEntry.StoragePolicy("/f", file, "ONE_SSD", "HOT");
      takeIn(changes, "1 x ssd by ppa", comes, move(file, file, "disk", "ssd"));
      assertThat(changes.placedIn("ssd")).containsOnlyKeys(file);
      takeIn(changes, "1 x disk by ppa", leaves, move(file, file, "ssd", "disk"));
      takeIn(changes, "1 x nvme by rule 1", move(file + 100, file, "disk", "nvme"));
      takeIn(changes, "ppa", new JournalEntry.Replicas("/f", file, 3, 5, "ppa", "it is hot"));
      takeIn(changes, "1 x ssd by ppa", comes);
      assertThat(changes.keptInVain("disk")).containsOnlyKeys(file);
      takeIn(changes, "1 x disk by ppa", leaves);
    }
    assertThat(changes.files()).isZero();

    JournalEntry policy = new JournalEntry.StoragePolicy("/f", 1, "HOT", "ONE_SSD");
    takeIn(changes, "1 x ssd by adaptive-placement", policy, move(1, 1, "disk", "ssd"));
    takeIn(changes, "1 x nvme by rule 1", move(101, 1, "disk", "nvme"));
    assertThat(changes.prefetchedIn("ssd")).containsOnlyKeys(1L);
    assertThat(changes.hasPolicyOfPrefetch(1)).isTrue();
    assertThat(changes.files()).isOne();
  }

  @Test
  void aRefusedChangeIsRememberedWhileItsMarkMayHoldTheFile() throws IOException {
    run(ReplicaMark.COMMAND, HERE, null, 1, 5, "the quota is exceeded");
    ReplicaMark mark = new ReplicaMark(1, 3, 5, 9, false);
    LastChanges changes = read();
    changes.forgetPast(Optional.empty(), 3_600);
    assertThat(changes.isMade(mark, 3)).isFalse();

    changes.forgetPast(Optional.empty(), -1);
    assertThat(changes.files()).as("where marks hold for no time at all").isZero();
  }

  @Test
  void aFileWithAMarkNeedsNoJournal() throws IOException {
    run(ReplicaMark.COMMAND, HERE, null, 1, 5, null);
    LastChanges changes = read();
    assertThat(changes.files()).isOne();

    byte[] mark = "1 1 3 5 1000".getBytes(StandardCharsets.UTF_8);
    assertThat(changes.of(1, Map.of(ReplicaMark.ATTRIBUTE, mark))).isPresent();
    assertThat(changes.files()).isZero();
  }

  @Test
  void theMarkOnTheFileSaysMoreThanThisJournal() throws IOException {
    run(ReplicaMark.COMMAND, HERE, null, 1, 5, null);
    Map<String, byte[]> marked =
        Map.of(ReplicaMark.ATTRIBUTE, "1 1 5 4 1000".getBytes(StandardCharsets.UTF_8));

    assertThat(read().of(1, marked)).contains(new ReplicaMark(1, 5, 4, 1000, false));
    assertThat(read().of(2, marked)).as("a copy of the file").isEmpty();
  }
}
