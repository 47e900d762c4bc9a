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
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SentFilesTest {
  private static final String HERE = "hdfs://here";
  private static final String SENT = StoreMove.Wish.unpopular("ppa", Map.of()).to();
  private static final String BACK = StoreMove.Wish.readAgain("ppa", Map.of()).to();
  private static final String RULED = StoreMove.Wish.ofRule("rules:1", Map.of()).to();

  @TempDir private Path folder;
  private final List<String> said = new ArrayList<>();

  private Journal journal() {
    return new Journal(folder);
  }

  private JournalRun begin(String command, String to) {
    return journal().begin(command, "ann", HERE, List.of("/"), to, null);
  }

  private static void move(JournalRun run, String path, String result) throws IOException {
    long step = run.append(new JournalEntry.Store(path, 1, 5_000, "hdfs", "secondary", "nas"));
    if (result != null) {
      run.append(new JournalEntry.Result(step, result.isEmpty() ? null : result));
    }
  }

  private void daemon(String to, String path, String result) throws IOException {
    try (JournalRun run = begin(ReplicaMark.COMMAND, to)) {
      move(run, path, result);
    }
  }

  /** Its id. */
  private String run(String to, String path) throws IOException {
    try (JournalRun run = begin(ReplicaMark.COMMAND, to)) {
      move(run, path, "");
      return run.id();
    }
  }

  private void person(String command, String path) throws IOException {
    try (JournalRun run = begin(command, "file:///nas")) {
      move(run, path, "");
      run.append(new JournalEntry.End(1, 5_000, List.of(), false));
    }
  }

  private static ClusterUri cluster() {
    return new ClusterUri(URI.create(HERE), new Configuration(false));
  }

  private SentFiles read() {
    SentFiles sent = LastChanges.of(journal(), cluster(), said::add).sent();
    sent.addOfPeople(journal(), cluster(), said::add);
    return sent;
  }

  @Test
  void knowsWhichFilesADaemonSentAsUnpopularAndBroughtBackItself() throws IOException {
    daemon(SENT, "/sent", "");
    daemon(SENT, "/killed", null);
    daemon(SENT, "/failed", "no room");
    daemon(RULED, "/ruled", "");
    daemon(SENT, "/back", "");
    daemon(BACK, "/back", "");
    daemon(SENT, "/half", "");
    daemon(BACK, "/half", null);
    daemon(SENT, "/again", "");
    daemon(BACK, "/again", "");
    daemon(SENT, "/again", "");

    SentFiles sent = read();

    assertThat(List.of("/sent", "/killed", "/half", "/again")).allMatch(sent::sentUnpopular);
    assertThat(List.of("/failed", "/ruled", "/other", "/back")).noneMatch(sent::sentUnpopular);
    assertThat(List.of("/back", "/half")).allMatch(sent::broughtBack);
    assertThat(List.of("/again", "/sent", "/other")).noneMatch(sent::broughtBack);
  }

  @Test
  void whoeverMovedAFileLastHasItsChoice() throws IOException {
    daemon(SENT, "/ruled", "");
    daemon(BACK, "/ruled", "");
    daemon(RULED, "/ruled", "");
    daemon(SENT, "/chosen", "");
    person("secondary recall", "/chosen");
    person("secondary offload", "/chosen");
    daemon(SENT, "/kept", "");
    daemon(BACK, "/kept", "");
    person("secondary offload", "/kept");
    person("secondary recall", "/kept");

    SentFiles sent = read();

    assertThat(List.of("/ruled", "/chosen", "/kept")).noneMatch(sent::sentUnpopular);
    assertThat(List.of("/ruled", "/chosen", "/kept")).noneMatch(sent::broughtBack);
  }

  @Test
  void hearsOfPeopleWhoMoveFilesMeanwhile() throws IOException {
    daemon(SENT, "/first", "");
    daemon(SENT, "/second", "");
    daemon(SENT, "/third", "");
    SentFiles sent = read();
    try (JournalRun run = begin("secondary recall", "file:///nas")) {
      move(run, "/first", "");
      sent.addOfPeople(journal(), cluster(), said::add);
      assertThat(sent.sentUnpopular("/first")).isFalse();
      move(run, "/second", "");
    }
    sent.addOfPeople(journal(), cluster(), said::add);
    assertThat(sent.sentUnpopular("/second")).isFalse();
    assertThat(sent.sentUnpopular("/third")).isTrue();

    daemon(SENT, "/first", "");
    sent = read();
    sent.addOfPeople(journal(), cluster(), said::add);
    assertThat(sent.sentUnpopular("/first")).as("after a run that nobody ended").isTrue();
  }

  /** Else a daemon that runs for months remembers each file that a rule or a person ever moved. */
  @Test
  void filesThatOthersMovedSinceAreForgotten() throws IOException {
    for (int file = 0; file < 5; file++) {
      daemon(SENT, "/ruled" + file, "");
      daemon(RULED, "/ruled" + file, "");
      daemon(SENT, "/chosen" + file, "");
      person("secondary recall", "/chosen" + file);
    }
    daemon(SENT, "/sent", "");
    SentFiles sent = read();
    PastRun last = PastRun.read(journal(), run(SENT, "/later"));
    sent.add(last);

    assertThat(sent.files()).isEqualTo(2);
    assertThat(List.of("/sent", "/later")).allMatch(sent::sentUnpopular);
    sent.addOfPeople(journal(), cluster(), said::add);
    assertThat(sent.files()).isEqualTo(2);
  }

  @Test
  void filesOfRunsThatWereRemovedFromTheJournalAreForgotten() throws IOException {
    String removed = run(SENT, "/removed");
    daemon(SENT, "/kept", "");
    SentFiles sent = read();
    Path moved = folder.resolve("moved");
    Files.createDirectory(moved);
    Files.move(folder.resolve(removed + ".jsonl"), moved.resolve(removed + ".jsonl"));

    sent.addOfPeople(new Journal(folder.resolve("away")), cluster(), said::add);
    assertThat(sent.files()).as("a journal that is away").isEqualTo(2);

    sent.addOfPeople(journal(), cluster(), said::add);
    assertThat(sent.files()).isOne();
    assertThat(sent.sentUnpopular("/kept")).isTrue();
  }

  /** All lines of a run get one time. */
  private void set(String run, String time) throws IOException {
    Path file = folder.resolve(run + ".jsonl");
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      String body =
          line.replaceFirst("\"time\":\"[^\"]*\"", "\"time\":\"" + time + "\"")
              .replaceFirst(",\"crc32c\":\"[0-9a-f]{8}\"}$", "");
      CRC32C sum = new CRC32C();
      sum.update(body.getBytes(StandardCharsets.UTF_8));
      lines.add(body + String.format(",\"crc32c\":\"%08x\"}", sum.getValue()));
    }
    Files.write(file, lines);
  }

  /** By a clock that ticks seldom, or was set back by an hour in between. */
  @ParameterizedTest
  @ValueSource(strings = {"2026-03-24T16:00:00Z", "2026-03-24T15:00:00Z"})
  void theLaterRunOfDaemonsIsTheLaterOneByAnyClock(String time) throws IOException {
    daemon(SENT, "/back", "");
    daemon(BACK, "/back", "");
    set(journal().runs().get(0), "2026-03-24T16:00:00Z");
    set(journal().runs().get(1), time);

    assertThat(read().sentUnpopular("/back")).isFalse();
    assertThat(read().broughtBack("/back")).isTrue();
    assertThat(said).isEmpty();
  }

  @Test
  void aDamagedRunIsToldOnce() throws IOException {
    daemon(SENT, "/sent", "");
    person("secondary recall", "/other");
    String id = journal().runs().get(1);
    Path file = folder.resolve(id + ".jsonl");
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    lines.set(1, "damaged");
    Files.write(file, lines);

    SentFiles sent = read();
    sent.addOfPeople(journal(), cluster(), said::add);

    assertThat(said).singleElement().asString().contains(id, "autotier goes on without it");
    assertThat(sent.sentUnpopular("/sent")).isTrue();
  }
}
