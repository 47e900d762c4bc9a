package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Listener;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A run is told to end while it waits for its store. The store answers later, as one that hung and
 * came back does.
 */
@ExtendWith(Clusters.Both.class)
class ToldToEndIT {
  private final Clusters clusters;

  ToldToEndIT(Clusters clusters) {
    this.clusters = clusters;
  }

  @ParameterizedTest
  @ValueSource(strings = {"copied", "read back", "published", "placeholder finished"})
  void theFileAtHandStaysAndNothingOfItIsLeft(String step) throws Exception {
    String store = clusters.store("file");
    String directory = "/told-" + step.replace(' ', '-');
    byte[] data = clusters.write(directory + "/file", Clusters.BLOCK_BYTES);
    Configuration conf = clusters.conf(store);
    SecondaryTier.prepare(conf);
    AtomicBoolean ended = new AtomicBoolean();
    Steps steps = made -> ended.compareAndSet(false, made.equals(step));
    SecondaryReport report;
    try (DistributedFileSystem fs =
            (DistributedFileSystem) FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
        SecondaryTier tier = SecondaryTier.of(fs, conf)) {
      List<String> paths = List.of(directory);
      SecondaryRun.Kind kind = SecondaryRun.Kind.OFFLOAD;
      SecondarySettings settings = new SecondarySettings(1L << 40, 0);
      report =
          new SecondaryRun(tier, settings, kind, steps)
              .run(
                  paths,
                  new SecondaryRun(tier, settings, kind).plan(paths),
                  () -> clusters.journal().begin("test", fs, paths, store, null),
                  Listener.SILENT,
                  ended::get);
    }

    assertThat(ended).as("it came to that step").isTrue();
    assertThat(report.files()).isZero();
    assertThat(report.stopped()).isTrue();
    assertThat(Clusters.read(clusters.stock(), directory + "/file")).isEqualTo(data);
    assertThat(clusters.stock().listStatus(new Path(directory))).hasSize(1);
    assertThat(Clusters.filesIn(store)).isZero();
  }
}
