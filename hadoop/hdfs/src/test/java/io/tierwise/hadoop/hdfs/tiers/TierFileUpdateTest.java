package io.tierwise.hadoop.hdfs.tiers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.cluster.DeviceClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measured figures go into a tier table that people wrote: the rest of it stays theirs. */
class TierFileUpdateTest {
  private static final DeviceClass MEASURED =
      new DeviceClass("measured", 512.34e6, 98.7e6, 12_345_678, 4, 800e6);

  private static String updated(String yaml, String tier) {
    return TierFileUpdate.of(yaml, "tiers.yaml").setClass(tier, MEASURED).yaml();
  }

  @Test
  void commentsOrderAndStyleStay() {
    String before =
        """
        # Flash of 2024, bought with the second rack.
        tiers:
          - match: {storage-type: SSD}   # both NVMe and SATA
            name: flash                  # ö
            class:
              readers-at-peak: 9         # by hand
              read-megabytes-per-second: 1
              # nothing more was known

          # The old disks.
          - {name: "disk", match: {storage-type: DISK}, class: {name: hdd}}
          - name: tape
            match:
              storage-type: ARCHIVE      # slow
        layouts: {two: 2 x flash}        # for /hot
        """;
    String after = updated(updated(updated(before, "flash"), "disk"), "tape");
    assertThat(after)
        .isEqualTo(
            """
            # Flash of 2024, bought with the second rack.
            tiers:
              - match: {storage-type: SSD}   # both NVMe and SATA
                name: flash                  # ö
                class:
                  readers-at-peak: 4         # by hand
                  read-megabytes-per-second: 512
                  write-megabytes-per-second: 98.7
                  random-reads-per-second: 12300000
                  peak-read-megabytes-per-second: 800
                  # nothing more was known

              # The old disks.
              - {name: "disk", match: {storage-type: DISK}, class: {name: hdd, %s}}
              - name: tape
                match:
                  storage-type: ARCHIVE      # slow
                class: {%s}
            layouts: {two: 2 x flash}        # for /hot
            """
                .formatted(FIGURES, FIGURES));
    TierConfiguration read = TierConfiguration.parse(after, "after");
    assertThat(read.table().require("tape").deviceClass().readersAtPeak()).isEqualTo(4);
    assertThat(read.table().require("disk").deviceClass().name()).isEqualTo("hdd");
  }

  @Test
  void speedsOfVolumesAreAddedAndReplacedAndTheRestStays() {
    String before =
        """
        tiers:
          - {name: disk, match: {storage-type: DISK}}   # all of them
        """;
    assertThat(withVolumes(before, Map.of())).as("no volume has an id yet").isEqualTo(before);
    String first = withVolumes(before, Map.of("DS-1", 20e6));
    assertThat(first)
        .isEqualTo(
            before
                + """
                volumes:
                  - {storage-ids: ["DS-1"], read-megabytes-per-second: 20}
                """);
    String later = withVolumes(first + "links: []   # none\n", Map.of("DS-2", 1.2345e6));
    assertThat(later)
        .isEqualTo(
            before
                + """
                volumes:
                  - {storage-ids: ["DS-2"], read-megabytes-per-second: 1.23}
                  - {storage-ids: ["DS-1"], read-megabytes-per-second: 20}
                links: []   # none
                """);
    String again = withVolumes(later, Map.of("DS-1", 5e6, "DS-2", 6e6));
    VolumeTable volumes = TierConfiguration.parse(again, "again").volumes();
    assertThat(volumes.volumes()).hasSize(2);
    assertThat(volumes.readBytesPerSecond("DS-1")).isEqualTo(5e6);
    String list = before + "volumes: [{storage-ids: [\"*\"], read-megabytes-per-second: 7}]\n";
    VolumeTable patterns =
        TierConfiguration.parse(withVolumes(list, Map.of("DS-1", 5e6)), "list").volumes();
    assertThat(patterns.readBytesPerSecond("DS-1")).isEqualTo(5e6);
    assertThat(patterns.readBytesPerSecond("DS-9")).isEqualTo(7e6);
  }

  private static String withVolumes(String yaml, Map<String, Double> speeds) {
    return TierFileUpdate.of(yaml, "tiers.yaml").setVolumes(speeds).yaml();
  }

