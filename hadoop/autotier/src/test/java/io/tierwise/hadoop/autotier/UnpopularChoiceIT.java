package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.use.AccessKind;
import io.tierwise.core.use.PathBytes;
import io.tierwise.hadoop.autotier.WantedReplicas.Wanted;
import io.tierwise.hadoop.hdfs.secondary.Placeholder;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.policies.heat.HeatMap;
import io.tierwise.policies.heat.HeatSettings;
import io.tierwise.policies.movement.DecisionEngine;
import io.tierwise.policies.movement.ReplicaHold;
import io.tierwise.policies.movement.ReplicaWorth;
import io.tierwise.policies.popularity.UseWindow;
import io.tierwise.policies.rules.FileFacts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The choice among files that are unpopular, and what becomes of it while they are moved. */
class UnpopularChoiceIT {
  private static final int FILES = 100;
  private static final Duration UNREAD_FOR = Duration.ofMinutes(10);
  private static final long LONG_AGO_MILLIS = Duration.ofMinutes(30).toMillis();

  /** Too small to go. */
  private static final int SMALL_BYTES = 100;

  @TempDir private static Path shared;
  private static TwoTierHdfs hdfs;

  @TempDir private Path folder;
  private final HeatMap heat = new HeatMap(new HeatSettings(1_000, 12, FILES, FILES, 8, 0, 1));
  private final ReplicaHold hold = new ReplicaHold(1, 1);
  private final LastChanges lastChanges = new LastChanges();
  private final List<String> paths = new ArrayList<>();
  private final LeftFiles left = new LeftFiles();
  private long windowMillis = Duration.ofMinutes(5).toMillis();
  private UnpopularFiles unpopular;
  private List<Wanted> popular;

