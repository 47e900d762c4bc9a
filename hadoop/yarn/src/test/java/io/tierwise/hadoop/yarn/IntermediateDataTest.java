package io.tierwise.hadoop.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class IntermediateDataTest {
  private static final String ALL = "/ssd/app,/disk/app";

  private final Set<String> full = new HashSet<>();
  private final IntermediateData data = new IntermediateData(directories(), null);

  private LocalDirectories directories() {
    Configuration conf = new YarnConfiguration();
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, "/ssd,/disk");
    conf.set(LocalDirectories.DIRECTORIES_KEY + "ssd", "/ssd");
    conf.set(LocalDirectories.DIRECTORIES_KEY + "disk", "/disk");
    return LocalDirectories.of(conf, problem -> {}, directory -> !full.contains(directory));
  }

  private String directoriesOfContainer(String tier) {
    Map<String, String> environment = new HashMap<>();
    environment.put(Environment.LOCAL_DIRS.name(), ALL);
    environment.put(LocalDirectories.VARIABLE, tier);
    data.narrow(environment);
    return environment.get(Environment.LOCAL_DIRS.name());
  }

  private List<String> saidOf(String tier, Runnable work) {
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(IntermediateData.class));
    try {
      work.run();
      return log.getOutput()
          .lines()
          .filter(line -> line.contains("of the tier " + tier + " is good and has room"))
          .toList();
    } finally {
      log.stopCapturing();
    }
  }

  private void startThreeOn(String tier) {
    for (int container = 0; container < 3; container++) {
      assertThat(directoriesOfContainer(tier)).isEqualTo(ALL);
    }
  }

  @Test
  void aFullTierIsToldOnceUntilItWasUsedAgain() {
    full.add("/ssd");
    assertThat(saidOf("ssd", () -> startThreeOn("ssd"))).hasSize(1);
    assertThat(saidOf("ssd", () -> startThreeOn("ssd"))).isEmpty();
    assertThat(data.getContainersWithoutRoom()).containsEntry("ssd", 6L);

    full.clear();
    assertThat(directoriesOfContainer("ssd")).isEqualTo("/ssd/app");
    full.add("/ssd");
    assertThat(saidOf("ssd", () -> startThreeOn("ssd"))).hasSize(1);
  }

  @Test
  void eachFullTierIsToldOfByItself() {
    full.add("/ssd");
    full.add("/disk");
    assertThat(saidOf("ssd", () -> startThreeOn("ssd"))).hasSize(1);
    assertThat(saidOf("disk", () -> startThreeOn("disk"))).hasSize(1);
    // Of a tier that has room nothing is said, and nothing that it says makes another one new.
    full.remove("/disk");
    assertThat(saidOf("ssd", () -> directoriesOfContainer("disk"))).isEmpty();
    assertThat(saidOf("ssd", () -> startThreeOn("ssd"))).isEmpty();
  }
}
