package io.tierwise.hadoop.hdfs.tiers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.cluster.Power;
import io.tierwise.core.cluster.TierTable;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TierConfigurationTest {
  private static final String WHOLE =
      """
      tiers:
        - name: nvme
          match: {storage-type: SSD, hosts: [fast-*]}
          class: {name: pcie-ssd, read-megabytes-per-second: 533, write-megabytes-per-second: 245,
                  random-reads-per-second: 70000, readers-at-peak: 4,
                  idle-watts: 1.2, active-watts: 6.5}
        - name: sata
          match: {storage-type: SSD, hosts: [slow-*]}
          fallback: [disk]
        - name: disk
          match: {storage-type: [DISK, ARCHIVE]}
      layouts:
        hot: 2 x nvme on different racks + 1 x disk
      rules:
        - {path: /data/*/hot/**, placement: hybrid}
        - {path: /logs, placement: tier-aware, access: greedy}
      limits:
        - {users: [guest*], groups: [interns], tiers: [disk]}
      links:
        - {hosts: [old-*], megabytes-per-second: 12.5}
        - {racks: [/r1, /east/*], megabytes-per-second: 125}
      uplinks:
        - {racks: [/r*], megabytes-per-second: 500}
      volumes:
        - {storage-ids: [DS-worn], read-megabytes-per-second: 20}
      """;

  private static TierConfiguration whole() {
    return TierConfiguration.parse(WHOLE, "tiers.yaml");
  }

  @Test
  void readsTiersFastestFirstWithFiguresInBaseUnits() {
    TierTable table = whole().table();
    assertThat(table.names()).isEqualTo("nvme, sata, disk");
    assertThat(table.tier(0).deviceClass().readBytesPerSecond()).isEqualTo(533e6);
    assertThat(table.tier(0).deviceClass().readersAtPeak()).isEqualTo(4);
    assertThat(table.tier(0).deviceClass().power()).isEqualTo(new Power(1.2, 6.5));
    assertThat(table.tier(1).deviceClass().power()).isEqualTo(Power.UNKNOWN);
    assertThat(table.tier(1).deviceClass().readBytesPerSecond()).isNaN();
    assertThat(table.tier(1).fallback()).containsExactly(2);
    assertThat(table.tier(2).fallback()).containsExactly(1, 0);
  }

  @Test
  void saysWhatLinksCarryWhereSomebodySaidIt() {
    LinkTable links = whole().links();
    assertThat(links.nodeBytesPerSecond("/r1", "old-1", "10.0.0.1")).isEqualTo(12.5e6);
    assertThat(links.nodeBytesPerSecond("/east/r7", "new-1", "10.0.0.2")).isEqualTo(125e6);
    assertThat(links.nodeBytesPerSecond("/r2", "new-1", "10.0.0.3")).isNaN();
    assertThat(links.uplinkBytesPerSecond("/r2")).isEqualTo(500e6);
    assertThat(links.uplinkBytesPerSecond("/east/r7")).isNaN();
    assertThat(TierConfiguration.byStorageType().links().isEmpty()).isTrue();
  }

  @Test
  void saysWhatSingleVolumesGiveWhereSomebodySaidIt() {
    VolumeTable volumes = whole().volumes();
    assertThat(volumes.readBytesPerSecond("DS-worn")).isEqualTo(20e6);
    assertThat(volumes.readBytesPerSecond("DS-other")).isNaN();
    assertThat(volumes.readBytesPerSecond(null)).isNaN();
  }

  @ParameterizedTest
  @CsvSource({
    "'links: [{racks: [/r1]}]', links[0], megabytes-per-second",
    "'links: [{racks: [/r1], megabytes-per-second: 0}]', links[0].megabytes-per-second, above 0",
    "'links: [{rack: /r1, megabytes-per-second: 1}]', links[0], rack",
    "'uplinks: [{hosts: [a], megabytes-per-second: 1}]', uplinks[0], hosts",
    "'volumes: [{storage-ids: [DS-1]}]', volumes[0], read-megabytes-per-second",
    "'volumes: [{read-megabytes-per-second: 1}]', volumes[0], storage-ids",
    "'volumes: [{storage-ids: [], read-megabytes-per-second: 1}]', volumes[0], names no volume",
    "'volumes: [{storage-ids: [a], read-megabytes-per-second: -1}]', volumes[0].read, above 0"
  })
  void aSpeedThatIsToldWronglyIsNamed(String wrong, String place, String said) {
    String tiers = "tiers: [{name: disk, match: {storage-type: DISK}}]\n";
    assertThatThrownBy(() -> TierConfiguration.parse(tiers + wrong, "tiers.yaml"))
        .hasMessageContaining(place)
        .hasMessageContaining(said);
  }

  @Test
  void tellsTwoSsdTiersApartByHost() {
    TierMatcher matcher = whole().matcher();
    assertThat(matcher.tierOf(StorageType.SSD, "/r1", "fast-1", "DS-1")).isZero();
    assertThat(matcher.tierOf(StorageType.SSD, "/r1", "slow-1", "DS-1")).isEqualTo(1);
    assertThat(matcher.tierOf(StorageType.ARCHIVE, "/r1", "slow-1", "DS-1")).isEqualTo(2);
    assertThat(matcher.tierOf(StorageType.SSD, "/r1", "other", "DS-1")).isEqualTo(TierTable.NONE);
  }

  @Test
  void tellsWhereALimitMayApplyToWhatIsCreatedBelow() {
    TierLimit limit =
        new TierLimit(
            List.of(), List.of(), List.of("/tmp/x", "/user/*/scratch/**", "/a?/b"), Set.of());
    assertThat(List.of("/", "/tmp", "/tmp/x", "/tmp/x/y", "/user", "/user/ann", "/a1"))
        .allMatch(limit::mayApplyBelow);
    assertThat(List.of("/user/ann/scratch", "/user/ann/scratch/x/y", "/a1/b"))
        .allMatch(limit::mayApplyBelow);
    assertThat(List.of("/tmpx", "/tmp/y", "/user/ann/data", "/a1/b/c", "/a12", "/other"))
        .noneMatch(limit::mayApplyBelow);
  }

  private static List<ByteLimit> byteLimits(String path, String tier, String bytes) {
    String limits = "byte-limits: [{path: %s, tier: %s, bytes: %s}]".formatted(path, tier, bytes);
    String table = "tiers: [{name: a, match: {storage-type: SSD}}]\n";
    return TierConfiguration.parse(table + limits, "tiers.yaml").byteLimits();
  }

  @Test
  void readsLimitsInBytesAndNamesWhatIsWrong() {
    assertThat(byteLimits("/x", "a", "10 TB"))
        .containsExactly(new ByteLimit("/x", 0, 10_000_000_000_000L));
    assertThat(byteLimits("/", "a", "1.5gb").get(0).bytes()).isEqualTo(1_500_000_000L);
    assertThatThrownBy(() -> byteLimits("/x", "a", "10")).hasMessageContaining("\"10\" is no size");
    assertThatThrownBy(() -> byteLimits("/x", "a", "99999999 PB"))
        .hasMessageContaining("more than can be counted");
    assertThatThrownBy(() -> byteLimits("/x/*", "a", "1 TB")).hasMessageContaining("\"/x/*\"");
    assertThatThrownBy(() -> byteLimits("x", "a", "1 TB")).hasMessageContaining("begin with /");
    assertThatThrownBy(() -> byteLimits("/x", "b", "1 TB")).hasMessageContaining("\"b\"");
  }

  @Test
  void tellsWhenTwoTiersAcceptOneVolume() {
    TierConfiguration twice =
        TierConfiguration.parse(
            "tiers: [{name: a, match: {storage-type: SSD}}, {name: b, match: {racks: [/r1]}}]",
            "t");
    TierMatch.Volume volume =
        new TierMatch.Volume(StorageType.SSD, "/r1", "host", "127.0.0.1", "DS-1");
    assertThat(twice.matcher().tiersOf(volume)).containsExactly(0, 1);
  }

  @Test
  void aRuleWithoutWildcardCoversThePathAndAllBelow() {
    TierConfiguration tiers = whole();
    assertThat(tiers.accessRule("/logs")).isPresent();
    assertThat(tiers.accessRule("/logs/2026/x")).isPresent();
    assertThat(tiers.accessRule("/logs2")).isEmpty();
    assertThat(tiers.placementRule("/data/a/hot/b/c")).isPresent();
    assertThat(tiers.placementRule("/data/a/b/hot/c")).isEmpty();
    assertThat(tiers.accessRule("/data/a/hot/b")).isEmpty();
  }

  @Test
  void limitsHoldForUsersAndGroupsAndForNobodyElse() {
    TierConfiguration tiers = whole();
    assertThat(tiers.allows("guest7", List.of(), "/a", 0)).isFalse();
    assertThat(tiers.allows("eve", List.of("interns"), "/a", 0)).isFalse();
    assertThat(tiers.allowedTiers("eve", List.of("interns"), "/a")).contains(Set.of(2));
    assertThat(tiers.allows("eve", List.of("staff"), "/a", 0)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          tiers: []                                                    | t: tiers: name at least one tier
          tiers: [{name: a}]                                           | t:1: tiers[0]: needs the key match
          tiers: [{name: A b, match: {storage-type: SSD}}]             | "A b" is no tier name
          tiers: [{name: a, match: {storage-type: SDD}}]               | t:1: tiers[0].match.storage-type: "SDD" is no storage type; did you mean "SSD"
          tiers: [{name: a, match: {storagetype: SSD}}]                | t:1: tiers[0].match.storagetype: unknown key
          tiers: [{name: a, match: {}}]                                | names no criterion
          tiers: [{name: a, match: {racks: [/r]}, fallback: [b]}]      | "b" is no other tier
          tiers: [{name: a, match: {racks: [/r]}, class: {readers-at-peak: -1}}] | must be a whole number from 0, is "-1"
          tiers: [{name: a, match: {racks: [/r]}, class: {read-megabytes-per-second: fast}}] | must be a number above 0, is "fast"
          tiers: [{name: a, match: {racks: [/r]}, class: {idle-watts: 0}}] | t:1: tiers[0].class: needs the key active-watts
          tiers: [{name: a, match: {racks: [/r]}, class: {active-watts: 4}}] | t:1: tiers[0].class: needs the key idle-watts
          tiers: [{name: a, match: {racks: [/r]}, class: {idle-watts: 5, active-watts: 4}}] | t:1: tiers[0].class.active-watts: must not be below idle-watts (5.0), is "4"
          {tiers: [{name: a, match: {racks: [/r]}}], rules: [{path: x, placement: y}]} | path pattern "x" must begin with /
          {tiers: [{name: a, match: {racks: [/r]}}], limits: [{users: u, tiers: c}]} | unknown tier "c"; the table has: a
          tiers: [                                                     | t:1: is not YAML
          """)
  void namesThePlaceAndTheBadValue(String yaml, String message) {
    assertThatThrownBy(() -> TierConfiguration.parse(yaml, "t"))
        .isInstanceOf(TierFileException.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining("\n");
  }

  @Test
  void namesTheLine() {
    String wrong = WHOLE.replace("[DISK, ARCHIVE]", "[DISK,\n      DSIK]");
    assertThatThrownBy(() -> TierConfiguration.parse(wrong, "t"))
        .hasMessageStartingWith("t:12: tiers[2].match.storage-type[1]: \"DSIK\"");
    String unknown = WHOLE.replace("    fallback:", "    falback:");
    assertThatThrownBy(() -> TierConfiguration.parse(unknown, "t"))
        .hasMessageStartingWith("t:9: tiers[1].falback: unknown key");
    assertThatThrownBy(() -> TierConfiguration.parse(WHOLE + "more: {a: [1, 2}\n", "t"))
        .hasMessageStartingWith("t:26: is not YAML")
        .hasMessageNotContaining("\n");
  }

  @Test
  void withoutAFileTheTiersAreTheStorageTypes() {
    TierConfiguration tiers = TierConfiguration.load(new Configuration(false));
    assertThat(tiers.table().names()).isEqualTo("ram, nvdimm, ssd, disk, archive");
    assertThat(tiers.matcher().tierOf(StorageType.SSD, "/r", null, null)).isEqualTo(2);
  }

  @Test
  void aNamedFileThatIsMissingIsAnErrorAndOneThatExistsIsRead(@TempDir Path folder)
      throws Exception {
    Configuration conf = new Configuration(false);
    Path file = folder.resolve("tiers.yaml");
    conf.set(TierConfiguration.FILE_KEY, file.toString());
    assertThatThrownBy(() -> TierConfiguration.load(conf))
        .isInstanceOf(TierFileException.class)
        .hasMessageContaining(TierConfiguration.FILE_KEY)
        .hasMessageContaining(file.toString());
    Files.writeString(file, WHOLE);
    assertThat(TierConfiguration.load(conf).layouts()).containsKey("hot");
  }

  @Test
  void theDefaultIsTheConfigurationDirectorysAndNoFileOfTheWorkingDirectory(@TempDir Path folder)
      throws Exception {
    Path here = Path.of(TierConfiguration.FILE_DEFAULT);
    assertThat(here).doesNotExist();
    Configuration conf = new Configuration(false);
    try (URLClassLoader classPath =
        new URLClassLoader(new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
      conf.setClassLoader(classPath);
      Files.writeString(here, "tiers: [{name: here, match: {storage-type: SSD}}]");
      assertThat(TierConfiguration.load(conf).table().names()).contains("archive");
      Path file = Files.writeString(folder.resolve(TierConfiguration.FILE_DEFAULT), WHOLE);
      TierConfiguration tiers = TierConfiguration.load(conf);
      assertThat(tiers.layouts()).containsKey("hot");
      assertThat(tiers.source()).isEqualTo(file.toAbsolutePath().toString());
    } finally {
      Files.delete(here);
    }
  }

  @Test
  void aDirectoryInItsPlaceAndAnEmptyFileAreSaid(@TempDir Path folder) throws Exception {
    Path file = Files.createDirectory(folder.resolve(TierConfiguration.FILE_DEFAULT));
    Configuration conf = new Configuration(false);
    try (URLClassLoader classPath =
        new URLClassLoader(new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
      conf.setClassLoader(classPath);
      assertThatThrownBy(() -> TierConfiguration.load(conf))
          .isInstanceOf(TierFileException.class)
          .hasMessageContaining(file + ": cannot be read")
          .hasMessageContaining("directory");
    }
    assertThatThrownBy(() -> TierConfiguration.parse("\n", "t"))
        .isInstanceOf(TierFileException.class)
        .hasMessageContaining("t: is empty");
  }

  @Test
  void aHostilePatternCostsNoMoreThanItsLengthTimesTheText() {
    String stars = "/" + "*a".repeat(2000);
    assertThat(new Glob(stars).matches("/" + "a".repeat(1000) + "b")).isFalse();
  }

  @Test
  void aUserOfUnknownGroupsIsUnderEveryLimitByGroupOfThePath() {
    TierConfiguration tiers =
        TierConfiguration.parse(
            """
            tiers:
              - {name: fast, match: {storage-type: SSD}}
              - {name: middle, match: {storage-type: DISK}}
              - {name: slow, match: {storage-type: ARCHIVE}}
            limits:
              - {users: [root], tiers: [fast, middle, slow]}
              - {groups: [staff], tiers: [fast, middle]}
              - {groups: [interns], paths: [/a], tiers: [middle, slow]}
              - {paths: [/b], tiers: [fast]}
              - {groups: [guests], tiers: [slow]}
            """,
            "tiers.yaml");
    assertThat(tiers.allowedTiersOfUnknownGroups("eve", "/a")).contains(Set.of());
    assertThat(tiers.allowedTiersOfUnknownGroups("eve", "/b"))
        .as("the limit of the path holds before that of guests")
        .contains(Set.of(0));
    assertThat(tiers.allowedTiersOfUnknownGroups("root", "/a")).contains(Set.of(0, 1, 2));
    TierConfiguration none = TierConfiguration.byStorageType();
    assertThat(none.allowedTiersOfUnknownGroups("eve", "/a")).isEmpty();
  }

  @Test
  void limitsHoldForPathsAndForUsersAtPaths() {
    TierConfiguration tiers =
        TierConfiguration.parse(
            """
            tiers:
              - {name: fast, match: {storage-type: SSD}}
              - {name: slow, match: {storage-type: DISK}}
            limits:
              - {users: [etl], paths: [/scratch], tiers: [fast, slow]}
              - {paths: [/scratch, "/home/*/tmp/**"], tiers: [slow]}
            """,
            "tiers.yaml");
    assertThat(tiers.allows("eve", List.of(), "/scratch/file", 0)).isFalse();
    assertThat(tiers.allows("etl", List.of(), "/scratch/file", 0)).isTrue();
    assertThat(tiers.allows("etl", List.of(), "/home/etl/tmp/a/b", 0)).isFalse();
    assertThat(tiers.allows("eve", List.of(), "/scratches/file", 0)).isTrue();
    assertThat(tiers.allows("eve", List.of(), "/home/eve/file", 0)).isTrue();
    assertThat(tiers.allows("eve", List.of(), "/scratch/file", 1)).isTrue();
  }

  @Test
  void aDirectoryWithTheSlashThatShellsAddIsTheSameDirectory() {
    TierConfiguration tiers =
        TierConfiguration.parse(
            """
            tiers:
              - {name: fast, match: {storage-type: SSD}}
              - {name: slow, match: {storage-type: DISK}}
            rules:
              - {path: /logs/, placement: tier-aware}
              - {path: /tables/*/, placement: tier-aware}
            limits:
              - {paths: [/scratch/, "/user/*/scratch/**/"], tiers: [slow]}
            """,
            "tiers.yaml");
    assertThat(tiers.placementRule("/logs/a/b")).isPresent();
    assertThat(tiers.placementRule("/logs")).isPresent();
    assertThat(tiers.placementRule("/logs-2/a")).isEmpty();
    assertThat(tiers.placementRule("/tables/a")).isPresent();
    assertThat(tiers.placementRule("/tables/a/b")).isEmpty();
    assertThat(tiers.allows("eve", List.of(), "/scratch/file", 0)).isFalse();
    assertThat(tiers.allows("eve", List.of(), "/user/eve/scratch/a/b", 0)).isFalse();
    assertThat(tiers.allows("eve", List.of(), "/scratches/file", 0)).isTrue();
  }

  @Test
  void aLimitThatNamesNobodyOrARelativePathIsAnError() {
    String table = "tiers: [{name: fast, match: {storage-type: SSD}}]\n";
    assertThatThrownBy(
            () -> TierConfiguration.parse(table + "limits: [{tiers: [fast]}]", "tiers.yaml"))
        .hasMessageContaining("limits[0]")
        .hasMessageContaining("users, groups or paths");
    assertThatThrownBy(
            () ->
                TierConfiguration.parse(
                    table + "limits: [{paths: [tmp], tiers: [fast]}]", "tiers.yaml"))
        .hasMessageContaining("limits[0]")
        .hasMessageContaining("\"tmp\" must begin with /");
  }
}
