package io.tierwise.hadoop.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.yarn.LocalDirectories.Choice;
import io.tierwise.hadoop.yarn.LocalDirectories.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalDirectoriesTest {
  private static final String APP = "/usercache/ann/appcache/application_1_0001";
  private static final String OFFERED = "/ssd0/yarn" + APP + ",/d0/yarn" + APP + ",/d1/yarn" + APP;

  @TempDir private java.nio.file.Path folder;
  private final List<String> problems = new ArrayList<>();
  private final Set<String> full = new HashSet<>();

  private static Configuration conf() {
    Configuration conf = new YarnConfiguration();
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, "file:///ssd0/yarn, /d0/yarn/,/d1/yarn");
    conf.set("tierwise.nodemanager.local-dirs.ssd", "/ssd0/yarn");
    conf.set("tierwise.nodemanager.local-dirs.disk", "file:///d0/yarn, /d1/yarn");
    return conf;
  }

  private LocalDirectories directories(Configuration conf) {
    return LocalDirectories.of(conf, problems::add, directory -> !full.contains(directory));
  }

  @Test
  void aContainerHasTheDirectoriesOfTheTierThatItAsksFor() {
    LocalDirectories directories = directories(conf());
    assertThat(problems).isEmpty();
    assertThat(directories.choose(OFFERED, " ssd "))
        .isEqualTo(new Choice("/ssd0/yarn" + APP, "ssd", Outcome.ON_TIER));
    assertThat(directories.choose(OFFERED, "disk").directories())
        .isEqualTo("/d0/yarn" + APP + ",/d1/yarn" + APP);
    assertThat(directories.choose(OFFERED, null))
        .isEqualTo(new Choice(OFFERED, "", Outcome.NOT_ASKED));
    assertThat(directories.choose(OFFERED, "tape"))
        .isEqualTo(new Choice(OFFERED, "tape", Outcome.UNKNOWN_TIER));
  }

  @Test
  void whoeverAsksForNothingHasTheUsualTier() {
    Configuration conf = conf();
    conf.set(LocalDirectories.USUAL_KEY, "ssd");
    LocalDirectories directories = directories(conf);
    assertThat(directories.choose(OFFERED, "").directories()).isEqualTo("/ssd0/yarn" + APP);
    assertThat(directories.choose(OFFERED, "disk").directories()).startsWith("/d0");
  }

  @Test
  void aFullDirectoryIsLeftOutAndAFullTierIsAsIfNobodyHadAsked() {
    LocalDirectories directories = directories(conf());
    full.add("/d0/yarn");
    assertThat(directories.choose(OFFERED, "disk"))
        .isEqualTo(new Choice("/d1/yarn" + APP, "disk", Outcome.ON_TIER));
    full.add("/d1/yarn");
    assertThat(directories.choose(OFFERED, "disk"))
        .isEqualTo(new Choice(OFFERED, "disk", Outcome.NO_ROOM));
    // A directory that the NodeManager itself leaves out, because it is bad or full, stays out.
    String withoutSsd = "/d0/yarn" + APP;
    assertThat(directories.choose(withoutSsd, "ssd"))
        .isEqualTo(new Choice(withoutSsd, "ssd", Outcome.NO_ROOM));
  }

  @Test
  void aNameThatBeginsAlikeIsAnotherDirectory() {
    Configuration conf = conf();
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, "/d,/d2");
    conf.set("tierwise.nodemanager.local-dirs.disk", "/d");
    conf.set("tierwise.nodemanager.local-dirs.ssd", "/d2");
    assertThat(directories(conf).choose("/d/a,/d2/a", "disk").directories()).isEqualTo("/d/a");
  }

  @Test
  void valuesThatAreNoGoodAreToldAndTheRestHolds() {
    Configuration conf = conf();
    conf.set("tierwise.nodemanager.local-dirs.disk", "/d0/yarn,,/d9/yarn");
    conf.set(LocalDirectories.USUAL_KEY, "nvme");
    LocalDirectories directories = directories(conf);
    assertThat(problems)
        .containsExactlyInAnyOrder(
            "tierwise.nodemanager.local-dirs.disk names , which is not in"
                + " yarn.nodemanager.local-dirs: it is left out",
            "tierwise.nodemanager.local-dirs.disk names /d9/yarn, which is not in"
                + " yarn.nodemanager.local-dirs: it is left out",
            "tierwise.nodemanager.intermediate.tier is nvme, but there is no"
                + " tierwise.nodemanager.local-dirs.nvme: containers that ask for no tier get all"
                + " directories");
    assertThat(directories.choose(OFFERED, "disk").directories()).isEqualTo("/d0/yarn" + APP);
    assertThat(directories.choose(OFFERED, null).outcome()).isEqualTo(Outcome.NOT_ASKED);
  }

  @Test
  void fallsBackAreCountedAndAnErrorOfOursLeavesAllDirectories() {
    IntermediateData data = new IntermediateData(directories(conf()), null);
    full.add("/ssd0/yarn");
    assertThat(narrowed(data, "ssd")).isEqualTo(OFFERED);
    full.clear();
    assertThat(narrowed(data, "ssd")).isEqualTo("/ssd0/yarn" + APP);
    assertThat(narrowed(data, "a\nb")).isEqualTo(OFFERED);
    assertThat(data.getContainersOnTier()).isEqualTo(Map.of("ssd", 1L, "disk", 0L));
    assertThat(data.getContainersWithoutRoom()).isEqualTo(Map.of("ssd", 1L, "disk", 0L));
    assertThat(data.getContainersOfUnknownTier()).isEqualTo(1);

    data.narrow(Map.of("LOCAL_DIRS", OFFERED, "TIERWISE_INTERMEDIATE", "ssd"));
    assertThat(data.getFailures()).isEqualTo(1);
  }

  @Test
  void anApplicationsOwnWishComesBeforeWhatWasTold() {
    ToldTiers told = new ToldTiers(application -> "ssd", System::nanoTime);
    IntermediateData data = new IntermediateData(directories(conf()), told);

    assertThat(narrowed(data, " ")).isEqualTo("/ssd0/yarn" + APP);
    assertThat(narrowed(data, "disk")).isEqualTo("/d0/yarn" + APP + ",/d1/yarn" + APP);
    assertThat(data.getContainersOnTier()).isEqualTo(Map.of("ssd", 1L, "disk", 1L));
  }

  /** Names of tiers are each node's own: an application that asked for none is no worse off. */
  @Test
  void aToldTierThatTheNodeDoesNotHaveIsTheUsualOne() {
    Configuration conf = conf();
    conf.set(LocalDirectories.USUAL_KEY, "ssd");
    ToldTiers told = new ToldTiers(application -> "nvme\n", System::nanoTime);
    IntermediateData data = new IntermediateData(directories(conf), told);

    assertThat(narrowed(data, "")).isEqualTo("/ssd0/yarn" + APP);
    assertThat(data.getContainersOfUnknownTier()).isEqualTo(1);
    assertThat(data.getContainersOnTier()).isEqualTo(Map.of("ssd", 1L, "disk", 0L));
    assertThat(narrowed(data, "nvme")).isEqualTo(OFFERED);
  }

  private static String narrowed(IntermediateData data, String tier) {
    Map<String, String> environment = new HashMap<>();
    environment.put("LOCAL_DIRS", OFFERED);
    environment.put("CONTAINER_ID", "container_1700000000000_0001_01_000002");
    environment.put("TIERWISE_INTERMEDIATE", tier);
    data.narrow(environment);
    return environment.get("LOCAL_DIRS");
  }

  @Test
  void theScriptOfAContainerHasTheDirectoriesOfTheTier() throws IOException {
    Configuration conf = conf();
    conf.set(LocalDirectories.DIRECTORIES_KEY + "ssd", folder.toString());
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, folder + ",/d0/yarn,/d1/yarn");
    conf.setFloat(YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE, 100);
    String offered = folder + APP + ",/d0/yarn" + APP;
    for (ContainerExecutor executor :
        List.of(new TierwiseContainerExecutor(), new TierwiseLinuxContainerExecutor())) {
      executor.setConf(conf);
      assertThat(script(executor, offered, "ssd")).contains("LOCAL_DIRS=\"" + folder + APP + "\"");
      // There are no such disks here, so they have no room.
      assertThat(script(executor, offered, "disk")).contains("LOCAL_DIRS=\"" + offered + "\"");
    }
  }

  @Test
  void aDiskHasRoomWithinTheLimits() {
    assertThat(LocalDirectories.hasRoom(100, 10, 90, 0)).isTrue();
    assertThat(LocalDirectories.hasRoom(100, 9, 90, 0)).isFalse();
    assertThat(LocalDirectories.hasRoom(100, 9, 100, 9)).isTrue();
    assertThat(LocalDirectories.hasRoom(100, 9, 100, 10)).isFalse();
    assertThat(LocalDirectories.hasRoom(100, 0, 100, 0)).isFalse();
    assertThat(LocalDirectories.hasRoom(0, 0, 100, 0)).isFalse();
  }

  private static String script(ContainerExecutor executor, String offered, String tier)
      throws IOException {
    Map<String, String> environment = new HashMap<>();
    environment.put("LOCAL_DIRS", offered);
    environment.put(LocalDirectories.VARIABLE, tier);
    ByteArrayOutputStream script = new ByteArrayOutputStream();
    executor.writeLaunchEnv(
        script,
        environment,
        Map.of(),
        List.of("true"),
        new Path("/logs"),
        "ann",
        new LinkedHashSet<>());
    return script.toString(StandardCharsets.UTF_8);
  }
}
