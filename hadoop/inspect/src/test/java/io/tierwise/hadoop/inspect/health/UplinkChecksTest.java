package io.tierwise.hadoop.inspect.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class UplinkChecksTest {
  private static final String TIERS =
      """
      tiers:
        - {name: all, match: {storage-type: DISK}}
      """;

  private static Optional<Finding> finding(String spec, String uplinks, String... racks) {
    TierConfiguration tiers = TierConfiguration.parse(TIERS + uplinks, "tiers.yaml");
    return UplinkChecks.of(
        spec,
        tiers,
        new ClusterVolumes(tiers, Stream.of(racks).map(UplinkChecksTest::volume).toList()));
  }

  private static ClusterVolumes.Volume volume(String rack) {
    return new ClusterVolumes.Volume(
        "n", "10.0.0.1:9866", rack, "In Service", "DS-1", "DISK", false, 100, 0, 90, List.of(0));
  }

  @Test
  void uplinksThatNobodyToldAreSaidToBeTakenForNoLimit() {
    Finding found = finding("auto", "", "/a", "/b", "/b", "/c").orElseThrow();
    assertThat(found.grade()).isEqualTo(Finding.Grade.OK);
    assertThat(found.finding())
        .isEqualTo(
            "auto takes uplinks between 3 racks to be no limit: where they carry less than their"
                + " nodes can send, name them under 'uplinks' in tiers.yaml");
  }

  @Test
  void racksThatNoEntryMatchesAreNamed() {
    String some = "uplinks:\n  - {racks: [\"/a\"], megabytes-per-second: 500}\n";
    Finding found = finding("auto:reports=false", some, "/c", "/a", "/b").orElseThrow();
    assertThat(found.grade()).isEqualTo(Finding.Grade.WARNING);
    assertThat(found.finding())
        .isEqualTo(
            "no entry of 'uplinks' matches 2 racks: /b, /c; auto takes theirs to be no limit");
    assertThat(found.advice()).isEqualTo("name them under 'uplinks' in tiers.yaml");
    assertThat(finding("auto", some, "/b1", "/b2", "/b3", "/b4", "/b5", "/b6").orElseThrow())
        .extracting(Finding::finding)
        .asString()
        .contains("6 racks: /b1, /b2, /b3, /b4, /b5, ...;");
  }

  @Test
  void toldUplinksAreOk() {
    String all = "uplinks:\n  - {racks: [\"/*\"], megabytes-per-second: 500}\n";
    Finding found = finding("auto", all, "/a", "/b").orElseThrow();
    assertThat(found.grade()).isEqualTo(Finding.Grade.OK);
    assertThat(found.finding()).isEqualTo("auto is told the uplinks of all 2 racks");
  }

  @Test
  void oneRackOrAnotherOrderHasNothingToTell() {
    assertThat(finding("auto", "", "/a", "/a")).isEmpty();
    assertThat(finding("greedy", "", "/a", "/b")).isEmpty();
    assertThat(finding("", "", "/a", "/b")).isEmpty();
  }
}
