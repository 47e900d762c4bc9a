package io.tierwise.cli.autotier;

import static io.tierwise.cli.autotier.DaemonThread.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import io.tierwise.hadoop.autotier.AutotierSettings;
import io.tierwise.hadoop.autotier.Prefetching;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.lab.embedded.EmbeddedYarn;
import io.tierwise.lab.embedded.LineCount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A MapReduce job runs on a real HDFS and YARN and is learned from. The next one waits until
 * another application has left its node, and finds its input in the fast tier; its intermediate
 * data goes there, too. Neither job sets anything of ours.
 */
@Tag("long")
class ProfiledJobIT {
  private static final int LINES = 80_000;
  private static final long REGION_BYTES = 1L << 30;
  private static final String TOLD = "/system/tierwise-autotier/intermediate";
  private static final EmbeddedYarn.Tiers BOTH = new EmbeddedYarn.Tiers("ssd", "disk");

  @TempDir private Path folder;

  private Configuration settings(AuditedHdfs hdfs) throws IOException {
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", hdfs.fs().getUri().toString());
    conf.set(
        "tierwise.tiers.file",
        Files.writeString(folder.resolve("tiers"), WaitingYarn.TIERS).toString());
    conf.set("tierwise.nodemanager.intermediate.directory", hdfs.fs().getUri() + TOLD);
    return conf;
  }

  private static Job submit(AuditedHdfs hdfs, Configuration conf, String day) throws Exception {
    org.apache.hadoop.fs.Path input = new org.apache.hadoop.fs.Path("/data/" + day);
    try (FSDataOutputStream out = hdfs.fs().create(input, (short) 1)) {
      for (int i = 0; i < LINES; i++) {
        out.writeBytes("a rose is a rose is a rose\n");
      }
    }
    return LineCount.submit(conf, "word count " + day, List.of(input.toString()));
  }

  private static StorageType type(AuditedHdfs hdfs, String path) throws IOException {
    return hdfs.fs().getClient().getLocatedBlocks(path, 0).get(0).getStorageTypes()[0];
  }

  private void learn(AuditedHdfs hdfs) throws Exception {
    await(
        "the first job is in the catalog",
        () -> {
          CommandRun run =
              CommandRun.of(
                  "profile",
                  "import",
                  hdfs.fs().getUri() + EmbeddedYarn.STAGING + "/history",
                  "--catalog",
                  catalog());
          return run.out().contains("added 1 run");
        });
  }

  private String catalog() {
    return folder.resolve("runs.db").toString();
  }

  @Test
  void aProfiledJobFindsItsInputAndItsIntermediateDataInTheFastTier() throws Exception {
    try (AuditedHdfs hdfs =
            new AuditedHdfs(
                folder,
                new HdfsConfiguration(),
                new StorageType[] {StorageType.SSD, StorageType.DISK});
        EmbeddedYarn yarn = EmbeddedYarn.start(folder.resolve("yarn"), BOTH, settings(hdfs))) {
      Configuration conf = yarn.configuration();

      Job first = submit(hdfs, conf, "2026-11-27");
      assertThat(first.waitForCompletion(false)).isTrue();
      learn(hdfs);
      ApplicationId other = yarn.occupy();
      Job second = submit(hdfs, conf, "2026-11-28");
      assertThat(type(hdfs, "/data/2026-11-28")).isEqualTo(StorageType.DISK);

      AutotierSettings bounds =
          WaitingYarn.bounds(
              "/data", new Prefetching(catalog(), REGION_BYTES), MoverSettings.DEFAULT);
      try (DaemonThread daemon =
          new DaemonThread(
              hdfs, conf, bounds, folder.resolve("hdfs-audit.log"), folder.resolve("journal"))) {
        await(
            "its input comes: " + daemon.said(),
            () -> type(hdfs, "/data/2026-11-28") == StorageType.SSD);
        yarn.kill(other);
        assertThat(second.waitForCompletion(false)).isTrue();
        daemon.awaitSaid("between phases go to ssd");
        await(
            "NodeManagers are told nothing of it any more",
            () -> hdfs.fs().listStatus(new org.apache.hadoop.fs.Path(TOLD)).length == 0);
      }
      ApplicationId learned = LineCount.application(first);
      ApplicationId planned = LineCount.application(second);
      assertThat(yarn.mapOutputs("ssd", planned)).hasSize(1);
      assertThat(yarn.mapOutputs("disk", planned)).isEmpty();
      assertThat(yarn.mapOutputs("ssd", learned).size() + yarn.mapOutputs("disk", learned).size())
          .isOne();
    }
  }
}
