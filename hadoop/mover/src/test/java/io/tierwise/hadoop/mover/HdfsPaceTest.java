package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class HdfsPaceTest {
  private static final int NODES = 10;

  /** HDFS's defaults: two blocks a node each 3 s, and two at once of each node. */
  @Test
  void blocksTakeTheTurnsOfTheNameNode() {
    HdfsPace pace = HdfsPace.of(new Configuration(false), NODES);

    assertThat(pace.seconds(0, 0)).isZero();
    assertThat(pace.seconds(1, 1)).isEqualTo(3);
    assertThat(pace.seconds(20, 1)).isEqualTo(3);
    assertThat(pace.seconds(21, 1)).isEqualTo(6);
    assertThat(pace.seconds(20_000, 1)).isEqualTo(3_000);
    assertThat(pace.keys())
        .contains("work.multiplier.per.iteration 2", "dfs.namenode.replication.max-streams 2");
  }

  @Test
  void fewStreamsOrALimitOfTransfersMakeItSlower() {
    Configuration conf = new Configuration(false);
    conf.setInt("dfs.namenode.replication.work.multiplier.per.iteration", 100);
    conf.setInt("dfs.namenode.replication.max-streams", 1);
    assertThat(HdfsPace.of(conf, NODES).seconds(1_000, 1)).isEqualTo(300);

    conf.set("dfs.datanode.data.transfer.bandwidthPerSec", "1m");
    assertThat(HdfsPace.of(conf, NODES).seconds(1_000, 10_000L << 20)).isEqualTo(1_000);
  }

  /** Values that Hadoop would refuse at the NameNode's start stand for no time without end. */
  @Test
  void aClusterWithoutNodesAndWithoutStreamsHasAPace() {
    Configuration conf = new Configuration(false);
    conf.setInt("dfs.namenode.replication.max-streams", 0);

    assertThat(HdfsPace.of(conf, 0).seconds(6, 1)).isEqualTo(18);
  }
}
