package io.tierwise.hadoop.inspect.advise;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.audit.LogHeat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HottestFilesTest {
  private static final Path SAMPLE =
      Path.of(System.getProperty("tierwise.root"), "examples/advise");
  private static final String CUSTOMERS = "/warehouse/shop.db/customers/part-";

  @TempDir private Path folder;

  private static String open(int day, int part) {
    return ("2026-03-%02d 00:00:00,000 INFO FSNamesystem.audit: allowed=true\tugi=ann"
            + " (auth:SIMPLE)\tip=/10.0.0.1\tcmd=open\tsrc=%s%d\tdst=null\tperm=null\tproto=rpc\n")
        .formatted(day, CUSTOMERS, part);
  }

  @Test
  void ofFilesThatAreReadAlikeTheFirstByPathAreListed() throws IOException {
    StringBuilder lines = new StringBuilder();
    IntStream.range(0, 8).forEach(part -> lines.append(open(16, part)));
    lines.append(open(18, 7));
    Path log = Files.writeString(folder.resolve("log"), lines);
    Advisor.Wish wish =
        new Advisor.Wish(
            new LogHeat.Wish(List.of(log), ZoneOffset.UTC, 3_600_000, null, 1_000),
            SAMPLE.resolve("fsimage"),
            TierConfiguration.byStorageType(),
            1,
            3,
            1 << 20,
            JobHistories.Found.NONE,
            SiteConf.NONE,
            null);

    assertThat(Advisor.advise(wish).advice().hottestFiles())
        .extracting(Advice.HotFile::path)
        .containsExactly(CUSTOMERS + 7, CUSTOMERS + 0, CUSTOMERS + 1);
  }
}
