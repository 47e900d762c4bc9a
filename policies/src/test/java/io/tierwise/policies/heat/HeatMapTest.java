package io.tierwise.policies.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.use.AccessKind;
import io.tierwise.core.use.PathBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HeatMapTest {
  private static final long BASE = 60_000;
  private static final long START = 1_774_000_000_000L / (BASE << 11) * (BASE << 11);

  private final HeatMap heat = new HeatMap(HeatSettings.of(BASE, 1_000));
  private long now = START;

  private void access(AccessKind kind, String path, String destination, long reader) {
    heat.accessed(now, kind, PathBytes.of(path), PathBytes.of(destination), reader);
  }

  private void open(String path) {
    access(AccessKind.OPEN, path, "", 0);
  }

  private void open(String path, int times) {
    for (int i = 0; i < times; i++) {
      open(path);
    }
  }

  private void rename(String from, String to) {
    access(AccessKind.RENAME, from, to, 0);
  }

  private long reads(String path) {
    return heat.report(0).file(path).reads();
  }

  @Test
  void countsWindowByWindow() {
    open("/a/f", 3);
    now += BASE;
    open("/a/f", 2);
    now += BASE;
    open("/a/f");

    assertThat(heat.report(0).file("/a/f").counts().counts()).containsExactly(3, 2, 1);
    assertThat(heat.report(1).file("/a/f").counts().counts()).containsExactly(0, 5, 1);
    assertThat(heat.report(2).file("/a/f").counts().counts()).containsExactly(0, 0, 6);
    assertThat(heat.report(0).file("/a/f").counts().use().usedMillis()).isEqualTo(now);
    assertThat(heat.report(0).runningSinceMillis()).isEqualTo(now);
  }

  @Test
  void theHottestComeFirstAndOnlyThoseBelowADirectory() {
    open("/a/cool");
    open("/a/hot", 5);
    open("/ab/warm", 3);

    assertThat(heat.report(4).hottest(2, "/"))
        .extracting(FileHeat::path)
        .containsExactly("/a/hot", "/ab/warm");
    assertThat(heat.report(4).hottest(9, "/a"))
        .extracting(FileHeat::path)
        .containsExactly("/a/hot", "/a/cool");
  }

  @Test
  void ofFilesThatAreReadAlikeTheFirstByPathAreListed() {
    for (String name : List.of("/c", "/a", "/d", "/b")) {
      open(name);
    }
    open("/hot", 2);

    for (int count = 1; count <= 5; count++) {
      assertThat(heat.report(4).hottest(count, "/"))
          .extracting(FileHeat::path)
          .containsExactlyElementsOf(List.of("/hot", "/a", "/b", "/c", "/d").subList(0, count));
    }
  }

  /**
   * Against a list of all reads: the least is never more than there were, the most never fewer. The
   * one is of a third of the time or more, the other of less than twice the time.
   */
  @Test
  void readsOfATimeAreBoundedByTheBordersInsideItAndBeforeIt() {
    Random random = new Random(7);
    List<Long> reads = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      now += (long) (random.nextDouble() * random.nextInt(30) * BASE);
      open("/f");
      reads.add(now);
      long millis = (2 + random.nextInt(1_000)) * BASE + random.nextInt((int) BASE);
      HeatReport.Recent recent = heat.report(0).readsWithin("/f", millis);

      long within = readsSince(reads, now - millis);
      assertThat(recent.least())
          .as("read %s, %s", i, millis)
          .isBetween(readsSince(reads, now - millis / BASE * BASE / 3), within);
      assertThat(recent.most()).isBetween(within, readsSince(reads, now - 2 * millis - 2 * BASE));
    }
    assertThat(heat.report(0).readsWithin("/other", BASE).least()).isZero();
    assertThat(heat.report(0).readsWithin("/f", BASE / 2).least())
        .as("no window is in it")
        .isZero();
    assertThatThrownBy(() -> heat.report(0).readsWithin("/f", 2 * heat.report(0).keptMillis()))
        .hasMessageContaining("reads are kept for");
  }

  private static long readsSince(List<Long> reads, long since) {
    return reads.stream().filter(read -> read >= since).count();
  }

  @Test
  void namesThatHdfsAddsToAFileAreNotFilesOfTheirOwn() {
    open("/a/hot", 2);
    open("/.reserved/raw/a/hot", 3);
    open("/.reserved/.inodes/16390", 4);
    open("/.reserved/.inodes/16387/hot");

    assertThat(reads("/a/hot")).isEqualTo(5);
    assertThat(heat.report(4).hottest(9, "/")).extracting(FileHeat::path).containsOnly("/a/hot");
    assertThat(heat.totals().nameless()).isEqualTo(5);
    assertThat(heat.totals().reads()).isEqualTo(5);
  }

  /** A client asks for the places of a large file's blocks in parts, one soon after the other. */
  @Test
  void opensThatContinueAReadAreNotReads() {
    for (int call = 0; call < 3; call++) {
      access(AccessKind.OPEN, "/big", "", 77);
      access(AccessKind.OPEN, "/big", "", 78);
      now += 15_000;
    }
    assertThat(reads("/big")).isEqualTo(2);
    assertThat(heat.totals().continued()).isEqualTo(4);
    assertThat(heat.report(0).file("/big").counts().use().usedMillis()).isEqualTo(now - 15_000);

    now += 120_000;
    access(AccessKind.OPEN, "/big", "", 77);
    assertThat(reads("/big")).isEqualTo(3);
  }

  /** A service that opens a file again and again, and 500 tasks behind one address, are no read. */
  @Test
  void aFileThatOneReaderOpensAllDayHasAReadInEachWindow() {
    for (int call = 0; call < 2 * 24 * 60; call++) {
      access(AccessKind.OPEN, "/config", "", 77);
      now += 30_000;
    }
    for (int level = 0; level < 9; level++) {
      long windowMillis = BASE << level;
      long each = windowMillis / BASE;
      assertThat(heat.report(level).file("/config").counts().count(1))
          .as("window of %s ms", windowMillis)
          .isEqualTo(each);
    }
    assertThat(heat.report(0).readsWithin("/config", BASE).least()).isPositive();
    assertThat(heat.report(0).file("/config").counts().use().usedMillis()).isEqualTo(now - 30_000);
    assertThat(heat.totals().continued()).isEqualTo(24 * 60);
  }

  /** The NameNode refuses to open what is in a secondary store; the client asks who may read. */
  @Test
  void aRefusedOpenIsAReadWhenTheReaderHasTheRight() {
    access(AccessKind.OPEN_REFUSED, "/stored", "", 77);
    access(AccessKind.CHECK, "/stored", "", 78);
    access(AccessKind.CHECK, "/other", "", 77);
    assertThat(heat.totals().reads()).isZero();

    access(AccessKind.CHECK, "/stored", "", 77);
    assertThat(reads("/stored")).isEqualTo(1);
    access(AccessKind.OPEN_REFUSED, "/stored", "", 77);
    access(AccessKind.CHECK, "/stored", "", 77);
    assertThat(reads("/stored")).isEqualTo(1);

    now += 10 * BASE;
    access(AccessKind.CHECK, "/stored", "", 77);
    assertThat(reads("/stored")).isEqualTo(1);
    access(AccessKind.OPEN_REFUSED, "/stored", "", 77);
    access(AccessKind.CHECK, "/stored", "", 77);
    assertThat(reads("/stored")).isEqualTo(2);
  }

  @Test
  void directoriesCountAllBelowThem() {
    open("/w/t1/p=1/f", 2);
    open("/w/t1/p=2/f", 3);
    open("/w/t2/f", 4);
    open("/rootfile");

    assertThat(heat.report(0).directories("/", 1))
        .extracting(GroupHeat::path, GroupHeat::reads)
        .containsExactly(org.assertj.core.groups.Tuple.tuple("/w", 9L));
    assertThat(heat.report(0).directories("/w", 1))
        .extracting(each -> each.path() + " " + each.counts().total())
        .containsExactly("/w/t1 5", "/w/t2 4");
    assertThat(heat.report(0).directories("/", 3))
        .extracting(GroupHeat::path)
        .containsExactly("/w/t1/p=2", "/w/t1/p=1");
  }

  /** Its file's row leads to the directory that stood for it until then. */
  @Test
  void aDirectoryThatHadNoRowCountsItsFilesReadsOnceThereIsRoom() {
    HeatMap small = new HeatMap(new HeatSettings(BASE, 12, 1_000, 3, 16, 0, 0));
    PathBytes none = PathBytes.of("");
    for (String path : List.of("/a/f", "/b/f", "/c/f")) {
      small.accessed(now, AccessKind.OPEN, PathBytes.of(path), none, 0);
    }
    assertThat(small.report(0).directories("/", 1))
        .extracting(GroupHeat::path)
        .containsExactlyInAnyOrder("/a", "/b");

    small.accessed(now, AccessKind.DELETE, PathBytes.of("/a"), none, 0);
    for (int i = 0; i < 5; i++) {
      small.accessed(now, AccessKind.OPEN, PathBytes.of("/c/f"), none, 0);
    }
    assertThat(small.report(0).directories("/", 1))
        .extracting(each -> each.path() + " " + each.reads())
        .containsExactly("/c 5", "/b 1");
  }

  @Test
  void tablesAreFoundByPatternAndByPartitions() {
    open("/user/hive/warehouse/s.db/sales/year=2026/month=1/f", 2);
    open("/user/hive/warehouse/s.db/sales/year=2026/month=2/f");
    open("/user/hive/warehouse/s.db/small/f");
    open("/lake/events/dt=1/f", 4);
    open("/home/ann/f", 9);

    assertThat(heat.report(0).tables(new TableNames(TableNames.DEFAULTS)))
        .extracting(each -> each.path() + " " + each.reads())
        .containsExactly(
            "/lake/events 4",
            "/user/hive/warehouse/s.db/sales 3",
            "/user/hive/warehouse/s.db/small 1");
    assertThat(heat.report(0).tables(new TableNames(List.of("/home/*"))))
        .extracting(GroupHeat::path)
        .containsExactly("/home/ann", "/lake/events", "/user/hive/warehouse/s.db/sales");
  }

  @Test
  void countsGoWithARenamedFileOrDirectory() {
    open("/tmp/job/a/f", 2);
    open("/tmp/job/g", 3);
    rename("/tmp/job", "/out");
    rename("/out/g", "/out/h");

    assertThat(reads("/out/a/f")).isEqualTo(2);
    assertThat(reads("/out/h")).isEqualTo(3);
    assertThat(reads("/tmp/job/g")).isZero();
    assertThat(heat.report(0).directories("/", 1))
        .extracting(each -> each.path() + " " + each.reads())
        .containsExactly("/out 5", "/tmp 0");
    open("/out/a/f");
    assertThat(reads("/out/a/f")).isEqualTo(3);
  }

  @Test
  void aRenameIntoADirectoryKeepsTheName() {
    open("/in/f");
    open("/archive/old");
    rename("/in/f", "/archive");

    assertThat(reads("/archive/f")).isEqualTo(1);
  }

  @Test
  void whatIsDeletedIsForgottenWithAllBelowIt() {
    open("/d/e/f", 3);
    open("/d/g", 2);
    access(AccessKind.DELETE, "/d/e", "", 0);

    assertThat(heat.report(0).hottest(9, "/")).extracting(FileHeat::path).containsExactly("/d/g");
    access(AccessKind.DELETE, "/d/g", "", 0);
    assertThat(heat.totals().files()).isZero();
    open("/d/e/f");
    assertThat(reads("/d/e/f")).isEqualTo(1);
  }

  @Test
  void aRenameBelowItselfOrOfNothingChangesNothing() {
    open("/d/f");
    rename("/d", "/d/below");
    rename("/nothing", "/anything");
    rename("/d", "/d");

    assertThat(reads("/d/f")).isEqualTo(1);
  }

  @Test
  void hostilePathsAreCountedOrLeftOutButDoNoHarm() {
    String deep = "/a".repeat(900);
    open(deep, 2);
    open("/a".repeat(5_000));
    open("/" + "x".repeat(40_000));
    open("relative");
    open("/");
    open("");
    open("/tab\tand\nnewline");
    open("//x");
    rename("/", "/q");
    access(AccessKind.DELETE, "/", "", 0);

    assertThat(reads(deep)).isEqualTo(2);
    assertThat(reads("/tab\tand\nnewline")).isEqualTo(1);
    assertThat(heat.totals().reads()).isEqualTo(4);
    access(AccessKind.DELETE, "/a", "", 0);
    assertThat(reads(deep)).isZero();
  }

  @Test
  void oneWrongTimeChangesNoWindowAndAClockThatStaysWrongIsFollowed() {
    open("/f", 4);
    long right = now;
    now += 40L * 365 * 86_400_000;
    open("/f");
    now = right + BASE;
    open("/f");
    assertThat(heat.report(0).file("/f").counts().counts()).containsExactly(0, 5, 1);

    now = right + 40L * 365 * 86_400_000;
    open("/f", 20);
    assertThat(heat.totals().nowMillis()).isEqualTo(now);
    // And back: later counts are not stuck in the far future.
    now = right + 2 * BASE;
    open("/f", 20);
    now += BASE;
    open("/f");
    assertThat(heat.totals().nowMillis()).isEqualTo(now);
    assertThat(heat.report(0).file("/f").counts().count(2)).isEqualTo(1);
    assertThat(heat.report(0).file("/f").counts().count(1)).isPositive();
  }

  @Test
  void aLateAccessCountsAsNow() {
    open("/f");
    now += 3 * BASE;
    open("/f");
    now -= 2 * BASE;
    open("/f");

    assertThat(heat.report(0).file("/f").counts().counts()).containsExactly(0, 0, 2);
    assertThat(heat.totals().late()).isEqualTo(1);
  }
}
