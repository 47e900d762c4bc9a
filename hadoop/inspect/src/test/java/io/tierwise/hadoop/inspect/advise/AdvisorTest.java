package io.tierwise.hadoop.inspect.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.use.ReadHistory;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.audit.LogHeat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdvisorTest {
  private static final Path SAMPLE =
      Path.of(System.getProperty("tierwise.root"), "examples/advise");
  private static final String SALES = "/warehouse/shop.db/sales/day=60/part-0";
  private static final long MIB = 1 << 20;

  @TempDir private Path folder;
  private int readers;

  /** Each line is another reader's. */
  private String line(String time, String command, String path) {
    readers++;
    return time
        + " INFO FSNamesystem.audit: allowed=true\tugi=ann (auth:SIMPLE)\tip=/10.0."
        + readers / 250
        + "."
        + readers % 250
        + "\tcmd="
        + command
        + "\tsrc="
        + path
        + "\tdst=null\tperm=null\tproto=rpc\n";
  }

  private String open(int day, String time, String path) {
    return line(String.format("2026-03-%02d %s,000", day, time), "open", path);
  }

  private Advice advise(TierConfiguration tiers, String... lines) throws IOException {
    Path log = Files.writeString(folder.resolve("log"), String.join("", lines));
    return advise(log, tiers, 1 << 20);
  }

  private static Advice advise(Path log, TierConfiguration tiers, int filesMax) throws IOException {
    return Advisor.advise(wish(log, tiers, filesMax)).advice();
  }

  private static Advisor.Wish wish(Path log, TierConfiguration tiers, int filesMax) {
    return new Advisor.Wish(
        new LogHeat.Wish(List.of(log), ZoneOffset.UTC, 3_600_000, null, filesMax),
        SAMPLE.resolve("fsimage"),
        tiers,
        1,
        5,
        1 << 20,
        JobHistories.Found.NONE,
        SiteConf.NONE,
        null);
  }

  private static Advice.HeatRow row(Advice advice, Heat heat) {
    return advice.heats().stream().filter(row -> row.heat() == heat).findFirst().orElseThrow();
  }

  private static Advice.MisplacedRow row(Advice advice, Misplaced kind) {
    return advice.misplaced().stream().filter(r -> r.kind() == kind).findFirst().orElseThrow();
  }

  @Test
  void tellsHotFromWarmFromCold() throws IOException {
    Advice advice =
        advise(
            TierConfiguration.byStorageType(),
            open(16, "00:00:00", SALES),
            open(16, "12:00:00", SALES),
            open(17, "00:00:00", SALES),
            open(17, "12:00:00", "/models/current.bin"),
            open(18, "00:00:00", SALES));

    assertThat(row(advice, Heat.HOT))
        .isEqualTo(new Advice.HeatRow(Heat.HOT, 1, 512 * MIB, 3 * 512 * MIB, 4, 4 * 512 * MIB));
    assertThat(row(advice, Heat.WARM).bytes()).isEqualTo(1024 * MIB);
    assertThat(row(advice, Heat.COLD).files()).isEqualTo(366);
    assertThat(advice.image().bytes())
        .isEqualTo(advice.heats().stream().mapToLong(Advice.HeatRow::bytes).sum());
    assertThat(advice.log().filesRead()).isEqualTo(2);
    assertThat(advice.log().filesInImage()).isEqualTo(2);
    assertThat(advice.log().observedSeconds()).isEqualTo(2 * 86_400);
    assertThat(advice.hottestFiles())
        .containsExactly(
            new Advice.HotFile(SALES, 4, 1, 512 * MIB, 3, List.of("disk"), 4 * 512 * MIB),
            new Advice.HotFile(
                "/models/current.bin", 1, 1, 1024 * MIB, 3, List.of("ssd"), 1024 * MIB));
    assertThat(advice.hottestDirectories())
        .containsExactly(
            new Advice.HotDirectory(
                "/warehouse/shop.db/sales/day=60", 1, 4, 512 * MIB, 4 * 512 * MIB),
            new Advice.HotDirectory("/models", 1, 1, 1024 * MIB, 1024 * MIB));
    assertThat(advice.remarks()).isEmpty();
  }

  @Test
  void tellsWhatIsMisplaced() throws IOException {
    String[] lines = new String[14];
    for (int i = 0; i < 6; i++) {
      lines[i] = open(16, "00:00:0" + i, SALES);
      lines[6 + i] = open(16 + i / 5, "00:10:0" + i, "/archive/2024/sales-0");
    }
    lines[12] = open(17, "02:00:00", "/models/current.bin");
    lines[13] = open(17, "03:00:00", "/models/current.bin");
    Advice advice = advise(TierConfiguration.byStorageType(), lines);

    // The archive's file is on no fast tier, either.
    assertThat(row(advice, Misplaced.HOT_NOT_ON_FAST).files()).isEqualTo(2);
    assertThat(row(advice, Misplaced.HOT_NOT_ON_FAST).cureBytes()).isEqualTo((512 + 4096) * MIB);
    assertThat(row(advice, Misplaced.HOT_ON_SLOW))
        .isEqualTo(new Advice.MisplacedRow(Misplaced.HOT_ON_SLOW, 1, 4096 * MIB, 3 * 4096 * MIB));
    // Six read one file within a minute, five the other.
    assertThat(row(advice, Misplaced.HOT_FEW_REPLICAS))
        .isEqualTo(
            new Advice.MisplacedRow(
                Misplaced.HOT_FEW_REPLICAS, 2, (512 + 4096) * MIB, (3 * 512 + 2 * 4096) * MIB));
    assertThat(row(advice, Misplaced.COLD_ON_FAST))
        .isEqualTo(
            new Advice.MisplacedRow(Misplaced.COLD_ON_FAST, 6, 6 * 8192 * MIB, 3 * 6 * 8192 * MIB));
    assertThat(advice.unused().get(2).files()).isEqualTo(39 + 12);
    assertThat(advice.tiers())
        .extracting(Advice.TierRow::tier)
        .containsExactly("ssd", "disk", "archive");
  }

  @Test
  void takesTiersAndLayoutsFromATable() throws IOException {
    TierConfiguration tiers =
        TierConfiguration.parse(
            """
            tiers:
              - {name: nvme, match: {storage-type: SSD}}
              - {name: hdd, match: {storage-type: DISK}}
              - {name: tape, match: {storage-type: ARCHIVE}}
            rules:
              - {path: /warehouse, placement: "layout:1 x nvme + 2 x hdd"}
            """,
            "tiers.yaml");
    Advice advice = advise(tiers, open(16, "00:00:00", SALES), open(16, "01:00:00", SALES));

    assertThat(advice.hottestFiles().get(0).tiers()).containsExactly("nvme", "hdd");
    assertThat(row(advice, Misplaced.HOT_NOT_ON_FAST).files()).isZero();
    assertThat(advice.tiers().get(0).tier()).isEqualTo("nvme");
  }

  /** The image wants the model on SSDs, which no node has: HDFS's ALL_SSD falls back to disks. */
  @Test
  void whatNoNodeHasIsWhereHdfsFallsBackTo() throws IOException {
    Path log =
        Files.writeString(folder.resolve("log"), open(16, "00:00:00", "/models/current.bin"));
    Advisor.Wish any = wish(log, TierConfiguration.byStorageType(), 1 << 20);
    byte hot = SiteConf.NONE.storagePolicy();
    SiteConf disksAlone =
        new SiteConf(folder, 3, 1, Set.of(StorageType.DISK), Map.of(), hot, ImageNames.UNKNOWN);
    Advisor.Wish onDisks =
        new Advisor.Wish(
            any.log(),
            any.image(),
            any.tiers(),
            any.hotReadsPerDay(),
            5,
            1 << 20,
            any.history(),
            disksAlone,
            null);

    assertThat(Advisor.advise(any).advice().hottestFiles().get(0).tiers()).containsExactly("ssd");
    Advice advice = Advisor.advise(onDisks).advice();
    assertThat(advice.hottestFiles().get(0).tiers()).containsExactly("disk");
    assertThat(advice.tiers()).extracting(Advice.TierRow::tier).doesNotContain("ssd");
    assertThat(advice.remarks()).anyMatch(remark -> remark.contains("has DISK alone"));
  }

  private Advice advise(String... tiers) throws IOException {
    String table = "tiers:\n  - " + String.join("\n  - ", tiers) + "\n";
    return advise(
        TierConfiguration.parse(table, "tiers.yaml"),
        open(16, "00:00:00", SALES),
        open(16, "00:00:10", "/models/current.bin"),
        open(16, "01:00:00", SALES),
        open(16, "01:00:10", "/models/current.bin"));
  }

  @Test
  void doesNotGuessTheTierOfATypeThatHostsDecide() throws IOException {
    Advice advice =
        advise(
            "{name: fast, match: {hosts: [fast-*]}}", "{name: slow, match: {storage-type: DISK}}");

    assertThat(advice.hottestFiles().get(0).tiers()).isEmpty();
    assertThat(advice.tiers()).extracting(Advice.TierRow::tier).containsOnlyNulls();
    assertThat(advice.misplaced().subList(0, 2)).extracting(row -> row.files()).containsOnly(0L);
    assertThat(row(advice, Misplaced.COLD_ON_FAST).files()).isZero();
    assertThat(advice.remarks()).anyMatch(remark -> remark.contains("which tier plain disks are"));
  }

  @Test
  void doesNotGuessWhichOfTwoTiersOfOneTypeIsMeant() throws IOException {
    Advice advice =
        advise(
            "{name: new, match: {storage-type: DISK, racks: [/new]}}",
            "{name: old, match: {storage-type: DISK, racks: [/old]}}");

    assertThat(advice.hottestFiles().get(0).tiers()).isEmpty();
    assertThat(row(advice, Misplaced.HOT_NOT_ON_FAST).files()).isZero();
  }

  @Test
  void curesNothingByATierThatIsNotThere() throws IOException {
    Advice noDisk = advise("{name: flash, match: {storage-type: SSD}}");
    Advice noFaster =
        advise(
            "{name: hdd, match: {storage-type: DISK}}",
            "{name: tape, match: {storage-type: ARCHIVE}}");

    assertThat(row(noDisk, Misplaced.HOT_NOT_ON_FAST).files()).isZero();
    assertThat(row(noFaster, Misplaced.HOT_NOT_ON_FAST).files()).isZero();
    assertThat(noFaster.hottestFiles().get(1).tiers()).containsExactly("hdd");
    assertThat(noFaster.remarks()).noneMatch(remark -> remark.contains("tier table"));
  }

  @Test
  void saysWhatKeepsItFromAnAnswer() {
    assertRefused("the audit log is empty", "");
    assertRefused("no line of an HDFS audit log", "a line\n");
    assertRefused(
        "none that opens a file", line("2026-03-16 00:00:00,000", "listStatus", "/warehouse"));
    assertRefused("0.0% of the 1 file that the log reads are in", open(16, "00:00:00", "/else/f"));
  }

  private void assertRefused(String text, String... lines) {
    assertThatThrownBy(() -> advise(TierConfiguration.byStorageType(), lines))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining(text)
        .message()
        .hasLineCount(1);
  }

  @Test
  void leavesLeapsOfTheClockOutAndSaysSo() throws IOException {
    String[] lines = new String[14];
    lines[0] = open(16, "00:00:00", SALES);
    lines[1] = open(16, "06:00:00", SALES);
    for (int i = 2; i < lines.length; i++) {
      lines[i] = line(String.format("2031-01-01 00:00:%02d,000", i), "open", SALES);
    }
    Advice advice = advise(TierConfiguration.byStorageType(), lines);

    assertThat(advice.log().clockJumps()).isEqualTo(1);
    assertThat(advice.log().observedSeconds()).isLessThan(6 * 3600 + 60);
    assertThat(advice.remarks()).anyMatch(remark -> remark.contains("clock"));
  }

  /** One batch a week reads; in between others list and write. */
  @Test
  void aSilenceOfReadersIsNoLeapOfTheClock() throws IOException {
    String[] lines = new String[31];
    lines[0] = open(1, "00:00:00", SALES);
    lines[1] = open(1, "00:30:00", SALES);
    for (int i = 2; i < 29; i++) {
      String time = String.format("2026-03-%02d %02d:00:00,000", 1 + i / 2, 12 * (i % 2));
      lines[i] = line(time, "listStatus", "/warehouse");
    }
    lines[29] = open(15, "12:00:00", SALES);
    lines[30] = open(15, "12:30:00", SALES);
    Advice advice = advise(TierConfiguration.byStorageType(), lines);

    assertThat(advice.log().observedSeconds()).isEqualTo(14.5 * 86_400 + 1_800);
    assertThat(advice.log().clockJumps()).isZero();
    assertThat(advice.remarks()).isEmpty();
    // Four reads in two weeks are less than one a day.
    assertThat(row(advice, Heat.HOT).files()).isZero();
  }

  @Test
  void theSampleOfTheGuideHasWhatItWasMadeFor() throws IOException {
    Advice advice =
        advise(SAMPLE.resolve("hdfs-audit.log.gz"), TierConfiguration.byStorageType(), 1 << 20);

    for (Misplaced kind : Misplaced.values()) {
      assertThat(row(advice, kind).files()).as(kind.name()).isPositive();
    }
    assertThat(advice.log().filesInImage()).isEqualTo(advice.log().filesRead());
    assertThat(advice.log().counted().continued()).isPositive();
  }

  @Test
  void whatColdFilesFreeElsewhereThanOnDisksIsNoDisksPrice() throws IOException {
    Advisor.Advised advised =
        Advisor.advise(
            wish(SAMPLE.resolve("hdfs-audit.log.gz"), TierConfiguration.byStorageType(), 1 << 20));

    // Of 423 GiB in three replicas 48 are on SSDs and 152 in the archive.
    assertThat(row(advised.advice(), Misplaced.COLD_REPLICATED).cureBytes())
        .isEqualTo(423 * 1024 * MIB * 3 / 2);
    assertThat(advised.codedDiskBytes()).isEqualTo((423 - 48 - 152) * 1024 * MIB * 3 / 2);
  }

  @Test
  void handsTheReadsOnThatAReplayNeeds() throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("log"),
            open(16, "00:00:00", SALES)
                + open(16, "00:00:10", "/gone")
                + open(16, "00:00:20", "/models/current.bin")
                + open(20, "00:00:00", "/models/current.bin")
                + open(20, "00:00:05", SALES));
    ReadHistory history =
        Advisor.advise(wish(log, TierConfiguration.byStorageType(), 99)).history();

    assertThat(history.files())
        .containsExactlyInAnyOrder(
            new ReadHistory.ReadFile(512 * MIB, 3, false),
            new ReadHistory.ReadFile(1024 * MIB, 3, true));
    int sales = history.readFiles()[0];
    assertThat(history.readFiles()).containsExactly(sales, 1 - sales, 1 - sales, sales);
    // Four silent days are no time that was observed.
    assertThat(history.readSeconds()).containsExactly(0, 20, 20, 25);
  }

  @Test
  void ofMoreReadsThanAreKeptTheLastAreHandedOn() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 1_100; i++) {
      lines.append(open(16, String.format("00:%02d:%02d", i / 60, i % 60), SALES));
    }
    Path log = Files.writeString(folder.resolve("log"), lines);
    Advisor.Wish all = wish(log, TierConfiguration.byStorageType(), 99);
    Advisor.Wish few =
        new Advisor.Wish(
            all.log(),
            all.image(),
            all.tiers(),
            all.hotReadsPerDay(),
            5,
            1 << 10,
            all.history(),
            all.site(),
            null);
    ReadHistory history = Advisor.advise(few).history();

    assertThat(history.readCount()).isEqualTo(1 << 10);
    assertThat(history.readSeconds()[0]).isZero();
    assertThat(history.readSeconds()[1_023]).isEqualTo(1_023);
  }

  /** A file that lost its count is not cold because that is long ago. */
  @Test
  void whatWasReadAMonthAgoIsNotCold() throws IOException {
    StringBuilder lines = new StringBuilder(open(1, "00:00:00", SALES));
    for (int day = 2; day <= 31; day++) {
      for (int part = 0; part < 4; part++) {
        String path = String.format("/warehouse/shop.db/sales/day=%02d/part-%d", day, part);
        lines.append(open(day, "00:00:0" + part, path));
      }
    }
    Path log = Files.writeString(folder.resolve("log"), lines);
    Advice advice = advise(log, TierConfiguration.byStorageType(), 16);

    assertThat(row(advice, Heat.COLD).files()).isEqualTo(368 - (1 + 30 * 4));
    assertThat(advice.remarks()).anyMatch(remark -> remark.contains("so do 0.0% of those"));
  }

  @Test
  void filesBeyondTheCountedOnesAreWarm() throws IOException {
    Advice advice =
        advise(SAMPLE.resolve("hdfs-audit.log.gz"), TierConfiguration.byStorageType(), 16);

    assertThat(row(advice, Heat.COLD).files()).isLessThan(368 - 16);
    assertThat(advice.remarks())
        .anyMatch(
            remark ->
                remark.contains("than the " + advice.log().filesRead() + " that have a count")
                    && remark.contains("those that nobody read; --files"));
  }
}