  @Test
  void speedsOfLinksStandBeforeThoseThatTheFileHad() {
    String before =
        """
        tiers:
          - {name: disk, match: {storage-type: DISK}}
        links:
          - {racks: [/old], hosts: [a, b], megabytes-per-second: 10}
          - {megabytes-per-second: 1000}
        # The end.
        """;
    String after = TierFileUpdate.of(before, "tiers.yaml").setLinks(Map.of("a", 11.8e6)).yaml();
    assertThat(after)
        .isEqualTo(
            """
            tiers:
              - {name: disk, match: {storage-type: DISK}}
            links:
              - {hosts: ["a"], megabytes-per-second: 11.8}
              - {racks: ["/old"], hosts: ["b"], megabytes-per-second: 10}
              - {megabytes-per-second: 1000}
            # The end.
            """);
    LinkTable links = TierConfiguration.parse(after, "after").links();
    assertThat(links.nodeBytesPerSecond("/old", "a", "10.0.0.1")).isEqualTo(11.8e6);
    assertThat(links.nodeBytesPerSecond("/old", "b", "10.0.0.2")).isEqualTo(10e6);
    assertThat(links.nodeBytesPerSecond("/new", "c", "10.0.0.3")).isEqualTo(1000e6);
  }

  @Test
  void aTableInOnePairOfBracesIsRefused() {
    String flow = "{tiers: [{name: a, match: {racks: [/a]}}]}";
    assertThatThrownBy(() -> withVolumes(flow, Map.of("DS-1", 1e6)))
        .hasMessageContaining("on lines of their own");
  }

  /** Configuration management keeps the file in one place and links it into another. */
  @Test
  void aLinkStaysOneAndItsFileIsChangedWithItsOwner(@TempDir Path folder) throws IOException {
    Path managed = Files.createDirectory(folder.resolve("managed")).resolve("tiers.yaml");
    Files.writeString(managed, "tiers: [{name: a, match: {racks: [/a]}}]\n");
    UserPrincipal owner = Files.getOwner(managed);
    if (owner.getName().equals("root")) {
      owner =
          managed.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
      Files.setOwner(managed, owner);
    }
    Path link = Files.createSymbolicLink(folder.resolve("tiers.yaml"), managed);

    TierFileUpdate.of(Files.readString(link), link.toString()).setClass("a", MEASURED).write(link);

    assertThat(link).isSymbolicLink();
    assertThat(Files.readString(managed)).contains("class: {");
    assertThat(Files.getOwner(managed)).isEqualTo(owner);
    assertThat(managed.resolveSibling("tiers.yaml.bak")).exists();
  }

  private static final String FIGURES =
      "read-megabytes-per-second: 512, write-megabytes-per-second: 98.7, random-reads-per-second:"
          + " 12300000, peak-read-megabytes-per-second: 800, readers-at-peak: 4";

  @Test
  void anEmptyClassAndOneWithoutAValueAreFilled() {
    String before = "tiers:\r\n- name: a\r\n  class: {}\r\n  match: {racks: [/a]}\r\n";
    assertThat(updated(before, "a")).isEqualTo(before.replace("{}", "{" + FIGURES + "}"));
    String none = "tiers: [{name: a, match: {racks: [/a]}}]";
    assertThat(updated(none, "a"))
        .isEqualTo("tiers: [{name: a, match: {racks: [/a]}, class: {" + FIGURES + "}}]");
  }

  @Test
  void aNewTableHasWhatWasMeasured() {
    Map<String, StorageType> types = new LinkedHashMap<>();
    types.put("ssd", StorageType.SSD);
    types.put("disk", StorageType.DISK);
    String yaml = TierFileUpdate.ofTypes(types).setClass("disk", MEASURED).yaml();
    TierConfiguration read = TierConfiguration.parse(yaml, "new");
    assertThat(read.table().tier(0).name()).isEqualTo("ssd");
    assertThat(read.table().require("disk").deviceClass().writeBytesPerSecond()).isEqualTo(98.7e6);
  }

  @Test
  void aClassThatTwoTiersShareIsNotChangedForBoth() {
    String shared =
        """
        tiers:
          - {name: a, match: {racks: [/a]}, class: &c {readers-at-peak: 9}}
          - {name: b, match: {racks: [/b]}, class: *c}
        """;
    assertThatThrownBy(() -> updated(shared, "b"))
        .isInstanceOf(TierFileException.class)
        .hasMessageContaining("without anchors and aliases");
    assertThatThrownBy(() -> updated("tiers: [{name: a, match: {racks: [/a]}}]", "b"))
        .hasMessageContaining("unknown tier \"b\"");
  }
}
