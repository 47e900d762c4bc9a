package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.test.GenericTestUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Router refuses commands that go by ids of files or by audit logs. Two name services have the
 * same ids, and a Router looks an id up in its default one, where it names another file.
 */
@Tag("long")
class RouterRefusalIT {
  private static final List<String> NAME_SERVICES = List.of("ns0", "ns1");
  private static final int FILES = 3;
  private static final String READ =
      "2026-01-01 00:00:00,000 INFO FSNamesystem.audit: allowed=true\tugi=ann (auth:SIMPLE)"
          + "\tip=/10.0.0.1\tcmd=open\tsrc=/files/part-0\tdst=null\tperm=null\tproto=rpc\n";

  @TempDir static Path folder;
  private static MiniDFSCluster mini;
  private static LocalRouter router;
  private static Path conf;
  private static Path log;

  @BeforeAll
  static void start() throws Exception {
    mini =
        new MiniDFSCluster.Builder(new HdfsConfiguration(), folder.resolve("hdfs").toFile())
            .nnTopology(MiniDFSNNTopology.simpleFederatedTopology(2))
            .numDataNodes(1)
            .build();
    mini.waitActive();
    for (int service = 0; service < 2; service++) {
      try (DistributedFileSystem fs = mini.getFileSystem(service)) {
        for (int file = 0; file < FILES; file++) {
          DFSTestUtil.createFile(fs, path("/files/part-" + file), 8192, (short) 1, service);
        }
      }
    }
    router =
        new LocalRouter(
            mini,
            NAME_SERVICES,
            folder.resolve("routers"),
            Map.of("dfs.federation.router.default.nameserviceId", "ns0"));
    assertThat(router.admin("-add", "/mounted", "ns1", "/files")).isZero();
    conf = Files.createDirectories(folder.resolve("conf"));
    String store = "file://" + Files.createDirectory(folder.resolve("nas"));
    router.writeSite(conf, Map.of("tierwise.secondary.stores", store));
    log = Files.writeString(folder.resolve("hdfs-audit.log"), READ);
    GenericTestUtils.waitFor(
        () -> tierwise("file", "where", "/mounted/part-0").exitCode() == 0,
        LocalRouter.POLL_MILLIS,
        LocalRouter.PATIENCE_MILLIS,
        "the mount to be seen");
  }

  @AfterAll
  static void stop() {
    if (router != null) {
      router.close();
    }
    if (mini != null) {
      mini.shutdown();
    }
  }

  @Test
  void theSecondaryStoreTakesAndLosesNothing() throws Exception {
    List<String> before = files();
    refused("secondary", "offload", "/mounted/part-0", "/mounted/part-1");
    refused("secondary", "recall", "/mounted");
    refused("secondary", "status", "/mounted");
    refused("secondary", "clean", "/mounted");
    assertThat(files()).hasSize(2 * FILES).isEqualTo(before);
    try (Stream<Path> copies = Files.list(folder.resolve("nas"))) {
      assertThat(copies).isEmpty();
    }
  }

  @Test
  void noFileOfTheRoutersIsTakenForOneOfALog() {
    for (String verb : List.of("plan", "run")) {
      refused("autotier", verb, "--audit-log", log.toString(), "--below", "/mounted");
    }
    refused("autotier", "status");
    refused("autotier", "pause");
    refused("file", "move", "/mounted/part-0", "--to-tier", "ssd");
  }

  private static void refused(String... arguments) {
    CommandRun run = tierwise(arguments);
    assertThat(run.exitCode()).as(run.toString()).isEqualTo(ExitCode.CLUSTER);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .hasLineCount(1)
        .contains(" is a Router, ", "--fs hdfs://NAMESERVICE", "nothing was changed");
  }

  /** Names and checksums of all files of both name services. */
  private static List<String> files() throws Exception {
    List<String> found = new ArrayList<>();
    for (int service = 0; service < 2; service++) {
      try (DistributedFileSystem fs = mini.getFileSystem(service)) {
        for (var file : fs.listStatus(path("/files"))) {
          found.add(service + " " + file.getPath().getName() + fs.getFileChecksum(file.getPath()));
        }
      }
    }
    return found;
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private static CommandRun tierwise(String... arguments) {
    List<String> words = new ArrayList<>(Arrays.asList(arguments));
    words.addAll(List.of("--conf", conf.toString()));
    return CommandRun.of(words.toArray(String[]::new));
  }
}