  @BeforeAll
  static void start() throws IOException {
    hdfs = TwoTierHdfs.startWithStore(new HdfsConfiguration(), shared);
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  @AfterEach
  void clear() throws IOException {
    hdfs.clear();
  }

  private static org.apache.hadoop.fs.Path hadoop(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private void read(String path, long millis) {
    heat.accessed(millis, AccessKind.OPEN, PathBytes.of(path), PathBytes.of(""), path.hashCode());
  }

  /** One that was written, and read once, long ago; each is more popular than the one before. */
  private void write(String path, int bytes) throws IOException {
    long then = System.currentTimeMillis() - LONG_AGO_MILLIS;
    DFSTestUtil.createFile(hdfs.fs(), hadoop(path), bytes, (short) 1, 1);
    hdfs.fs().setTimes(hadoop(path), then, -1);
    read(path, then);
    paths.add(path);
  }

  private AutotierSettings settings() {
    return new AutotierSettings("ppa", windowMillis, 20, 1, 0, List.of("/"), FILES)
        .toBuilder().callsMax(1_000).unreadFor(UNREAD_FOR).build();
  }

  /** Has the engine find all of them unpopular. */
  private void begin(UnpopularFiles.Bounds bounds) {
    read("/other", System.currentTimeMillis());
    KnownFiles files = new KnownFiles(hdfs.fs(), settings());
    RuleRounds rules =
        new RuleRounds(hdfs.cluster(), settings(), lastChanges, new QuotasAbove(hdfs.cluster()));
    unpopular =
        new UnpopularFiles(
            new UnpopularFiles.Sources(
                hdfs.cluster(),
                files,
                new Claims(hdfs.cluster(), lastChanges, hold),
                lastChanges,
                new WantedReplicas("ppa", hold),
                rules),
            settings(),
            bounds);
    UseWindow window = new UseWindow(FILES);
    popular = new ArrayList<>();
    for (String path : paths) {
      int number = heat.report(0).number(PathBytes.of(path));
      window.read(number, 0, 1);
      hold.note(number, 1, DecisionEngine.SECONDARY);
      popular.add(
          0,
          new Wanted(
              number,
              popular.size(),
              DecisionEngine.SECONDARY,
              new ReplicaWorth.Reads(0, 1),
              false,
              true));
    }
    assertThat(files.fill(window, heat.report(0))).isEmpty();
  }

  private UnpopularFiles.Now now() {
    return new UnpopularFiles.Now(
        new RulePass.Sight(
            heat.report(0), new FileFacts.Counted(1e9, "a test"), System.currentTimeMillis() / 1e3),
        1,
        JobNeeds.NONE);
  }

  private List<StoreMove> choose() throws IOException {
    return unpopular.choose("ppa", popular, now(), left).offloads();
  }

  private List<String> chosen() throws IOException {
    return choose().stream().flatMap(move -> move.paths().stream()).toList();
  }

  private static boolean isStored(String path) throws IOException {
    return Placeholder.is(hdfs.fs().getClient().getFileInfo(path));
  }

  @Test
  @Timeout(120)
  void filesThatCannotGoTakeNoOthersPlace() throws Exception {
    write("/cold/small", SMALL_BYTES);
    write("/cold/large", TwoTierHdfs.FILE_BYTES);
    write("/cold/larger", TwoTierHdfs.FILE_BYTES);
    begin(new UnpopularFiles.Bounds(1, FILES));

    assertThat(chosen()).containsExactly("/cold/large");

    assertThat(left.list())
        .extracting(RoundPlan.Left::reason)
        .containsExactlyInAnyOrder(
            "it is so small that nothing would be gained",
            "other files come first: a round looks at 100 at most, and moves 1");
  }

  @Test
  @Timeout(120)
  void eachFileIsLookedAtInTurn() throws Exception {
    write("/cold/small", SMALL_BYTES);
    write("/cold/tiny", SMALL_BYTES);
    write("/cold/large", TwoTierHdfs.FILE_BYTES);
    begin(new UnpopularFiles.Bounds(FILES, 1));

    assertThat(chosen()).isEmpty();
    assertThat(chosen()).isEmpty();
    assertThat(chosen()).containsExactly("/cold/large");
    assertThat(chosen()).as("from the first one on").isEmpty();
  }

  /** Makes the round; what is done meanwhile is done before the first file is moved. */
  private Round make(List<StoreMove> offloads, OpenGate.Lease meanwhile) throws IOException {
    AtomicReference<OpenGate.Lease> once = new AtomicReference<>(meanwhile);
    AtomicReference<RoundWork> work = new AtomicReference<>();
    work.set(
        hdfs.work(
            TwoTierHdfs.plan(List.of(), offloads),
            settings(),
            new Journal(folder.resolve("journal")),
            () -> {
              once.getAndSet(() -> {}).require();
              unpopular.askAgain(now(), work.get()::needs);
            }));
    return TwoTierHdfs.done(work.get()).result();
  }

  @Test
  @Timeout(120)
  void whatSomebodyReadsOrWritesMeanwhileStays() throws Exception {
    for (String path : List.of("/cold/first", "/cold/read", "/cold/written", "/cold/last")) {
      write(path, TwoTierHdfs.FILE_BYTES);
    }
    begin(UnpopularFiles.Bounds.USUAL);
    List<StoreMove> offloads = choose();
    assertThat(offloads).singleElement().satisfies(one -> assertThat(one.files()).isEqualTo(4));

    Round round =
        make(
            offloads,
            () -> {
              read("/cold/read", System.currentTimeMillis());
              DFSTestUtil.appendFile(hdfs.fs(), hadoop("/cold/written"), 1);
            });

    assertThat(isStored("/cold/first")).isTrue();
    assertThat(isStored("/cold/last")).isTrue();
    assertThat(isStored("/cold/read")).isFalse();
    assertThat(isStored("/cold/written")).isFalse();
    assertThat(round.offloadedFiles()).isEqualTo(2);
    assertThat(round.left())
        .extracting(RoundPlan.Left::example)
        .containsExactlyInAnyOrder("/cold/read", "/cold/written");
  }

  @Test
  @Timeout(120)
  void aRoundThatTakesLongerThanAWindowLeavesTheRestToTheNext() throws Exception {
    windowMillis = 1_000;
    List<String> all = List.of("/cold/first", "/cold/second", "/cold/third");
    for (String path : all) {
      write(path, TwoTierHdfs.FILE_BYTES);
    }
    begin(UnpopularFiles.Bounds.USUAL);

    Round round =
        make(
            choose(),
            () -> {
              long begun = System.nanoTime();
              while (System.nanoTime() - begun <= TimeUnit.MILLISECONDS.toNanos(windowMillis)) {
                Thread.onSpinWait();
              }
            });

    assertThat(isStored("/cold/third")).isFalse();
    assertThat(round.stopped()).isFalse();
    assertThat(round.left())
        .extracting(RoundPlan.Left::reason)
        .containsExactly("ppa: the window is over, and the next round goes on");
    windowMillis = Duration.ofMinutes(5).toMillis();
    make(choose(), () -> {});
    assertThat(all).allSatisfy(path -> assertThat(isStored(path)).isTrue());
  }
}
