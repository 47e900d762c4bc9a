package io.tierwise.cli.autotier;

import static io.tierwise.cli.autotier.DaemonThread.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.JournaledMoves;
import io.tierwise.cli.process.FreePort;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.policies.movement.MovementLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.FileSystemRMStateStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon asks whichever of two ResourceManagers is active. */
@Tag("long")
class PrefetchFailoverIT {
  private static final long REGION_BYTES = 1_000_000;

  /** So slow, in bytes a second, that a failover is over before the prefetch is. */
  private static final long SLOW_RATE = 250_000;

  private static final List<String> IDS = List.of("one", "two");

  @TempDir private Path folder;

  private Configuration twoOfThem() throws IOException {
    Configuration conf = new YarnConfiguration();
    conf.setBoolean(YarnConfiguration.RM_HA_ENABLED, true);
    conf.setBoolean(YarnConfiguration.AUTO_FAILOVER_ENABLED, false);
    conf.setBoolean(YarnConfiguration.YARN_MINICLUSTER_FIXED_PORTS, true);
    conf.set(YarnConfiguration.RM_HA_IDS, String.join(",", IDS));
    for (String id : IDS) {
      for (String key : YarnConfiguration.getServiceAddressConfKeys(conf)) {
        conf.set(HAUtil.addSuffix(key, id), "localhost:" + FreePort.any());
      }
    }
    conf.setBoolean(YarnConfiguration.RECOVERY_ENABLED, true);
    conf.set(YarnConfiguration.RM_STORE, FileSystemRMStateStore.class.getName());
    conf.set(YarnConfiguration.FS_RM_STATE_STORE_URI, folder.resolve("state").toUri().toString());
    return conf;
  }

  private static void failOver(WaitingYarn yarn) throws Exception {
    yarn.yarn().stopResourceManager(0);
    activate(yarn, 1);
  }

  private static void activate(WaitingYarn yarn, int index) throws Exception {
    yarn.yarn()
        .getResourceManager(index)
        .getRMContext()
        .getRMAdminService()
        .transitionToActive(new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER));
  }

  @Test
  void jobsOfTheOtherOneAreKnownAfterAFailover() throws Exception {
    try (WaitingYarn yarn = new WaitingYarn(folder, IDS.size(), twoOfThem())) {
      activate(yarn, 0);
      yarn.hdfs().write("/data/first", 1);
      yarn.hdfs().write("/data/second", 1);
      yarn.hdfs().read("/data/first", 1);
      Job first = yarn.submit("count", "/data/first");
      try (DaemonThread daemon =
          yarn.daemon("/data", REGION_BYTES, MoverSettings.DEFAULT, folder.resolve("journal"))) {
        await("its input comes", () -> yarn.isOnSsd("/data/first") && yarn.isTold(first));

        yarn.yarn().stopResourceManager(0);
        daemon.awaitSaid("the ResourceManager does not answer");
        activate(yarn, 1);
        yarn.submit("count", "/data/second");
        await("the other one's job gets its input", () -> yarn.isOnSsd("/data/second"));

        assertThat(yarn.isOnSsd("/data/first")).isTrue();
        assertThat(yarn.isTold(first)).as("the other one knows it, too").isTrue();
        yarn.kill(first);
        await("it is over", () -> !yarn.isTold(first));
      }
    }
  }

  @Test
  void aPrefetchGoesOnWhenTheOtherOneTakesOverInItsMiddle() throws Exception {
    Path journal = folder.resolve("journal");
    try (WaitingYarn yarn = new WaitingYarn(folder, IDS.size(), twoOfThem())) {
      activate(yarn, 0);
      JobInput input = new JobInput(yarn, "/data/input");
      Job job = yarn.submit("count", input.paths());
      MoverSettings slow =
          MoverSettings.DEFAULT.with(new MovementLimits(SLOW_RATE, SLOW_RATE, 1, 0.05));
      try (DaemonThread daemon = yarn.daemon("/data", 20 * REGION_BYTES, slow, journal)) {
        await("some of it came", () -> !input.onSsd().isEmpty());

        failOver(yarn);

        assertThat(input.onSsd().size()).as("in its middle").isLessThan(JobInput.FILES);
        await("the others come", () -> input.onSsd().size() == JobInput.FILES);
        daemon.awaitCounted(yarn, JobInput.BYTES + JobInput.INTERMEDIATE_BYTES);
        assertThat(yarn.tier(job)).isEqualTo("ssd");
        yarn.kill(job);
        await("it is over", () -> !yarn.isTold(job));
        daemon.awaitCounted(yarn, JobInput.BYTES);
      }
      assertThat(JournaledMoves.of(journal, "ssd")).as("each once").doesNotHaveDuplicates();
      assertThat(new Journal(journal).runs()).as("nothing stopped it").hasSize(1);
      input.assertWhole();
    }
  }
}
