package io.tierwise.hadoop.mover.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.action.Cost;
import io.tierwise.core.action.SetReplicas;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.journal.StepView.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalSearchTest {
  private static final Instant NOW = Instant.parse("2026-01-31T12:34:56Z");

  @TempDir private Path directory;
  private Journal journal;
  private final List<String> damaged = new ArrayList<>();

  @BeforeEach
  void twoRuns() throws IOException {
    journal = new Journal(directory, InstantSource.fixed(NOW));
    try (JournalRun moved = begin("file move", List.of("/dir"))) {
      moved.append(new JournalEntry.Policy("/dir", 7, null, "layout:3 x ssd"));
      moved.append(new JournalEntry.Result(1, "no room"));
    }
    try (JournalRun round = begin("monitor run", List.of())) {
      round.append(new JournalEntry.End(0, 0, List.of(), false));
    }
  }

  private JournalRun begin(String command, List<String> paths) {
    return journal.begin(command, "hdfs", "hdfs://nn", paths, "3 x ssd", null);
  }

  private List<RunSummary> runs(JournalSearch search) {
    return search.runs(journal, damaged::add);
  }

  @Test
  void findsRunsByCommandTimeAndResult() {
    JournalSearch all = new JournalSearch(null, null, null, null, null, null);
    assertThat(runs(all)).hasSize(2);
    assertThat(runs(new JournalSearch(null, "monitor run", NOW, null, null, null))).hasSize(1);
    assertThat(runs(new JournalSearch(null, null, NOW.plusNanos(1), null, null, null))).isEmpty();
    assertThat(new JournalSearch(null, null, null, null, null, Outcome.OPEN).views(runs(all)))
        .extracting(RunView::command)
        .containsExactly("file move");
  }

  @Test
  void findsStepsByPathAndResult() {
    PastRun run = PastRun.read(journal, journal.runs().get(0));
    assertThat(steps(run, "/dir", null, Outcome.FAILED)).hasSize(1);
    assertThat(steps(run, "/other", null, null)).isEmpty();
    assertThat(steps(run, null, "misses", null)).isEmpty();
  }

  private static List<StepView> steps(PastRun run, String file, String rule, Outcome result) {
    List<StepView> found = new ArrayList<>();
    new JournalSearch(null, null, null, file, rule, result).steps(run, found::add);
    return found;
  }

  @Test
  void aChangeOfReplicasSaysWhyAndALineOfAnEarlierVersionIsReadWithoutThat() throws Exception {
    SetReplicas asked =
        new SetReplicas("layout:4 x ssd", "its layout names 4 replicas", 4, Cost.NONE);
    JournalEntry change = JournalEntry.Replicas.of("/f", 7, 3, asked);
    StepView step = view(JournalLine.parse(new JournalLine(1, NOW, change).format()));
    assertThat(step.policy()).isEqualTo(asked.policy());
    assertThat(step.rule()).isEqualTo(asked.rule());
    assertThat(step.text()).contains("/f: replicas 3 -> 4, its layout names 4 replicas");
    assertThat(step.has("names 4")).isTrue();

    String earlier =
        """
        {"v":1,"n":1,"time":"2026-01-31T12:34:56Z","kind":"replicas","file":"/f","fileId":7,"before":3,"after":4,"crc32c":"ff2df508"}\
        """;
    StepView old = view(JournalLine.parse(earlier));
    assertThat(old.rule()).isNull();
    assertThat(old.text()).contains("/f: replicas 3 -> 4: open");
  }

  private static StepView view(JournalLine line) {
    return StepView.of(
        "run", new PastRun.Step(line.number(), line.time(), line.entry(), null, null));
  }

  /** The monitor's rounds are about whatever it finds. */
  @Test
  void aRunThatNamesNoPathHasADashInTheTable() {
    List<RunSummary> rounds = runs(new JournalSearch(null, "monitor run", null, null, null, null));
    assertThat(RunView.table(RunView.of(rounds)).rows().get(0))
        .startsWith(journal.runs().get(1), "monitor run", "-");
  }

  @Test
  void aDamagedFileIsToldAndFailsOnlyWhereItIsAskedFor() throws IOException {
    String first = journal.runs().get(0);
    Files.writeString(directory.resolve(first + ".jsonl"), "nothing\n");

    assertThat(runs(new JournalSearch(null, null, null, null, null, null))).hasSize(1);
    assertThat(damaged).singleElement().asString().contains(first, "is damaged");
    assertThatThrownBy(() -> runs(new JournalSearch(first, null, null, null, null, null)))
        .isInstanceOf(OperatorException.class);
  }
}
