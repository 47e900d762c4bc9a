package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measures a real directory, briefly; the figures themselves depend on the machine. */
class TiersProbeTest {
  @TempDir Path folder;

  private static CommandRun probe(String... more) {
    return probe(Stream.of(more));
  }

  private static CommandRun probe(Stream<String> more) {
    String[] quick = {
      "tiers", "probe", "--file-mebibytes", "8", "--seconds", "0.05", "--readers", "1,2"
    };
    return CommandRun.of(Stream.concat(Stream.of(quick), more).toArray(String[]::new));
  }

  @Test
  void writesTheMeasuredClassOfTheMatchingTierAndKeepsTheRest() throws IOException {
    Path data = Files.createDirectory(folder.resolve("data"));
    Path table =
        Files.writeString(
            folder.resolve("tiers.yaml"),
            """
            # Bought in spring.
            tiers:
              - name: flash   # the small ones
                match: {storage-type: SSD}
                class: {name: sata, read-megabytes-per-second: 1, readers-at-peak: 99}
              - {name: disk, match: {storage-type: DISK}, class: {read-megabytes-per-second: 7}}
            layouts: {two: 2 x flash}
            """);
    CommandRun run = probe("[SSD]" + data.toUri(), "--write", table.toString(), "--json");
    assertThat(run.exitCode()).as(run.err()).isZero();
    TierConfiguration written = TierConfiguration.parse(Files.readString(table), table.toString());
    DeviceClass flash = written.table().require("flash").deviceClass();
    assertThat(flash.name()).isEqualTo("sata");
    assertThat(flash.readersAtPeak()).isBetween(1, 2);
    assertThat(flash.readBytesPerSecond()).isGreaterThan(1e6);
    assertThat(flash.writeBytesPerSecond()).isPositive();
    assertThat(flash.randomReadsPerSecond()).isPositive();
    assertThat(written.table().require("disk").deviceClass().readBytesPerSecond()).isEqualTo(7e6);
    assertThat(written.layouts()).containsKey("two");
    assertThat(Files.readString(table))
        .contains("# Bought in spring.")
        .contains("# the small ones");
    assertThat(folder.resolve("tiers.yaml.bak")).exists();
    assertThat(data).isEmptyDirectory();
  }

  /** NameNodes know this machine by another name, and by the address that its calls come from. */
  @Test
  void aTierByHostOrAddressIsFoundAsTheNameNodeFindsIt() throws IOException {
    String data = "[SSD]" + Files.createDirectory(folder.resolve("data")).toUri();
    for (String match : List.of("hosts: ['fast*.example.com']", "hosts: ['127.0.0.*']")) {
      assertThat(wouldMeasure(data, match)).as(match).contains("\"tier\" : \"nvme\"");
    }
    assertThat(wouldMeasure(data, "hosts: ['slow*']")).contains("\"tier\" : \"sata\"");
    for (String match : List.of("racks: ['/r1']", "storage-ids: ['DS-*']")) {
      assertThat(wouldMeasure(data, match)).as(match).contains("\"tier\" : null");
    }
    String onlyByRack = tableOf("racks: ['/r1']").toString();
    for (String[] more : new String[][] {{data}, {data, "--dry-run"}}) {
      CommandRun run = probe(Stream.concat(Stream.of(more), Stream.of("--write", onlyByRack)));
      assertThat(CommandRun.unfolded(run.err()))
          .contains("is counted to no tier: nvme is matched by what only the NameNode knows")
          .contains("give --tier")
          .doesNotContain("sequential write");
      assertThat(run.exitCode()).isEqualTo(2);
    }
  }

  private Path tableOf(String match) throws IOException {
    return Files.writeString(
        folder.resolve("tiers.yaml"),
        "tiers:\n- {name: nvme, match: {storage-type: SSD, %s}}\n".formatted(match)
            + "- {name: sata, match: {storage-type: SSD}}\n");
  }

