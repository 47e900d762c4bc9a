package io.tierwise.hadoop.inspect.advise;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.use.ReadHistory;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.audit.ChecksummedBytes;
import io.tierwise.hadoop.inspect.audit.ClientTraces;
import io.tierwise.hadoop.inspect.audit.LogHeat;
import io.tierwise.hadoop.inspect.image.FsImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TracedBytesTest {
  private static final Path SAMPLE =
      Path.of(System.getProperty("tierwise.root"), "examples/advise");
  private static final String SALES = "/warehouse/shop.db/sales/day=60/part-0";
  private static final long MIB = 1 << 20;

  @TempDir private Path folder;

  private static String open(String time, String path) {
    return "2026-03-16 "
        + time
        + ",000 INFO FSNamesystem.audit: allowed=true\tugi=ann (auth:SIMPLE)\tip=/10.0.0.1"
        + "\tcmd=open\tsrc="
        + path
        + "\tdst=null\tperm=null\tproto=rpc\n";
  }

  private static Advisor.Wish wish(Path log, ClientTraces.Wish traces) {
    return wish(log, traces, 1 << 20);
  }

  private static Advisor.Wish wish(Path log, ClientTraces.Wish traces, int readsMax) {
    return new Advisor.Wish(
        new LogHeat.Wish(List.of(log), ZoneOffset.UTC, 3_600_000, null, 1 << 20),
        SAMPLE.resolve("fsimage"),
        TierConfiguration.byStorageType(),
        1,
        5,
        readsMax,
        JobHistories.Found.NONE,
        SiteConf.NONE,
        traces);
  }

  private static long warmFiles(Advice advice) {
    return advice.heats().stream()
        .filter(row -> row.heat() == Heat.WARM)
        .mapToLong(Advice.HeatRow::files)
        .sum();
  }

  private static String trace(String time, long block, long sent) {
    return "2026-03-16 "
        + time
        + ",000 DEBUG DataNode.clienttrace: src: /10.0.0.7:9866, dest: /10.0.0.9:4, volume: /d,"
        + " bytes: "
        + sent
        + ", op: HDFS_READ, cliID: c, offset: 0, srvID: u, blockid: BP-1:blk_"
        + block
        + "_1, duration(ns): 5\n";
  }

  /** The ids of a file's blocks, as the image has them. */
  private static long[] blocks(String path) throws IOException {
    List<Long> ids = new ArrayList<>();
    FsImage.read(
        SAMPLE.resolve("fsimage"),
        file -> {
          for (int i = 0; file.path().toString().equals(path) && i < file.blockCount(); i++) {
            ids.add(file.blockId(i));
          }
        });
    return ids.stream().mapToLong(Long::longValue).toArray();
  }

  /**
   * One read before the traces, two while there are some; forged bytes; a cold file; a gone one.
   */
  @Test
  void tracesStandInThePlaceOfReadsTimesSize() throws IOException {
    long[] sales = blocks(SALES);
    long[] cold = blocks("/models/retired-0.bin");
    assertThat(sales).hasSize(4);
    Path log =
        Files.writeString(
            folder.resolve("log"),
            open("00:00:00", SALES)
                + open("06:00:00", SALES)
                + open("07:00:00", SALES)
                + open("07:00:10", "/models/current.bin")
                + open("09:00:00", "/archive/2024/sales-0"));
    Path traces =
        Files.writeString(
            folder.resolve("datanode.log"),
            trace("06:00:01", sales[0], 516)
                + trace("07:00:01", sales[3], 1032)
                + trace("07:00:02", sales[2], 900L << 40)
                + trace("08:00:00", cold[1], 516)
                + trace("08:00:00", 1, 516_000)
                + trace("23:00:00", sales[0], 516));
    Advisor.Wish bySize = wish(log, null);
    Advisor.Wish byTraces =
        wish(
            log,
            new ClientTraces.Wish(List.of(traces), ZoneOffset.UTC, null, ChecksummedBytes.DEFAULT));

    Advisor.Advised advised = Advisor.advise(byTraces);
    Advice.Traces told = advised.advice().traces();
    long salesBytes = 512 + 1024 + 128 * MIB;
    assertThat(told.traced()).isEqualTo(new Advice.TracePart(2, salesBytes + 512));
    assertThat(told.unopened()).isEqualTo(new Advice.TracePart(1, 512));
    assertThat(told.estimated()).isEqualTo(new Advice.TracePart(1, 1024 * MIB));
    assertThat(told.otherTimeReads()).isEqualTo(2);
    assertThat(told.otherTimeBytes()).isEqualTo((512 + 4096) * MIB);
    assertThat(told.unmappedBlocks()).isEqualTo(1);
    assertThat(told.unmappedBytes()).isEqualTo(512_000);
    assertThat(told.excessBytes()).isPositive();
    assertThat(told.lines().outside()).isEqualTo(1);
    assertThat(advised.advice().hottestFiles())
        .filteredOn(file -> file.path().equals(SALES))
        .extracting(Advice.HotFile::readBytes)
        .containsExactly(salesBytes + 512 * MIB);
    assertThat(advised.history().files())
        .contains(new ReadHistory.ReadFile(512 * MIB, 3, false, (salesBytes + 512 * MIB + 2) / 3));
    assertThat(warmFiles(advised.advice()))
        .isEqualTo(warmFiles(Advisor.advise(bySize).advice()) + 1);
    assertThat(String.join("\n", advised.advice().remarks()))
        .contains(
            "1 client trace of another time",
            "client traces are of 2026-03-16T06:00:01Z to 2026-03-16T08:00:00Z: 2 reads of other");
    assertThat(Advisor.advise(bySize).advice().traces()).isNull();
  }

  /** Each of 3,000 reads has its trace, and the advisor keeps the last 1,024 of them. */
  @Test
  void readsOfALongLogCountOnceThoughNotAllOfThemAreKept() throws IOException {
    long[] sales = blocks(SALES);
    StringBuilder opens = new StringBuilder();
    StringBuilder sent = new StringBuilder();
    for (int second = 0; second < 3_000; second++) {
      String time = String.format(Locale.ROOT, "06:%02d:%02d", second / 60, second % 60);
      // Each by another reader: one that goes on is counted once.
      String reader = "/10.1." + second / 250 + "." + second % 250;
      opens.append(open(time, SALES).replace("/10.0.0.1", reader));
      sent.append(trace(time, sales[second % 4], 516));
    }
    Path log = Files.writeString(folder.resolve("log"), opens);
    Path traces = Files.writeString(folder.resolve("datanode.log"), sent);

    Advice advice =
        Advisor.advise(
                wish(
                    log,
                    new ClientTraces.Wish(
                        List.of(traces), ZoneOffset.UTC, null, ChecksummedBytes.DEFAULT),
                    1 << 10))
            .advice();

    assertThat(advice.traces().otherTimeReads()).isZero();
    assertThat(advice.traces().traced()).isEqualTo(new Advice.TracePart(1, 3_000 * 512L));
    assertThat(advice.hottestFiles())
        .filteredOn(file -> file.path().equals(SALES))
        .extracting(Advice.HotFile::readBytes)
        .containsExactly(3_000 * 512L);
    assertThat(String.join("\n", advice.remarks())).doesNotContain("reads of other times");
  }
}
