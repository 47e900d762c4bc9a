package io.tierwise.hadoop.inspect.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.history.Phase;
import io.tierwise.history.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Configuration folders. */
class SiteConfTest {
  private static final Path SAMPLE =
      Path.of(System.getProperty("tierwise.root"), "examples/advise/conf");

  @TempDir private Path folder;

  private static SiteConf read(Path folder) throws IOException {
    return SiteConf.of(folder, ClusterConnection.configuration(folder, null, Map.of()));
  }

  private SiteConf read() throws IOException {
    return read(folder);
  }

  private void site(String... keysAndValues) throws IOException {
    StringBuilder xml = new StringBuilder("<configuration>");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      xml.append("<property><name>").append(keysAndValues[i]).append("</name><value>");
      xml.append(keysAndValues[i + 1]).append("</value></property>");
    }
    Files.writeString(folder.resolve("hdfs-site.xml"), xml + "</configuration>");
  }

  private static List<RunRecord> runOn(String host) {
    Phase maps = new Phase("map", 1, 1, 2, 1, 1, 1, 0, 0, 0, Map.of(host, 1L));
    return List.of(new RunRecord(RunRecord.Engine.SPARK, "a", "a", 1, 1, 2, true, List.of(maps)));
  }

  @Test
  void theSampleNamesTwentyNodesInTwoRacks() throws IOException {
    SiteConf site = read(SAMPLE);

    assertThat(site.replicas()).isEqualTo(3);
    assertThat(site.blockBytes()).isEqualTo(128L << 20);
    assertThat(site.types())
        .containsExactly(StorageType.SSD, StorageType.DISK, StorageType.ARCHIVE);
    assertThat(site.nodesByRack())
        .containsExactly(Map.entry("/rack1", 10), Map.entry("/rack2", 10));
    assertThat(site.remarks(runOn("worker7"))).noneMatch(remark -> remark.contains("not among"));
  }

  @Test
  void nodesAreWhereverAFileNamesThem() throws IOException {
    site("dfs.hosts", "/etc/hadoop/conf/include", "dfs.replication", "2");
    Files.writeString(folder.resolve("workers"), "localhost\n");
    Files.writeString(folder.resolve("include"), "a.example.org # first\n\n10.0.0.7\n");
    SiteConf site = read();

    assertThat(site.rackOfNode())
        .isEqualTo(Map.of("a.example.org", "/default-rack", "10.0.0.7", "/default-rack"));
    assertThat(site.remarks(runOn("a"))).isEmpty();
    assertThat(site.remarks(runOn("10.0.0.8")))
        .containsExactly(
            "1 host of the history are not among the 2 nodes that --conf names, the first is"
                + " 10.0.0.8");
  }

  @Test
  void saysThatItNamesNoNodes() throws IOException {
    site("dfs.datanode.data.dir", "[DISK]/d1,/d2");
    SiteConf site = read();

    assertThat(site.types()).containsExactly(StorageType.DISK);
    assertThat(site.remarks(List.of()))
        .anyMatch(remark -> remark.contains("has DISK alone"))
        .anyMatch(remark -> remark.contains(folder + " names no nodes (workers, dfs.hosts or"));
  }

  @Test
  void saysWhatItCannotUse() throws IOException {
    assertRefused("has none of core-site.xml, hdfs-site.xml and tiers.yaml");
    site("dfs.datanode.data.dir", "[FLOPPY]/d1");
    assertRefused("dfs.datanode.data.dir has [FLOPPY]/d1: ");
    site("dfs.replication", "3");
    Files.writeString(folder.resolve("topology.table"), "node7 rack1\n");
    assertRefused("the topology has the line 'node7 rack1': must be NODE /RACK");
  }

  private void assertRefused(String text) {
    assertThatThrownBy(this::read)
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining(text)
        .message()
        .hasLineCount(1);
  }
}
