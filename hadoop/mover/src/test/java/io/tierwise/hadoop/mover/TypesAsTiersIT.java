package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cluster whose tiers nobody named: they are HDFS's five types, of which it has two. */
class TypesAsTiersIT {
  @Test
  @Timeout(180)
  void theFastestAndTheSlowestTierAreThoseWithAVolume() throws IOException {
    Configuration conf = LiveCluster.withPlugin();
    conf.unset("tierwise.tiers.file");
    try (LiveCluster cluster = LiveCluster.ofMixedNodes(conf, "/a")) {
      cluster.write("/t/file", 1, 1);
      // The NameNode counts them within a second of their nodes' first heartbeats.
      MoverCluster[] last = {null};
      LiveCluster.await(
          "two types",
          () -> {
            last[0] = MoverCluster.of(cluster.fs(), conf);
            return last[0].tiers().table().countedCount() == 2;
          });
      FileTiers tiers = new FileTiers(last[0]);

      assertThat(tiers.moveToSSDTier("/t", 1).after()).isEqualTo("layout:1 x ssd");
      assertThat(tiers.moveToHDDTier("/t", 1).after()).isEqualTo("layout:1 x disk");
    }
  }
}
