package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An operator's mistake is answered with one clear line, exit code 2 or 3, and nothing changed. */
class BadInputIT {
  @TempDir static Path folder;
  private static ManagedHdfs hdfs;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = ManagedHdfs.configuration();
    hdfs =
        ManagedHdfs.start(
            folder,
            ManagedHdfs.SSD_AND_DISK,
            conf,
            nodes ->
                nodes
                    .numDataNodes(2)
                    .storageTypes(new StorageType[] {StorageType.SSD, StorageType.DISK}));
    fs = hdfs.fs();
    fs.mkdirs(new org.apache.hadoop.fs.Path("/data"));
  }

  @AfterAll
  static void stop() {
    hdfs.cluster().shutdown();
  }

  private static CommandRun run(String... arguments) {
    return hdfs.run(arguments);
  }

  private static void assertRefused(CommandRun run, int exitCode, String message)
      throws IOException {
    assertThat(run.err()).contains(message);
    assertThat(run.err().strip()).doesNotContain("\n");
    assertThat(run.exitCode()).isEqualTo(exitCode);
    assertThat(fs.getXAttrs(new org.apache.hadoop.fs.Path("/data"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --placement | hybird                     | unknown placement policy "hybird"
          --placement | network-aware:tiers=nvme   | "nvme"
          --placement | layout:2 x gold + 1 x disk | "gold"
          --placement | zone-ratio:1.5             | 1.5
          --placement | zone-ratio:-0.1            | -0.1
          --access    | greedier                   | unknown access strategy "greedier"
          --access    | balanced:101               | 101
          --access    | balanced:-1                | -1
          """)
  void aWrongSpecificationIsNamedAndNothingIsSet(String option, String value, String message)
      throws IOException {
    assertRefused(run("policy", "set", "/data", option, value), 2, message);
  }

  @Test
  void aKeyThatIsMissingIsToldOf() throws IOException {
    assertRefused(run("policy", "get", "-D", "=x", "/data"), 2, "-D =x names no key");
  }

  @ParameterizedTest
  @CsvSource({
    "policy get, ''",
    "policy get, :",
    "policy find, ''",
    "explain, 'hdfs:'",
    "file move --to disk, '::/data'"
  })
  void whatIsNoPathIsQuoted(String command, String path) throws IOException {
    String[] words = (command + " PATH").split(" ");
    words[words.length - 1] = path;
    assertRefused(run(words), 2, "\"" + path + "\" is no path: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --once    | ssd=80:90  | such as ssd=90:80
          --once    | ssd=101:80 | such as ssd=90:80
          --once    | ssd=90     | such as ssd=90:80
          --once    | ssd=a:b    | such as ssd=90:80
          --once    | 90:80      | such as ssd=90:80
          --once    | ssd        | such as ssd=90:80
          --once    | gold=90:80 | unknown tier "gold"
          --dry-run | ssd=90:80  | --flush with --dry-run
          """)
  void marksThatNoTierCanHaveAreRefused(String mode, String marks, String message)
      throws IOException {
    assertRefused(run("monitor", "run", mode, "--flush", marks), 2, message);
  }

  @Test
  void twoMarksOfOneTierAreRefused() throws IOException {
    String[] command = {"monitor", "run", "--once", "--flush", "SSD=90:80", "--flush", "SSD=70:60"};
    assertRefused(run(command), 2, "--flush SSD=70:60: SSD has marks already");
  }

  @Test
  void oneWrongSpecificationKeepsTheOtherFromBeingSet() throws IOException {
    assertRefused(
        run("policy", "set", "/data", "--placement", "hybrid", "--access", "wrong"), 2, "wrong");
  }

  @Test
  void anAccessStrategyForASingleFileIsRefused() throws IOException {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/data/single");
    fs.create(file).close();
    assertRefused(run("policy", "set", "/data/single", "--access", "greedy"), 2, "is a file");
    assertThat(fs.getXAttrs(file)).isEmpty();
  }

  @Test
  void aPathThatDoesNotExistIsNamed() throws IOException {
    assertRefused(run("policy", "get", "/nowhere"), 2, "policy get: no such path: hdfs://");
    assertRefused(run("policy", "set", "/nowhere", "--placement", "hybrid"), 2, "/nowhere");
    assertRefused(run("policy", "find", "/nowhere"), 2, "policy find: no such path: ");
  }

  @Test
  void someoneWithoutPermissionIsToldSo() throws Exception {
    fs.setPermission(new org.apache.hadoop.fs.Path("/data"), new FsPermission((short) 0755));
    CommandRun run =
        UserGroupInformation.createRemoteUser("eve")
            .doAs(
                (PrivilegedExceptionAction<CommandRun>)
                    () -> run("policy", "set", "/data", "--placement", "hybrid"));
    assertRefused(run, 3, "no permission");
    CommandRun list =
        UserGroupInformation.createRemoteUser("eve")
            .doAs((PrivilegedExceptionAction<CommandRun>) () -> run("tiers", "list"));
    assertRefused(list, 3, "superuser");
  }

  @Test
  void aNameNodeInSafeModeIsSaid() throws IOException {
    fs.setSafeMode(SafeModeAction.ENTER);
    try {
      assertRefused(run("policy", "set", "/data", "--placement", "hybrid"), 3, "safe mode");
    } finally {
      fs.setSafeMode(SafeModeAction.LEAVE);
    }
  }

  @Test
  void anotherFileSystemIsRefused() throws IOException {
    assertRefused(CommandRun.of("tiers", "list", "--fs", folder.toUri().toString()), 2, "not HDFS");
    assertRefused(CommandRun.of("doctor", "--fs", folder.toUri().toString()), 2, "not HDFS");
  }

  @Test
  void aNameNodeThatDoesNotAnswerIsSaid() throws IOException {
    assertRefused(
        CommandRun.of("tiers", "list", "--fs", "hdfs://127.0.0.1:1"),
        3,
        ":1 cannot be reached (connection refused); check --fs or HADOOP_CONF_DIR");
    assertRefused(
        CommandRun.of("explain", "/file", "--fs", "hdfs://no-such-host.invalid:8020"),
        3,
        "cannot be reached (unknown host no-such-host.invalid); check --fs or HADOOP_CONF_DIR");
  }

  @Test
  void aMissingTierTableIsNamed() throws IOException {
    assertRefused(hdfs.runWith(folder.resolve("gone.yaml"), "tiers", "list"), 2, "gone.yaml");
  }

  @Test
  void anUnknownCommandOrOptionIsBadInput() {
    assertThat(CommandRun.of("tiers", "lst").exitCode()).isEqualTo(2);
    assertThat(CommandRun.of("tiers", "list", "--jsn").exitCode()).isEqualTo(2);
  }

  @Test
  void whatIsSetIsToldAndUnset() throws IOException {
    assertThat(run("policy", "set", "/data", "--placement", "hybrid", "--dry-run").exitCode())
        .isZero();
    assertThat(fs.getXAttrs(new org.apache.hadoop.fs.Path("/data"))).isEmpty();
    CommandRun set = run("policy", "set", "/data", "--placement", "hybrid", "--access", "greedy");
    assertThat(set.exitCode()).as(set.err()).isZero();
    fs.mkdirs(new org.apache.hadoop.fs.Path("/data/below"));
    CommandRun get = run("policy", "get", "/data/below");
    assertThat(get.out()).contains("hybrid").contains("greedy").contains("of /data");
    assertThat(run("policy", "get", "/data", "--json").out()).contains("\"own_attribute\" : true");
    assertThat(run("policy", "unset", "/data").exitCode()).isZero();
    assertThat(fs.getXAttrs(new org.apache.hadoop.fs.Path("/data"))).isEmpty();
    assertThat(run("policy", "get", "/data").out()).contains("stock");
  }

  @Test
  void aMalformedAttributeIsShownWithWhatIsWrong() throws IOException {
    org.apache.hadoop.fs.Path odd = new org.apache.hadoop.fs.Path("/odd");
    fs.mkdirs(odd);
    fs.setXAttr(odd, "user.tierwise.placement", "hybird".getBytes(StandardCharsets.UTF_8));
    CommandRun get = run("policy", "get", "/odd");
    assertThat(get.err()).contains("unknown placement policy \"hybird\"").contains("/odd");
    assertThat(get.exitCode()).isEqualTo(2);
  }

  @Test
  void tiersListShowsNodesByTier() {
    CommandRun list = run("tiers", "list");
    assertThat(list.exitCode()).as(list.err()).isZero();
    assertThat(list.out().lines().findFirst().orElseThrow()).containsSubsequence("ssd", "disk");
    assertThat(list.out()).contains("total");
    assertThat(run("tiers", "list", "--volumes").out()).contains("DS-");
    assertThat(run("tiers", "list", "--json").out()).contains("\"state\" : \"in_service\"");
  }
}
