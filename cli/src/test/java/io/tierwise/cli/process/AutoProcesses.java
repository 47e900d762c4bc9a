package io.tierwise.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** NameNodes that are processes and order reads by {@code auto}: their keys, and their clients. */
final class AutoProcesses {
  static final String STRATEGY = "tierwise.namenode.access.strategy";

  /** Of a NameNode; all else has HDFS's defaults. */
  static final Map<String, String> KEYS =
      Map.of(
          "dfs.namenode.plugins",
          "io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin",
          "dfs.net.topology.impl",
          "io.tierwise.hadoop.hdfs.topology.TierwiseTopology",
          STRATEGY,
          "auto");

  private AutoProcesses() {}

  /** A client of our file system. */
  static FileSystem client(Configuration conf, String access) throws IOException {
    conf.set("fs.hdfs.impl", "io.tierwise.hadoop.hdfs.client.TierwiseFileSystem");
    conf.set("tierwise.access.strategy", access);
    return FileSystem.newInstance(conf);
  }

  /** A client of our file system. */
  static FileSystem client(HdfsProcesses hdfs, String access) throws IOException {
    return client(configuration(hdfs), access);
  }

  /** A client of HDFS's own. */
  static FileSystem stock(HdfsProcesses hdfs) throws IOException {
    return FileSystem.newInstance(configuration(hdfs));
  }

  private static Configuration configuration(HdfsProcesses hdfs) {
    Configuration conf = new Configuration();
    FileSystem.setDefaultUri(conf, hdfs.uri());
    return conf;
  }

  /** Writes a file with a replica on each node; says what is in it. */
  static byte[] write(FileSystem fs, Path file, int bytes, int nodes, int blockBytes)
      throws IOException {
    byte[] data = new byte[bytes];
    new Random(1).nextBytes(data);
    try (FSDataOutputStream out = fs.create(file, true, 4096, (short) nodes, blockBytes)) {
      out.write(data);
    }
    return data;
  }

  /** The figures that the NameNode shows of its orders. */
  static JsonNode topology(HdfsProcesses hdfs) throws IOException {
    String query = "/jmx?qry=Hadoop:service=NameNode,name=TierwiseTopology";
    return new ObjectMapper()
        .readTree(hdfs.get(HdfsProcesses.NAME_NODE, query))
        .path("beans")
        .path(0);
  }

  static double counted(HdfsProcesses hdfs) throws IOException {
    return topology(hdfs).path("CountedReads").asDouble(Double.NaN);
  }

  static void assertNothingFailed(HdfsProcesses hdfs) throws IOException {
    assertThat(topology(hdfs).path("OrderFailures").asLong(-1)).isZero();
    assertThat(hdfs.logOf(HdfsProcesses.NAME_NODE)).doesNotContain("strategy failed");
  }
}
