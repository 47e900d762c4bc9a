package io.tierwise.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.text.PolicyJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A strategy of another jar that fails in each way that it can, in a NameNode that is a process: no
 * read fails because of an order, and the next good order is followed.
 */
@Tag("long")
class FailingStrategyOnProcessesIT {
  private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/file");
  private static final int NODES = 3;
  private static final int READS = 9;
  private static final int BLOCK_BYTES = 1 << 20;
  private static final String PROVIDER = "io.tierwise.policies.access.AccessProvider";
  private static final String TIERS = "tiers: [{name: disk, match: {storage-type: DISK}}]";

  /** Does what the file SAYS says. */
  private static final String SOURCE =
      """
      package com.example.failing;

      import io.tierwise.core.view.ReadView;
      import io.tierwise.policies.access.*;
      import io.tierwise.policies.text.PolicyProvider.Nothing;
      import io.tierwise.policies.text.SpecReader;
      import java.nio.file.*;
      import java.util.Arrays;
      import java.util.random.RandomGenerator;

      public record Failing() implements AccessStrategy {
        public String name() {
          return "failing";
        }

        private static String said() {
          try {
            return Files.readString(Path.of("SAYS"));
          } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        }

        public AccessReason order(
            AccessRequest asked, ReadView view, RandomGenerator random, int[] order) {
          int count = view.replicaCount();
          Arrays.setAll(order, i -> i);
          switch (said()) {
            case "throws" -> throw new IllegalStateException("planted");
            case "misses" -> throw new NoSuchMethodError("planted");
            case "overflows" -> order(asked, view, random, order);
            case "drops" -> Arrays.fill(order, 0, count, 0);
            case "invents" -> order[0] = count;
            case "overruns" -> order[count] = order[count + 100_000];
            case "gives no reason" -> {
              return null;
            }
            default -> {
              int lowest = 0;
              for (int i = 1; i < count; i++) {
                lowest = view.nodeKey(i) < view.nodeKey(lowest) ? i : lowest;
              }
              order[0] = lowest;
              order[lowest] = 0;
            }
          }
          return AccessReason.NEAREST;
        }

        public void answered(
            AccessRequest asked, ReadView view, int replica, double share, AnswerCounts counts) {
          if (said().equals("miscounts")) {
            throw new IllegalStateException("planted");
          }
        }

        public static final class Provider implements AccessProvider {
          public String name() {
            return "failing";
          }

          public String usage() {
            return "failing";
          }

          public String summary() {
            return "fails as a file says";
          }

          public AccessStrategy make(SpecReader settings, Nothing nothing) {
            return new Failing();
          }
        }
      }
      """;

  @TempDir private Path folder;
  private HdfsProcesses hdfs;
  private byte[] data;

  private Path jar(Path says) throws IOException {
    Path sources = Files.createDirectories(folder.resolve("sources"));
    Path services = Files.createDirectories(sources.resolve("META-INF/services"));
    Files.writeString(services.resolve(PROVIDER), "com.example.failing.Failing$Provider\n");
    Files.writeString(sources.resolve("Failing.java"), SOURCE.replace("SAYS", says.toString()));
    return PolicyJar.make(sources, System.getProperty("java.class.path"), folder.resolve("jar"));
  }

  /** Says which nodes gave the file. */
  private Set<String> read(FileSystem client) throws IOException {
    Set<String> nodes = new HashSet<>();
    for (int read = 0; read < READS; read++) {
      try (FSDataInputStream in = client.open(FILE)) {
        assertThat(in.readAllBytes()).isEqualTo(data);
        nodes.add(((HdfsDataInputStream) in).getCurrentDatanode().getDatanodeUuid());
      }
    }
    return nodes;
  }

  private long failures() throws IOException {
    return AutoProcesses.topology(hdfs).path("OrderFailures").asLong(-1);
  }

  @Test
  void noReadFailsHoweverAnOrderFails() throws IOException {
    Path says = Files.writeString(folder.resolve("says"), "works");
    hdfs = new HdfsProcesses(folder, jar(says));
    try {
      Map<String, String> keys = new HashMap<>(AutoProcesses.KEYS);
      keys.put(AutoProcesses.STRATEGY, "failing");
      hdfs.startNameNode(keys, TIERS);
      for (int node = 0; node < NODES; node++) {
        hdfs.startDataNode("datanode" + node, Map.of(), TIERS);
      }
      try (FileSystem stock = AutoProcesses.stock(hdfs);
          FileSystem ours = AutoProcesses.client(hdfs, "auto")) {
        data = AutoProcesses.write(stock, FILE, 2 * BLOCK_BYTES, NODES, BLOCK_BYTES);
        failInEachWay(says, stock, ours);
      }
      assertThat(hdfs.logOf(HdfsProcesses.NAME_NODE))
          .containsOnlyOnce("access strategy failed on the NameNode");
    } finally {
      hdfs.close();
    }
  }

  private void failInEachWay(Path says, FileSystem stock, FileSystem ours) throws IOException {
    assertThat(read(stock)).as("one node is first for all").hasSize(1);
    assertThat(failures()).isZero();
    for (String way :
        List.of("throws", "misses", "overflows", "drops", "invents", "overruns", "miscounts")) {
      long before = failures();
      Files.writeString(says, way);
      read(stock);
      read(ours);
      assertThat(failures()).as(way).isGreaterThan(before);
      Files.writeString(says, "works");
      assertThat(read(stock)).as("when it %s no more", way).hasSize(1);
    }
    Files.writeString(says, "gives no reason");
    read(stock);
    read(ours);
  }
}
