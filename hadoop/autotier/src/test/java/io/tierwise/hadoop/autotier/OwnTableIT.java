package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A daemon's own tier table, which counts where no NameNode has the plug-in. */
class OwnTableIT {
  @TempDir private Path folder;
  private final List<String> said = new ArrayList<>();

  @Test
  @Timeout(180)
  void oneThatSomebodyEditsIsWaitedForAndAnotherOneIsNoticed() throws IOException {
    Configuration conf = new HdfsConfiguration();
    TwoTierHdfs.tellTiers(conf, folder);
    Path file = folder.resolve("tiers.yaml");
    String table = Files.readString(file);
    try (TwoTierHdfs hdfs = TwoTierHdfs.start(conf, folder)) {
      TierWatch watch = new TierWatch(hdfs.cluster(), 0, said::add);
      assertThat(watch.look()).isTrue();

      Files.writeString(file, "tiers:\n  - name: ssd\n    match: {storage-ty");
      assertThat(watch.look()).isFalse();
      assertThat(watch.look()).isFalse();
      assertThat(watch.isOutdated()).isFalse();
      assertThat(said)
          .singleElement()
          .asString()
          .startsWith(file.toString())
          .endsWith("; nothing is changed until that is mended");

      Files.writeString(file, table);
      assertThat(watch.look()).as("it is what it was").isTrue();

      Files.writeString(file, table.replace("name: ssd", "name: flash"));
      assertThat(watch.look()).isTrue();
      assertThat(watch.look()).isFalse();
      assertThat(watch.isOutdated()).isTrue();
      assertThat(said).hasSize(2);
    }
  }
}
