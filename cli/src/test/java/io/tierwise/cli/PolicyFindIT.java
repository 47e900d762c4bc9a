package io.tierwise.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.hadoop.inspect.cluster.StoredCensus;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The counts of {@code policy find}, the removals of {@code policy purge}, limits in explain. */
class PolicyFindIT {
  private static final int BYTES = 1000;

  @TempDir static java.nio.file.Path folder;
  private static ManagedHdfs hdfs;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = ManagedHdfs.configuration();
    // Many pages in a small tree.
    conf.setInt(DFSConfigKeys.DFS_LIST_LIMIT, 3);
    hdfs =
        ManagedHdfs.start(
            folder,
            """
            tiers:
              - {name: ssd, match: {storage-type: SSD}}
              - {name: disk, match: {storage-type: DISK}}
            rules: [{path: "/t/by-rule/*/hot/**", placement: "layout:2 x ssd"}]
            """,
            conf,
            nodes ->
                nodes
                    .numDataNodes(3)
                    .storageTypes(new StorageType[] {StorageType.SSD, StorageType.DISK}));
    fs = hdfs.fs();
  }

  @AfterAll
  static void stop() {
    hdfs.cluster().shutdown();
  }

  @BeforeEach
  void makeTree() throws IOException {
    write("/t/plain/file");
    write("/t/hot/old");
    set("/t/hot", "--placement", "layout:2 x ssd");
    for (int i = 0; i < 8; i++) {
      write("/t/hot/new" + i);
    }
    fs.mkdirs(new Path("/t/hot/inner"));
    set("/t/hot/inner", "--placement", "layout:2 x disk");
    write("/t/hot/inner/file");
    fs.mkdirs(new Path("/t/hot/own"));
    set("/t/hot/own", "--placement", "stock");
    write("/t/hot/own/file");
    write("/t/by-rule/a/hot/file");
    write("/t/by-rule/b/hot/file");
    fs.mkdirs(new Path("/t/read"));
    set("/t/read", "--access", "greedy");
  }

  @AfterEach
  void removeTree() throws IOException {
    fs.delete(new Path("/t"), true);
  }

  private static void write(String file) throws IOException {
    DFSTestUtil.createFile(fs, new Path(file), BYTES, (short) 2, 7);
    hdfs.awaitReplicas(file, 2);
  }

  private static void set(String... pathAndPolicy) {
    String[] all =
        Stream.concat(Stream.of("policy", "set"), Stream.of(pathAndPolicy)).toArray(String[]::new);
    CommandRun run = run(all);
    assertThat(run.exitCode()).as(run.err()).isZero();
  }

  private static CommandRun run(String... arguments) {
    return hdfs.run(arguments);
  }

  private static CommandRun runAs(String user, String... arguments) throws Exception {
    return UserGroupInformation.createRemoteUser(user)
        .doAs((PrivilegedExceptionAction<CommandRun>) () -> run(arguments));
  }

  private static List<JsonNode> lines(CommandRun run, String kind) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : run.out().lines().toList()) {
      JsonNode node = new ObjectMapper().readTree(line);
      if (node.path("kind").asText().equals(kind)) {
        lines.add(node);
      }
    }
    return lines;
  }

  private static String counts(JsonNode line) {
    JsonNode compliance = line.path("compliance");
    return line.path("path").asText()
        + " "
        + compliance.path("blocks_on_tier").asInt()
        + "/"
        + compliance.path("blocks").asInt()
        + " "
        + compliance.path("replica_bytes_on_tier").asInt()
        + "/"
        + compliance.path("replica_bytes").asInt()
        + " off "
        + compliance.path("files_off_tier").asInt();
  }

  @Test
  void explainNamesTheQuotaBelowWhichReplicasAreOffTheirTier() throws IOException {
    fs.setQuotaByStorageType(new Path("/t/hot"), StorageType.SSD, BYTES);
    write("/t/hot/limited");
    String text = run("explain", "/t/hot/limited").out().replaceAll("\\s+", " ");
    assertThat(text)
        .contains("may be why some are elsewhere: a quota of SSD stands on /t/hot/limited");
    JsonNode limits =
        new ObjectMapper()
            .readTree(run("explain", "/t/hot/limited", "--json").out())
            .path("amount_limits");
    assertThat(limits).hasSize(1);
    assertThat(limits.get(0).path("reason").asText()).isEqualTo("type_quota");
    assertThat(run("explain", "/t/by-rule/a/hot/file").out()).doesNotContain("elsewhere");
  }

  @Test
  void everyManagedPathIsListedWithWhatOfItIsOnItsTier() throws IOException {
    CommandRun run = run("policy", "find", "/t", "--json", "--files");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(lines(run, "path").stream().map(PolicyFindIT::counts))
        .containsExactlyInAnyOrder(
            "/t/hot 8/9 16000/18000 off 1",
            "/t/hot/inner 1/1 2000/2000 off 0",
            "/t/hot/own 0/0 0/0 off 0",
            "/t/by-rule/*/hot/** 2/2 4000/4000 off 0");
    assertThat(lines(run, "access").get(0).path("path").asText()).isEqualTo("/t/read");
    assertThat(lines(run, "file").stream().map(PolicyFindIT::counts))
        .containsExactly("/t/hot/old 0/1 0/2000 off 1");
    JsonNode total = lines(run, "total").get(0);
    assertThat(counts(total)).isEqualTo("/t 11/12 22000/24000 off 1");
    assertThat(total.path("files").asInt()).isEqualTo(14);
    assertThat(total.path("compliance").path("block_share").asDouble()).isEqualTo(11.0 / 12);
  }

  @Test
  void peopleGetATableAndATotal() {
    CommandRun run = run("policy", "find", "/t");
    assertThat(run.out())
        .containsPattern("88\\.9% +88\\.9% +9 +1 +/t/hot +layout:2 x ssd")
        .contains("/t: 12 of 14 files managed; on their tier 91.7% of the blocks");
    CommandRun brief = run("policy", "find", "/t", "--summary");
    assertThat(brief.out())
        .startsWith("/t: 12 of 14")
        .contains("tiers by")
        .doesNotContain("layout");
  }

  @Test
  void thePartBelowAPathIsUnderThePolicyAboveIt() throws IOException {
    CommandRun run = run("policy", "find", "/t/hot/inner/file", "--json");
    assertThat(lines(run, "path").stream().map(PolicyFindIT::counts))
        .containsExactly("/t/hot/inner/file 1/1 2000/2000 off 0");
    assertThat(lines(run, "path").get(0).path("origin").asText()).contains("of /t/hot/inner");
  }

  @Test
  void aShareBelowTheOneAskedForIsExitCodeOne() {
    assertThat(run("policy", "find", "/t", "--check", "90").exitCode()).isZero();
    CommandRun failed = run("policy", "find", "/t", "--check", "95");
    assertThat(failed.exitCode()).isEqualTo(1);
    assertThat(failed.err()).contains("91.7%").contains("95");
    CommandRun nothing = run("policy", "find", "/t/plain", "--check", "50");
    assertThat(nothing.exitCode()).isEqualTo(1);
    assertThat(nothing.err()).contains("no managed block");
    assertThat(run("policy", "find", "/t", "--check", "101").exitCode()).isEqualTo(2);
  }

  @Test
  void aMalformedPolicyIsListedAndBadInput() throws IOException {
    fs.setXAttr(new Path("/t/plain"), "user.tierwise.placement", "hybird".getBytes(UTF_8));
    CommandRun run = run("policy", "find", "/t");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).contains("/t/plain  hybird  ignored: unknown placement policy");
  }

  @Test
  void aFileThatIsBeingWrittenCountsWithItsCompleteBlocks() throws IOException {
    try (FSDataOutputStream out = fs.create(new Path("/t/hot/open"), (short) 2)) {
      out.write(new byte[BYTES]);
      out.hflush();
      CommandRun run = run("policy", "find", "/t/hot", "--json");
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(lines(run, "path").stream().map(PolicyFindIT::counts))
          .contains("/t/hot 8/9 16000/18000 off 1");
    }
  }

  @Test
  void whatMayNotBeReadIsNamedCountedAndExitCodeThree() throws Exception {
    fs.setPermission(new Path("/t/hot/inner"), new FsPermission((short) 0700));
    CommandRun run = runAs("eve", "policy", "find", "/t", "--json");
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.err()).contains("no permission to read /t/hot/inner");
    assertThat(lines(run, "unreadable").get(0).path("path").asText()).isEqualTo("/t/hot/inner");
    assertThat(lines(run, "total").get(0).path("unreadable").asInt()).isEqualTo(1);
    assertThat(lines(run, "path").stream().map(PolicyFindIT::counts))
        .contains("/t/hot 8/9 16000/18000 off 1");
  }

  /** As /user often is: who may pass through a directory is not told its attributes. */
  @Test
  void belowADirectoryThatMayOnlyBePassedThroughAllIsCountedAndNothingChecked() throws Exception {
    fs.setPermission(new Path("/t/hot"), new FsPermission((short) 0711));
    CommandRun run = runAs("eve", "policy", "find", "/t/hot/inner", "--json");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err().replaceAll("\\s+", " "))
        .contains("this user may pass through /t/hot and not read it");
    assertThat(lines(run, "passed_through").get(0).path("path").asText()).isEqualTo("/t/hot");
    assertThat(lines(run, "path").stream().map(PolicyFindIT::counts))
        .containsExactly("/t/hot/inner 1/1 2000/2000 off 0");

    CommandRun check = runAs("eve", "policy", "find", "/t/hot/inner", "--check", "50");
    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(check.err().replaceAll("\\s+", " ")).contains("not known which policy holds above");
    assertThat(run("policy", "find", "/t/hot/inner", "--check", "50").exitCode()).isZero();

    List<String> remarks = new ArrayList<>();
    List<StoredCensus.Group> groups =
        UserGroupInformation.createRemoteUser("eve")
            .doAs((PrivilegedExceptionAction<List<StoredCensus.Group>>) () -> census(remarks));
    assertThat(groups).extracting(StoredCensus.Group::placement).containsExactly("layout:2 x disk");
    assertThat(remarks).singleElement().asString().contains("/t/hot may not be read");
  }

  private static List<StoredCensus.Group> census(List<String> remarks) throws IOException {
    Configuration conf = hdfs.cluster().getConfiguration(0);
    try (DistributedFileSystem own = new DistributedFileSystem()) {
      own.initialize(fs.getUri(), conf);
      return StoredCensus.of(
          own, List.of("/t/hot/inner"), NameNodePlugin.inForce(own, conf).table(), remarks);
    }
  }

  @Test
  void purgeSaysWhatItWouldRemoveAndRemovesItOnlyWithYes() throws IOException {
    fs.setXAttr(new Path("/t/plain/file"), "user.tierwise.other", new byte[0]);
    fs.setXAttr(new Path("/t/plain/file"), "user.not-ours", new byte[0]);
    CommandRun dry = run("policy", "purge", "/t");
    assertThat(dry.exitCode()).as(dry.err()).isZero();
    // Three placements with their times, one access strategy, and another one of ours.
    assertThat(dry.out())
        .contains("would remove /t/hot: [user.tierwise.placement, user.tierwise.placement.since]")
        .contains("would remove 8 attributes of 5 paths");
    assertThat(dry.err()).contains("--yes");
    assertThat(fs.getXAttrs(new Path("/t/hot"))).hasSize(2);

    CommandRun done = run("policy", "purge", "/t", "--yes", "--json");
    assertThat(done.exitCode()).as(done.err()).isZero();
    JsonNode total = lines(done, "total").get(0);
    assertThat(total.path("attributes").path("user.tierwise.placement").asInt()).isEqualTo(3);
    assertThat(total.path("paths_found").asInt()).isEqualTo(5);
    assertThat(run("policy", "purge", "/t").out()).contains("would remove 0 attributes");
    assertThat(fs.getXAttrs(new Path("/t/plain/file"))).containsOnlyKeys("user.not-ours");
    assertThat(run("policy", "purge", "/t", "--yes", "--dry-run").exitCode()).isEqualTo(2);
  }

  @Test
  void purgeDoesTheRestWhereSomeoneMayNotChangeAndSaysSo() throws Exception {
    fs.setOwner(new Path("/t/read"), "eve", null);
    CommandRun run = runAs("eve", "policy", "purge", "/t", "--yes");
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.err()).contains("no permission to change /t/hot").contains("superuser");
    assertThat(fs.getXAttrs(new Path("/t/read"))).isEmpty();
    assertThat(fs.getXAttrs(new Path("/t/hot"))).isNotEmpty();
  }

  @Test
  void aPathThatDoesNotExistIsBadInput() {
    assertThat(run("policy", "find", "/nowhere").exitCode()).isEqualTo(2);
    assertThat(run("policy", "purge", "/nowhere").exitCode()).isEqualTo(2);
  }
}
