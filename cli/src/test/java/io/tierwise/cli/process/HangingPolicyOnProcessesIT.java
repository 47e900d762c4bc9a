package io.tierwise.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.text.PolicyJar;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A policy of another jar that hangs, in NameNodes that are processes with all of HDFS's defaults:
 * all other calls go on, another NameNode takes over meanwhile, and no file is lost.
 */
@Tag("long")
class HangingPolicyOnProcessesIT {
  private static final int NODES = 3;

  /** As many as may be slow at once. */
  private static final int HANGING = 3;

  /** More than a NameNode has handlers. */
  private static final int MANY = 12;

  private static final String PROVIDER = "io.tierwise.policies.placement.PlacementProvider";
  private static final String NAMENODE = "io.tierwise.hadoop.hdfs.namenode.";
  private static final String TIERS = "tiers: [{name: disk, match: {storage-type: DISK}}]";

  /** Decides nothing while the file GATE exists. */
  private static final String SOURCE =
      """
      package com.example.hanging;

      import io.tierwise.core.action.Place;
      import io.tierwise.core.view.ClusterView;
      import io.tierwise.core.view.FileView;
      import io.tierwise.policies.placement.*;
      import io.tierwise.policies.text.SpecReader;
      import java.io.File;
      import java.util.random.RandomGenerator;

      public record Hanging(PlacementPolicy then) implements PlacementPolicy {
        public String name() {
          return "hanging";
        }

        public Place place(PlacementRequest asked, ClusterView view, RandomGenerator random) {
          while (new File("GATE").exists()) {
            try {
              Thread.sleep(50);
            } catch (InterruptedException e) {
              // It is as deaf as code may be.
            }
          }
          return new Place(name(), then.place(asked, view, random).choices());
        }

        public int[] chooseExcess(int[] volumes, FileView file, int replicas, ClusterView view) {
          return then.chooseExcess(volumes, file, replicas, view);
        }

        public static final class Provider implements PlacementProvider {
          public String name() {
            return "hanging";
          }

          public String usage() {
            return "hanging";
          }

          public String summary() {
            return "waits for a file to go";
          }

          public PlacementPolicy make(SpecReader settings, Context context) {
            return new Hanging(PlacementPolicies.parse("network-aware", context.tiers()));
          }
        }
      }
      """;

  private final ExecutorService writers = Executors.newCachedThreadPool();
  @TempDir private Path folder;
  private Path gate;
  private HaProcesses hdfs;
  private FileSystem client;

  @BeforeEach
  void start() throws IOException {
    gate = Files.createFile(folder.resolve("gate"));
    Path sources = Files.createDirectories(folder.resolve("sources"));
    Path services = Files.createDirectories(sources.resolve("META-INF/services"));
    Files.writeString(services.resolve(PROVIDER), "com.example.hanging.Hanging$Provider\n");
    Files.writeString(sources.resolve("Hanging.java"), SOURCE.replace("GATE", gate.toString()));
    Path jar =
        PolicyJar.make(sources, System.getProperty("java.class.path"), folder.resolve("jar"));
    Map<String, String> keys =
        Map.of(
            "dfs.block.replicator.classname",
            NAMENODE + "TierwisePlacementPolicy",
            "dfs.namenode.plugins",
            NAMENODE + "TierwiseNameNodePlugin");
    hdfs = HaProcesses.start(folder, 2, keys, TIERS, jar);
    for (int node = 0; node < NODES; node++) {
      hdfs.startDataNode();
    }
    client = FileSystem.newInstance(hdfs.client(Map.of()));
    org.apache.hadoop.fs.Path slow = new org.apache.hadoop.fs.Path("/slow");
    client.mkdirs(slow);
    client.setXAttr(slow, "user.tierwise.placement", "hanging".getBytes(StandardCharsets.UTF_8));
  }

  @AfterEach
  void stop() throws IOException {
    Files.deleteIfExists(gate);
    writers.shutdownNow();
    if (client != null) {
      client.close();
    }
    if (hdfs != null) {
      hdfs.close();
    }
  }

  private static byte[] bytesOf(String path) {
    return path.repeat(1_000).getBytes(StandardCharsets.UTF_8);
  }

  private Future<String> write(String path) {
    return writers.submit(
        () -> {
          org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
          try (var out = client.create(file, (short) NODES)) {
            out.write(bytesOf(path));
          }
          return path;
        });
  }

  private List<Future<String>> writeMany(String folderName, int count) {
    List<Future<String>> writes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      writes.add(write(folderName + "/file-" + i));
    }
    return writes;
  }

  private void assertWhole(List<Future<String>> writes) throws Exception {
    for (Future<String> write : writes) {
      String path = write.get(1, TimeUnit.MINUTES);
      try (var in = client.open(new org.apache.hadoop.fs.Path(path))) {
        assertThat(in.readAllBytes()).as(path).isEqualTo(bytesOf(path));
      }
    }
  }

  @Test
  void allOthersGoOnAndAnotherNameNodeTakesOver() throws Exception {
    List<Future<String>> hanging = writeMany("/slow/hangs", HANGING);
    TimeUnit.SECONDS.sleep(2);
    assertWhole(writeMany("/slow/placed", MANY));
    assertWhole(writeMany("/other", MANY));
    hdfs.processes()
        .await(
            "a line about the class",
            () ->
                hdfs.processes()
                    .logOf(HaProcesses.name(0))
                    .contains("com.example.hanging.Hanging has taken "));
    assertThat(hanging).noneMatch(Future::isDone);

    long began = System.nanoTime();
    hdfs.admin("-transitionToStandby", HaProcesses.name(0));
    hdfs.admin("-transitionToActive", HaProcesses.name(1));
    assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(30));
    assertWhole(writeMany("/after", MANY));

    Files.delete(gate);
    assertWhole(hanging);
  }
}