  private String wouldMeasure(String data, String match) throws IOException {
    CommandRun run =
        probe(
            data,
            "--dry-run",
            "--json",
            "-D",
            "tierwise.tiers.file=" + tableOf(match),
            "-D",
            "fs.defaultFS=hdfs://127.0.0.1:9",
            "-D",
            "dfs.datanode.hostname=fast1.example.com");
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  @Test
  void aDryRunMeasuresAndWritesNothing() {
    Path table = folder.resolve("new.yaml");
    CommandRun run = probe(folder.toString(), "--dry-run", "--write", table.toString());
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("would measure " + folder).contains("would write");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void namesWhatIsWrongWithItsArguments() {
    assertThat(probe(folder.resolve("nowhere").toString()).err()).contains("is no directory");
    assertThat(probe(folder.toString(), "--tier", "gold").err()).contains("unknown tier \"gold\"");
    CommandRun readers = CommandRun.of("tiers", "probe", folder.toString(), "--readers", "0");
    assertThat(readers.exitCode()).isEqualTo(2);
    assertThat(readers.err()).contains("--readers 0");
    CommandRun endless = CommandRun.of("tiers", "probe", folder.toString(), "--seconds", "1e300");
    assertThat(endless.err())
        .contains("--seconds 1.0E300 must be above 0, the latter at most 3600");
  }

  /** Nothing is measured, which takes minutes, for a table that cannot be written. */
  @Test
  void aTableThatCannotBeWrittenIsToldFirst() throws IOException {
    Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, 0});
    for (Path table : List.of(folder, folder.resolve("nowhere/tiers.yaml"))) {
      CommandRun run = probe(folder.toString(), "--dry-run", "--write", table.toString());
      assertThat(run.err()).contains("--write " + table + " can be no tier table");
      assertThat(run.exitCode()).isEqualTo(2);
    }
    CommandRun run = probe(folder.toString(), "--dry-run", "--write", binary.toString());
    assertThat(run.err()).contains(binary + " is no text in UTF-8");
    assertThat(run.exitCode()).isEqualTo(2);
  }

  /** Permissions do not bind root, so that only an attempt tells: no file can be made in /proc. */
  @Test
  void aTableInAFolderThatTakesNoFileIsToldFirst() {
    String[] asked = {"--tier", "disk", "--write", "/proc/tiers.yaml"};
    for (String[] command :
        new String[][] {{folder.toString()}, {folder.toString(), "--dry-run"}}) {
      CommandRun run = probe(Stream.concat(Stream.of(command), Stream.of(asked)));
      assertThat(CommandRun.unfolded(run.err()))
          .contains("--write /proc/tiers.yaml cannot be written: no file can be made beside it");
      assertThat(run.err()).hasLineCount(1);
      assertThat(run.exitCode()).isEqualTo(3);
      assertThat(folder).isEmptyDirectory();
    }
    CommandRun links = CommandRun.of("tiers", "probe-links", "--write", "/proc/version");
    assertThat(CommandRun.unfolded(links.err()))
        .contains("--write /proc/version cannot be written");
    assertThat(links.exitCode()).isEqualTo(3);
  }

  @Test
  void directoriesOfNoTierOfTheTableAreToldFirst() throws IOException {
    Path table =
        Files.writeString(
            folder.resolve("tiers.yaml"), "tiers: [{name: tape, match: {storage-type: ARCHIVE}}]");
    for (String[] command :
        new String[][] {{folder.toString()}, {folder.toString(), "--dry-run"}}) {
      CommandRun run =
          probe(Stream.concat(Stream.of(command), Stream.of("--write", table.toString())));
      assertThat(CommandRun.unfolded(run.err()))
          .contains("no directory that is measured belongs to a tier of " + table)
          .doesNotContain("sequential write");
      assertThat(run.exitCode()).isEqualTo(2);
    }
  }
}
