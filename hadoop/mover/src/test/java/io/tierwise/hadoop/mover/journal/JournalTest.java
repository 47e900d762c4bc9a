package io.tierwise.hadoop.mover.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.journal.JournalEntry.Moving;
import io.tierwise.hadoop.mover.journal.JournalEntry.Place;
import io.tierwise.hadoop.mover.journal.JournalEntry.Result;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
  private static final Instant NOW = Instant.parse("2026-01-31T12:34:56Z");
  private static final Place DISK = new Place("n1:1", "uuid1", "s1", "DISK", "disk", "default");
  private static final Place SSD = new Place("n1:1", "uuid1", "s2", "SSD", "ssd", "default");

  @TempDir private Path folder;
  private Journal journal;

  @BeforeEach
  void open() {
    journal = new Journal(folder.resolve("journal"), InstantSource.fixed(NOW));
  }

  private static Moving move(long block) {
    return new Moving(
        "/dir/ein-file-\u00fc\n",
        16_400,
        300,
        null,
        0,
        block,
        100,
        DISK,
        "n1:1",
        SSD,
        "layout-movement",
        "the layout misses ssd",
        0,
        null);
  }

  private JournalRun begin() {
    return journal.begin("file move", "hdfs", "hdfs://nn", List.of("/dir"), "3 x ssd", null);
  }

  /** A run with two moves, one of them with a result, and no end. */
  private Path written() throws IOException {
    try (JournalRun run = begin()) {
      long first = run.append(move(1));
      run.append(move(2));
      run.append(new Result(first, null));
      return journal.directory().resolve(run.id() + ".jsonl");
    }
  }

  private static List<PastRun.Step> stepsOf(PastRun run) {
    List<PastRun.Step> steps = new ArrayList<>();
    run.read(steps::add);
    return steps;
  }

  @Test
  void whatIsWrittenIsReadWithItsResults() throws IOException {
    try (JournalRun run = begin()) {
      long first = run.append(move(1));
      long second = run.append(move(2));
      run.append(new Result(second, "no room"));
      run.append(new Result(first, null));
      run.append(
          new JournalEntry.End(
              1, 100, List.of(new JournalEntry.Left("no room", true, 1, 100, "/dir/f")), false));
    }

    PastRun past = PastRun.read(journal, "20260131-123456");

    assertThat(past.cutRemark()).isEmpty();
    assertThat(past.begin().paths()).containsExactly("/dir");
    assertThat(stepsOf(past))
        .extracting(PastRun.Step::entry)
        .containsExactly((JournalEntry) move(1), move(2));
    assertThat(stepsOf(past)).extracting(PastRun.Step::done).containsExactly(true, false);
    assertThat(stepsOf(past).get(1).result().reason()).isEqualTo("no room");
    RunSummary summary = RunSummary.read(journal, "20260131-123456");
    assertThat(summary.began()).isEqualTo(NOW);
    assertThat(summary.steps()).isEqualTo(2);
    assertThat(summary.end().complete()).isFalse();
  }

  /** To the nanosecond, as the journal shows it. */
  @Test
  void theMomentOfAnEndIsReadAsItWasWritten() throws IOException {
    Instant moment = NOW.plusNanos(123_456_789);
    journal = new Journal(folder.resolve("exact"), InstantSource.fixed(moment));
    written();

    List<PastRun.Step> steps = stepsOf(PastRun.read(journal, "20260131-123456"));
    assertThat(steps).extracting(PastRun.Step::ended).containsExactly(moment, null);
  }

  @Test
  void theBeginningOfARunIsReadThoughItsRestIsDamaged() throws IOException {
    Path file = written();
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    lines.set(1, "damaged");
    Files.write(file, lines);
    assertThat(journal.beginOf("20260131-123456").paths()).containsExactly("/dir");

    lines.set(0, "damaged");
    Files.write(file, lines);
    assertThatThrownBy(() -> journal.beginOf("20260131-123456"))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("is damaged at line 1");
  }

  /** A full disk, or quota: the file can be made, and nothing be written to it. */
  @Test
  void aRunThatCannotWriteItsFirstLineLeavesNoFile() throws IOException {
    FileOutputStream full = new FileOutputStream("/dev/full");
    journal =
        new Journal(folder.resolve("full"), InstantSource.fixed(NOW), file -> target(full, 0));
    assertThatThrownBy(this::begin)
        .hasMessageContaining("No space left on device")
        .hasMessageContaining("the journal " + journal.directory() + " cannot be written");
    assertThat(journal.directory()).isEmptyDirectory();

    journal =
        new Journal(
            folder.resolve("full"),
            InstantSource.fixed(NOW),
            file -> target(OutputStream.nullOutputStream(), 1));
    assertThatThrownBy(this::begin).hasMessageContaining("sync 1 failed");
    assertThat(journal.directory()).isEmptyDirectory();
  }

  /** The monitor's rounds are about the blocks that it found. */
  @Test
  void aRunThatNamesNoPathIsListed() throws IOException {
    try (JournalRun run =
        journal.begin("monitor run", "hdfs", "hdfs://nn", List.of(), "their policies", null)) {
      RunSummary round = RunSummary.read(journal, run.id());

      assertThat(RunView.of(List.of(round)).get(0).pathsText()).isEqualTo("-");
    }
  }

  @Test
  void eachLineIsAnObjectWithAVersionAndAChecksum() throws IOException {
    assertThat(Files.readAllLines(written()))
        .hasSize(4)
        .allMatch(line -> line.matches("\\{\"v\":1,\"n\":\\d,\"time\":.*,\"crc32c\":\"\\w{8}\"}"));
  }

  @Test
  void onlyItsUserReadsIt() throws IOException {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(written())))
        .isEqualTo("rw-------");
  }

  @Test
  void runsOfOneSecondHaveIdsOfTheirOwnInTheirOrder() throws IOException {
    List<String> begun = new ArrayList<>();
    for (int i = 0; i < 11; i++) {
      try (JournalRun run = begin()) {
        begun.add(run.id());
      }
    }

    assertThat(begun.get(0)).isEqualTo("20260131-123456");
    assertThat(begun).doesNotHaveDuplicates();
    assertThat(journal.runs()).containsExactlyElementsOf(begun);
  }

  @Test
  void aLastLineThatIsCutAnywhereIsTheOnlyOneThatIsLost() throws IOException {
    Path file = written();
    byte[] whole = Files.readAllBytes(file);
    int lastLine = new String(whole, StandardCharsets.ISO_8859_1).lastIndexOf("{\"v\"");
    for (int length = lastLine + 1; length < whole.length - 1; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      PastRun past = PastRun.read(journal, "20260131-123456");
      assertThat(past.cutRemark()).as("%s of %s bytes", length, whole.length).isPresent();
      assertThat(stepsOf(past)).hasSize(2).allMatch(step -> step.result() == null);
    }
    Files.write(file, Arrays.copyOf(whole, lastLine));
    assertThat(PastRun.read(journal, "20260131-123456").cutRemark()).isEmpty();
  }

  @Test
  void aDamagedOrMissingLineIsToldInOneLine() throws IOException {
    Path file = written();
    List<String> lines = Files.readAllLines(file);

    Files.write(file, List.of(lines.get(0), lines.get(1).replace("ssd", "sss"), lines.get(2)));
    assertUnreadable("is damaged at line 2: its checksum is not that of its text");
    // The last one as well, when it is there to its end.
    Files.write(file, List.of(lines.get(0), lines.get(1).replace("ssd", "sss")));
    assertUnreadable("is damaged at line 2: its checksum is not that of its text");
    Files.write(file, List.of(lines.get(0), lines.get(2), lines.get(3)));
    assertUnreadable("is damaged at line 2: lines before it are missing");
    Files.write(file, lines.subList(1, 4));
    assertUnreadable("is damaged at line 1: lines before it are missing");
    Files.write(file, new byte[0]);
    assertUnreadable("is damaged at line 1: it is empty");
  }

  @Test
  void aRunThatWasKilledBeforeItsFirstLineWasWholeIsNone() throws IOException {
    byte[] whole = Files.readAllBytes(written());
    Path killed = journal.directory().resolve("20260131-123457.jsonl");
    for (int length : new int[] {0, 5, 50}) {
      Files.write(killed, Arrays.copyOf(whole, length));
      assertThat(journal.runs()).as("%s bytes", length).containsExactly("20260131-123456");
      assertThat(journal.resolve("last")).isEqualTo("20260131-123456");
    }
    Files.writeString(killed, "nobody's line");
    assertThat(journal.runs()).as("damaged").hasSize(2);
    Files.write(killed, whole);
    assertThat(journal.runs()).hasSize(2);
  }

  @Test
  void aNewerVersionIsToldInOneLine() throws IOException {
    Path file = written();
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    lines.add("{\"v\":5,\"n\":4,\"of\":\"another form\"}");
    Files.write(file, lines);

    assertUnreadable("is of version 5, and this tierwise knows version 4");
  }

  private void assertUnreadable(String says) {
    assertThatThrownBy(() -> PastRun.read(journal, "20260131-123456"))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining(says)
        .hasMessageNotContaining("\n");
  }

  @Test
  void aRunThatIsNotThereAndANameThatLeavesTheDirectoryAreRefused() {
    for (String id : List.of("20250101-000000", "../x", "")) {
      assertThatThrownBy(() -> PastRun.read(journal, id))
          .isInstanceOf(OperatorException.class)
          .hasMessageContaining("no run " + id);
    }
    assertThat(journal.runs()).isEmpty();
  }

  @Test
  void aDirectoryThatCannotBeWrittenIsToldBeforeAnythingIsDone() throws IOException {
    Files.writeString(journal.directory(), "a file");

    assertThatThrownBy(this::begin)
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("cannot be written")
        .hasMessageContaining("nothing was changed");
  }

  /** The kernel's own full disk. */
  @Test
  void aFullDiskTakesNothingMore() throws IOException {
    FileOutputStream out = new FileOutputStream("/dev/full");
    JournalRun run = new JournalRun("x", "/dev/full", target(out, 0), InstantSource.system());

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> run.append(move(1)))
          .isInstanceOf(OperatorException.class)
          .hasMessageContaining("No space left on device")
          .hasMessageContaining("nothing is moved that it does not have");
    }
    assertThatThrownBy(run::sync).isInstanceOf(OperatorException.class);
    run.close();
  }

  @Test
  void aSyncThatFailsIsAFailureOfAllLaterLines() throws IOException {
    JournalRun run =
        new JournalRun(
            "x", "x", target(OutputStream.nullOutputStream(), 2), InstantSource.system());
    run.append(move(1));
    run.sync();
    run.append(move(2));

    assertThatThrownBy(run::sync).hasMessageContaining("sync 2 failed");
    assertThatThrownBy(() -> run.append(move(3))).hasMessageContaining("sync 2 failed");
    run.close();
  }

  /** Nobody knows whether the sync that was under way has it. */
  @Test
  void aLineThatComesDuringASyncNeedsAnotherOne() throws IOException {
    AtomicInteger syncs = new AtomicInteger();
    JournalRun[] run = new JournalRun[1];
    JournalRun.Target slow =
        target(
            OutputStream.nullOutputStream(),
            () -> {
              if (syncs.incrementAndGet() == 1) {
                run[0].append(move(2));
              }
            });
    run[0] = new JournalRun("x", "x", slow, InstantSource.system());
    run[0].append(move(1));

    run[0].sync();
    assertThat(syncs).hasValue(1);
    run[0].sync();
    assertThat(syncs).hasValue(2);
    run[0].sync();
    assertThat(syncs).as("nothing was written since").hasValue(2);
    run[0].close();
  }

  @FunctionalInterface
  private interface Sync {
    void make() throws IOException;
  }

  /** Its sync fails from that one on; 0 for never. */
  private static JournalRun.Target target(OutputStream out, int failsAt) {
    AtomicInteger syncs = new AtomicInteger();
    return target(
        out,
        () -> {
          if (syncs.incrementAndGet() >= failsAt && failsAt > 0) {
            throw new IOException("sync " + failsAt + " failed");
          }
        });
  }

  private static JournalRun.Target target(OutputStream out, Sync sync) {
    return new JournalRun.Target() {
      @Override
      public OutputStream out() {
        return out;
      }

      @Override
      public void sync() throws IOException {
        sync.make();
      }

      @Override
      public void close() throws IOException {
        out.close();
      }
    };
  }
}
