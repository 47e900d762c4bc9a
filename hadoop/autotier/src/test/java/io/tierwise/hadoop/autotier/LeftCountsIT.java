package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.cluster.Tier;
import io.tierwise.hadoop.mover.Mover;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.journal.Journal;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** More than one file that stays where it is, for one reason: so many are told. */
class LeftCountsIT {
  private static final long DAY_MILLIS = 86_400_000;

  @TempDir private Path folder;
  private final Configuration conf = new HdfsConfiguration();

  @Test
  @Timeout(180)
  void filesThatAnotherMoverKeepsOutAreTold() throws Exception {
    try (TwoTierHdfs hdfs = TwoTierHdfs.start(conf, folder)) {
      hdfs.write("/hot/a");
      hdfs.write("/hot/b");
      List<Round> rounds = new ArrayList<>();
      AutotierSettings settings =
          RuledAutotier.settings(folder, "path matches /hot/** -> tier ssd", DAY_MILLIS);
      try (Mover other = Mover.open(hdfs.cluster(), MoverSettings.DEFAULT)) {
        RuledAutotier.of(hdfs.fs(), conf, folder, settings, line -> {})
            .run(1, rounds::add, new OpenGate());
        assertThat(other).isNotNull();
      }

      assertThat(rounds).hasSize(1);
      assertThat(rounds.get(0).left()).hasSize(1);
      assertThat(rounds.get(0).left().get(0).text())
          .startsWith("2 files: rules:1: another mover runs");
    }
  }

  @Test
  @Timeout(180)
  void filesForWhichTheFastTierHasNoRoomAreTold() throws Exception {
    TwoTierHdfs.tellTiers(conf, folder);
    try (TwoTierHdfs hdfs = TwoTierHdfs.start(conf, folder, 1)) {
      List<FastTierMoves.Coming> both =
          List.of(
              new FastTierMoves.Coming("/hot/a", hdfs.write("/hot/a"), 1, 1.0),
              new FastTierMoves.Coming("/hot/b", hdfs.write("/hot/b"), 1, 1.0));
      hdfs.report();
      LeftFiles left = new LeftFiles();
      Tier ssd = hdfs.cluster().tiers().table().require("ssd");
      FastTierMoves moves =
          new FastTierMoves(
              hdfs.cluster(),
              MoverSettings.DEFAULT,
              ssd,
              Hardware.disk(hdfs.cluster().tiers()),
              new QuotasAbove(hdfs.cluster()));

      assertThat(moves.coming("ppa", both, left)).isEmpty();

      assertThat(left.list()).extracting(RoundPlan.Left::files).containsExactly(2L);
      assertThat(left.list().get(0).example()).isEqualTo("/hot/a");
    }
  }

  /** They were whole when the round was planned. */
  @Test
  @Timeout(180)
  void filesThatDoNotGoToTheSecondaryStoreAreTold() throws Exception {
    try (TwoTierHdfs hdfs = TwoTierHdfs.startWithStore(conf, folder)) {
      Map<String, Long> files =
          Map.of("/cold/a", hdfs.write("/cold/a"), "/cold/b", hdfs.write("/cold/b"));
      List<StoreMove> offloads =
          new StoreMoves(hdfs.cluster(), TwoTierHdfs.settings())
              .plan(List.of(StoreMove.Wish.ofRule("rules:1", files)));
      assertThat(offloads).extracting(StoreMove::files).containsExactly(2L);

      Round round;
      try (OutputStream first = hdfs.fs().append(new org.apache.hadoop.fs.Path("/cold/a"));
          OutputStream second = hdfs.fs().append(new org.apache.hadoop.fs.Path("/cold/b"))) {
        assertThat(List.of(first, second)).hasSize(2);
        round =
            hdfs.make(
                TwoTierHdfs.plan(List.of(), offloads),
                TwoTierHdfs.settings(),
                new Journal(folder.resolve("journal")));
      }

      assertThat(round.offloadedFiles()).isZero();
      assertThat(round.left()).extracting(RoundPlan.Left::files).containsExactly(2L);
      assertThat(round.left().get(0).reason()).startsWith("rules:1: ");
    }
  }
}
