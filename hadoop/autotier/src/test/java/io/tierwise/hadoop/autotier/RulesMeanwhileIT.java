package io.tierwise.hadoop.autotier;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tierwise.core.use.AccessKind;
import io.tierwise.core.use.PathBytes;
import io.tierwise.hadoop.hdfs.secondary.Placeholder;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.PastRun;
import io.tierwise.policies.heat.HeatMap;
import io.tierwise.policies.heat.HeatSettings;
import io.tierwise.policies.rules.FileFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that change between the turn of a rule and what the rule wants. */
class RulesMeanwhileIT {
  private static final double KNOWN_SECONDS = 1e9;

  /** The directory and the first of its two files. */
  private static final long FIRST_TURN = 2;

  @TempDir private static Path shared;
  private static TwoTierHdfs hdfs;

  @TempDir private Path folder;
  private final HeatMap heat = new HeatMap(new HeatSettings(1_000, 12, 100, 100, 8, 0, 1));
  private double heardSeconds = KNOWN_SECONDS;
  private RuleRounds rounds;

  @BeforeAll
  static void start() throws IOException {
    hdfs = TwoTierHdfs.startWithStore(new HdfsConfiguration(), shared);
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  @BeforeEach
  void write() throws IOException {
    hdfs.write("/cold/a");
    hdfs.write("/cold/b");
  }

  @AfterEach
  void clear() throws IOException {
    hdfs.clear();
  }

  private void replaceByDirectory(String path) throws IOException {
    hdfs.delete(path);
    hdfs.write(path + "/below");
  }

  private void read(String path) {
    heat.accessed(
        System.currentTimeMillis(),
        AccessKind.OPEN,
        PathBytes.of(path),
        PathBytes.of(""),
        path.hashCode());
  }

  private boolean isOffloaded(String path) throws IOException {
    return Placeholder.is(hdfs.fs().getClient().getFileInfo(path));
  }

  private int onSsd(String path) throws IOException {
    HdfsLocatedFileStatus file = hdfs.fs().getClient().getLocatedFileInfo(path, false);
    return (int)
        file.getLocatedBlocks().getLocatedBlocks().stream()
            .filter(block -> block.getStorageTypes()[0] == StorageType.SSD)
            .count();
  }

  /** What the rule wants when all files were looked at, in two turns. */
  private RoundPlan plan(String rules, Doing between) throws IOException {
    rounds =
        new RuleRounds(
            hdfs.cluster(),
            TwoTierHdfs.settings(),
            new LastChanges(),
            new QuotasAbove(hdfs.cluster()));
    Hardware hardware = Hardware.of(hdfs.cluster(), TwoTierHdfs.settings());
    Path file = Files.writeString(folder.resolve("rules"), rules, UTF_8);
    rounds.obey(
        RuleBook.load(
            file,
            ZoneOffset.UTC,
            new RuleBook.Checks(
                hdfs.cluster(), hardware, TwoTierHdfs.settings(), new StoreRuns(line -> {})),
            Long.MAX_VALUE));
    rounds.bound(turn(FIRST_TURN));
    rounds.look(sight(), hardware);
    assertThat(rounds.goesOn()).contains("have looked at 2 paths");
    between.run();
    rounds.bound(turn(Long.MAX_VALUE));
    RuleRounds.Ruled ruled = rounds.look(sight(), hardware);
    assertThat(rounds.goesOn()).isEmpty();
    return new RoundPlan(
        "none",
        "",
        "",
        0,
        0,
        ruled.changes(),
        rounds.moves(ruled),
        ruled.offloads(),
        List.of(),
        List.of(),
        new RoundPlan.Heard(0, ""),
        ruled.outcomes(),
        List.of(),
        null);
  }

  private RulePass.Sight sight() {
    return sightAt(System.currentTimeMillis() / 1e3);
  }

  private RulePass.Sight sightAt(double now) {
    return new RulePass.Sight(heat.report(0), new FileFacts.Counted(heardSeconds, "a test"), now);
  }

  private static RuleRounds.Turn turn(long paths) {
    return new RuleRounds.Turn(paths, TimeUnit.HOURS.toNanos(1), WalkTurns.Pulse.NONE);
  }

  private Round make(RoundPlan plan) throws IOException {
    return work(plan).result();
  }

  private RoundWork work(RoundPlan plan) {
    return work(plan, () -> {});
  }

  private RoundWork work(RoundPlan plan, OpenGate.Lease lease) {
    return TwoTierHdfs.done(
        hdfs.work(plan, TwoTierHdfs.settings(), new Journal(folder.resolve("journal")), lease));
  }

  @FunctionalInterface
  private interface Doing {
    void run() throws IOException;
  }

  @Test
  @Timeout(120)
  void aFileThatIsDeletedEndsNoRound() throws Exception {
    hdfs.write("/cold/c");
    RoundPlan plan = plan("path matches /cold/** -> secondary", () -> hdfs.delete("/cold/a"));
    assertThat(plan.offloads()).hasSize(1);
    assertThat(plan.offloads().get(0).files()).isEqualTo(2);
    hdfs.delete("/cold/b");

    Round round = make(plan);

    assertThat(round.offloadedFiles()).isOne();
    assertThat(isOffloaded("/cold/c")).isTrue();
    assertThat(round.left())
        .anyMatch(left -> left.reason().endsWith("it was deleted or renamed meanwhile"));
  }

  /** Long: make test has what took the place of a file that moves. */
  @Tag("long")
  @Test
  @Timeout(120)
  void whatTookThePlaceOfAFileIsNotOffloaded() throws Exception {
    RoundPlan plan = plan("path matches /cold/* -> secondary", () -> replaceByDirectory("/cold/a"));
    hdfs.delete("/cold/b");
    hdfs.write("/cold/b");

    Round round = make(plan);

    assertThat(round.offloadedFiles()).isZero();
    assertThat(isOffloaded("/cold/a/below")).isFalse();
    assertThat(isOffloaded("/cold/b")).isFalse();
  }

  @Test
  @Timeout(120)
  void whatTookThePlaceOfAFileIsNotMoved() throws Exception {
    RoundPlan plan = plan("path matches /cold/* -> tier ssd", () -> replaceByDirectory("/cold/a"));

    Round round = make(plan);

    assertThat(round.movedReplicas()).isOne();
    assertThat(onSsd("/cold/b")).isOne();
    assertThat(onSsd("/cold/a/below")).isZero();
  }

  /** Long: make test has such a file with a rule above. */
  @Tag("long")
  @Test
  @Timeout(120)
  void aFileThatIsReadAfterItsTurnStays() throws Exception {
    Round round =
        make(plan("path matches /cold/* and reads(1h) < 1 -> secondary", () -> read("/cold/a")));

    assertThat(round.offloadedFiles()).isOne();
    assertThat(isOffloaded("/cold/a")).isFalse();
    assertThat(isOffloaded("/cold/b")).isTrue();
  }

  private static List<RoundPlan.Left> left(RoundPlan plan, int rule) {
    return plan.rules().get(rule).left();
  }

  @Test
  @Timeout(120)
  void noRuleDecidesBelowOneOfReadsThatNobodyHeard() throws Exception {
    heardSeconds = 0;
    String rules =
        """
        path matches /cold/* and reads(1h) >= 1 -> tier ssd
        path matches /cold/* and age >= 0s -> secondary
        """;

    RoundPlan plan = plan(rules, () -> {});

    assertThat(plan.offloads()).isEmpty();
    assertThat(left(plan, 0))
        .extracting(RoundPlan.Left::reason, RoundPlan.Left::files)
        .containsExactly(
            tuple(
                "reads(1h) >= 1 is not known: reads have been counted for less than a minute alone"
                    + " (a test)",
                2L));
    assertThat(left(plan, 1))
        .extracting(RoundPlan.Left::reason, RoundPlan.Left::files)
        .containsExactly(tuple("a rule above may be for it: " + left(plan, 0).get(0).reason(), 2L));
    assertThat(decides("/cold/a")).as("popularity keeps away").isTrue();

    heardSeconds = KNOWN_SECONDS;
    assertThat(plan(rules, () -> {}).offloads())
        .singleElement()
        .satisfies(store -> assertThat(store.files()).isEqualTo(2));
  }

  private boolean decides(String path) throws IOException {
    return rounds.decides(path, hdfs.fs().getClient().getFileInfo(path), sight());
  }

  @Test
  @Timeout(120)
  void aFileThatIsReadAfterItsTurnStaysForTheRuleAbove() throws Exception {
    RoundPlan plan =
        plan(
            """
            path matches /cold/* and reads(1h) >= 1 -> replicas 1
            path matches /cold/* -> secondary
            """,
            () -> read("/cold/a"));

    assertThat(plan.offloads())
        .singleElement()
        .satisfies(store -> assertThat(store.fileIds()).containsOnlyKeys("/cold/b"));
    assertThat(left(plan, 1))
        .extracting(RoundPlan.Left::reason)
        .singleElement()
        .asString()
        .startsWith("a rule above ");
  }

  /** In a turn that is too short for all files. */
  private RuleRounds.Ruled lookAt(double now) throws IOException {
    rounds.bound(turn(1));
    return rounds.look(sightAt(now), Hardware.of(hdfs.cluster(), TwoTierHdfs.settings()));
  }

  @Test
  @Timeout(120)
  void filesAreLookedAtAgainWhenTheRoundWasMade() throws Exception {
    plan("path matches /cold/* -> tier ssd", () -> {});

    assertThat(lookAt(0).moves()).as("its round failed").hasSize(2);
    assertThat(rounds.goesOn()).isEmpty();

    rounds.roundMade();
    assertThat(lookAt(0).moves()).isEmpty();
    assertThat(rounds.goesOn()).contains("have looked at 1 path");
    rounds.end();
  }

  @Test
  @Timeout(120)
  void filesAreLookedAtAgainWhenPlansHaveFailedForLong() throws Exception {
    plan("path matches /cold/* -> tier ssd", () -> {});

    assertThat(lookAt(Double.MAX_VALUE).moves()).isEmpty();
    assertThat(rounds.goesOn()).contains("have looked at 1 path");
    rounds.end();
  }

  @Test
  @Timeout(120)
  void anErrorIsNoRoundThatIsDone() throws Exception {
    RoundPlan plan = plan("path matches /cold/* -> tier ssd", () -> {});

    RoundWork work =
        work(
            plan,
            () -> {
              throw new StackOverflowError("deep");
            });

    assertThatThrownBy(work::result).isInstanceOf(StackOverflowError.class).hasMessage("deep");
  }

  @Test
  @Timeout(120)
  void whatWasMovedIsKnownWhenALaterRunFails() throws Exception {
    RoundPlan plan = plan("path matches /cold/* -> tier ssd", () -> {});
    RoundPlan.TierMove good = plan.moves().get(0);
    RoundPlan.TierMove failing =
        new RoundPlan.TierMove(
            good.by(), "ssd", good.layout(), good.fileIds(), Map.of(), null, null);
    RoundWork work = work(TwoTierHdfs.plan(List.of(good, failing), List.of()));

    assertThatThrownBy(work::result).isInstanceOf(NullPointerException.class);
    LastChanges changes = new LastChanges();
    Journal journal = new Journal(folder.resolve("journal"));
    assertThat(work.ids()).hasSize(2);
    work.ids().forEach(id -> changes.add(PastRun.read(journal, id)));
    assertThat(changes.placedIn("ssd")).containsOnlyKeys(good.fileIds().values());
  }
}
