package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.cluster.Tier;
import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.test.GenericTestUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Directories with a quota of SSD, with the plug-in and without it: HDFS charges files by their
 * storage policy, whatever stands on the SSD.
 */
class TypeQuotasIT {
  private static final String LIMITED = "/data/limited";
  private static final String HOT = LIMITED + "/deep/hot";
  private static final String FREE = "/data/free";
  private static final String REASON =
      "a directory above has a quota of SSD, which HDFS does not charge for files under HOT";

  @TempDir private java.nio.file.Path folder;
  private TwoTierHdfs hdfs;
  private Configuration conf;

  private void start(boolean plugin) throws IOException {
    conf = new HdfsConfiguration();
    TwoTierHdfs.tellTiers(conf, folder);
    hdfs = TwoTierHdfs.start(plugin ? SharedDirectory.withPlugin(conf) : conf, folder);
    hdfs.write(HOT);
    hdfs.write(FREE);
    limit(LIMITED);
  }

  private void limit(String directory) throws IOException {
    hdfs.fs().setQuotaByStorageType(new Path(directory), StorageType.SSD, 1L << 30);
  }

  @AfterEach
  void stop() {
    hdfs.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRuleBringsWhatNoQuotaIsAbove(boolean plugin) throws Exception {
    start(plugin);
    RoundPlan plan =
        RuledAutotier.of(hdfs.fs(), conf, folder, "path matches /data/** -> tier ssd", line -> {})
            .plan();

    assertThat(plan.moves())
        .singleElement()
        .satisfies(move -> assertThat(move.paths()).containsExactly(FREE));
    assertThat(plan.rules().get(0).left())
        .singleElement()
        .satisfies(
            left -> {
              assertThat(left.reason()).isEqualTo(REASON);
              assertThat(left.example()).isEqualTo(HOT);
            });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPopularFileStaysWhereItIs(boolean plugin) throws Exception {
    start(plugin);
    hdfs.write("/data/cold");
    StringBuilder reads = new StringBuilder(RuledAutotier.opened("/data/cold", "ann"));
    for (int read = 0; read < 100; read++) {
      String user = "user" + read;
      reads.append(RuledAutotier.opened(HOT, user)).append(RuledAutotier.opened(FREE, user));
    }
    AutotierSettings settings =
        new AutotierSettings("lfu", TimeUnit.DAYS.toMillis(1), 20, 1, 0, List.of("/"), 100)
            .toBuilder().callsMax(1_000).fastTier("ssd").build();
    RoundPlan plan = plan(settings, reads.toString());

    assertThat(plan.moves())
        .as("%s", plan.left())
        .singleElement()
        .satisfies(move -> assertThat(move.paths()).containsExactly(FREE));
    assertThat(plan.left()).anyMatch(left -> left.reason().equals(REASON));
  }

  private RoundPlan plan(AutotierSettings settings, String reads) throws IOException {
    return new Autotier(
            hdfs.cluster(),
            settings,
            RuledAutotier.logs(folder, reads),
            new Journal(folder.resolve("journal")),
            line -> {})
        .plan();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatHdfsChargesMayCome(boolean plugin) throws Exception {
    start(plugin);
    QuotasAbove quotas = new QuotasAbove(hdfs.cluster());
    Tier ssd = hdfs.cluster().tiers().table().require("ssd");
    Tier disk = hdfs.cluster().tiers().table().require("disk");

    assertThat(quotas.refuse(HOT, ssd)).hasValue(REASON);
    assertThat(quotas.refuse(HOT, disk)).as("no quota of that type").isEmpty();
    hdfs.fs().setStoragePolicy(new Path(LIMITED), "ONE_SSD");
    assertThat(quotas.refuse(HOT, ssd)).as("charged by its storage policy").isEmpty();
    assertThat(quotas.refuse("/data/limited/gone", ssd)).as("deleted meanwhile").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNameNodeThatIsAwayIsNoAnswer(boolean plugin) throws Exception {
    start(plugin);
    conf.setInt("ipc.client.connect.max.retries", 0);
    QuotasAbove quotas = new QuotasAbove(hdfs.cluster());
    hdfs.fs().close();

    assertThat(quotas.refuse(HOT, hdfs.cluster().tiers().table().require("ssd")).orElseThrow())
        .startsWith("it is not known whether a directory above has a quota of SSD: ");
  }

  /** Long: it waits as long as a daemon does. */
  @Tag("long")
  @Test
  void nobodyWaitsForANameNodeThatCountsForLong() throws Exception {
    start(false);
    QuotasAbove quotas = new QuotasAbove(hdfs.cluster());
    Tier ssd = hdfs.cluster().tiers().table().require("ssd");
    hdfs.whileNameNodeIsBusy(
        () -> {
          assertThat(quotas.refuse(HOT, ssd))
              .hasValue("HDFS has not answered yet whether a directory above has a quota of SSD");
          long began = System.nanoTime();
          for (int other = 0; other < 100; other++) {
            assertThat(quotas.refuse("/other" + other + "/file", ssd)).isPresent();
          }
          assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(10));
        });
    GenericTestUtils.waitFor(() -> answer(quotas, ssd).equals(REASON), 100, 60_000);
  }

  private static String answer(QuotasAbove quotas, Tier tier) {
    try {
      return quotas.refuse(HOT, tier).orElse("");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
