package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin;
import io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real HDFS with the plug-in, whose new files follow the share that a directory has. */
class DirectorySharesIT {
  private static final String DATA = "/data";
  private static final String HALF = "zone-ratio:ssd=0.5,disk=0.5,scope=directory";
  private static final long HOUR_MILLIS = 3_600_000;
  private static final double WINDOW_SECONDS = 10;
  private static final String SSD =
      "class: {name: s, read-megabytes-per-second: 400, write-megabytes-per-second: 400}";

  @TempDir private Path folder;
  private final LeftFiles left = new LeftFiles();
  private TwoTierHdfs hdfs;
  private int files;

  @BeforeEach
  void start() throws IOException {
    tiers(SSD);
    start(withPlugin(configuration()), folder);
  }

  private Configuration configuration() {
    Configuration conf = new HdfsConfiguration();
    conf.set("tierwise.tiers.file", folder.resolve("tiers.yaml").toString());
    return conf;
  }

  private static Configuration withPlugin(Configuration conf) {
    conf.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, TierwisePlacementPolicy.class.getName());
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, TierwiseNameNodePlugin.class.getName());
    return conf;
  }

  private void start(Configuration conf, Path where) throws IOException {
    hdfs = TwoTierHdfs.start(conf, where);
    hdfs.fs().mkdirs(hadoop(DATA));
    set(DATA, HALF);
  }

  @AfterEach
  void stop() {
    hdfs.close();
  }

  private void tiers(String ssd) throws IOException {
    Files.writeString(
        folder.resolve("tiers.yaml"),
        """
        tiers:
          - name: ssd
            match: {storage-type: SSD}
            %s
          - name: disk
            match: {storage-type: DISK}
            class: {name: d, read-megabytes-per-second: 100, write-megabytes-per-second: 100}
        """
            .formatted(ssd));
  }

  private static org.apache.hadoop.fs.Path hadoop(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  /** Nobody knows since when. */
  private void set(String path, String policy) throws IOException {
    hdfs.fs()
        .setXAttr(
            hadoop(path), PathPolicy.PLACEMENT_ATTRIBUTE, policy.getBytes(StandardCharsets.UTF_8));
  }

  private String policy() throws IOException {
    return DirectoryShares.policyOn(hdfs.cluster(), DATA);
  }

  private AutotierSettings settings(int callsMax, String... shares) {
    return new AutotierSettings(
        "ppa",
        HOUR_MILLIS,
        20,
        3,
        0,
        List.of("/data"),
        100,
        Optional.empty(),
        callsMax,
        Optional.empty(),
        Optional.empty(),
        MoverSettings.DEFAULT,
        List.of(shares));
  }

  private DirectoryShares shares(MoverCluster cluster, int callsMax, String... shares)
      throws IOException {
    AutotierSettings settings = settings(callsMax, shares);
    return new DirectoryShares(cluster, settings, Hardware.of(cluster, settings));
  }

  private DirectoryShares shares() throws IOException {
    return shares(hdfs.cluster(), 1_000, DATA);
  }

  /** Writes files of one block, and says how many of them are on the SSD. */
  private int write(int count) throws IOException {
    int fast = 0;
    for (int i = 0; i < count; i++) {
      String path = DATA + "/" + files++;
      hdfs.write(path);
      fast += hdfs.types(path).get(0) == StorageType.SSD ? 1 : 0;
    }
    return fast;
  }

  private static double nowSeconds() {
    return System.currentTimeMillis() / 1e3;
  }

  /** So much was read of the first file, in a window that began long before anything was there. */
  private static ShareUse.Window read(double megabytesPerSecond) {
    return new ShareUse.Window(
        1_000,
        1_000 + WINDOW_SECONDS,
        Map.of(DATA + "/0", megabytesPerSecond * 1e6 * WINDOW_SECONDS, "/elsewhere", 1e15));
  }

  private ShareChoice choose(ShareUse.Window use) throws IOException {
    List<ShareChoice> choices = shares().choose(use, nowSeconds(), left);
    assertThat(left.list()).isEmpty();
    return choices.get(0);
  }

  private Round make(List<ShareChoice> choices) throws Exception {
    RoundPlan plan =
        new RoundPlan(
            "none",
            "",
            "",
            0,
            0,
            List.of(),
            List.of(),
            List.of(),
            choices,
            new RoundPlan.Heard(0, ""),
            List.of(),
            left.list(),
            null);
    RoundWork work =
        new RoundWork(
            plan,
            hdfs.cluster(),
            settings(1_000, DATA),
            new Journal(folder.resolve("journal")),
            new ReentrantLock(),
            new OpenGate());
    work.start();
    while (!work.isDone()) {
      Thread.onSpinWait();
    }
    return work.result();
  }

  @Test
  void newFilesFollowTheShareWhenTheUseChanges() throws Exception {
    assertThat(write(20)).isEqualTo(10);

    ShareChoice light = choose(read(10));
    assertThat(light.after()).isEqualTo("zone-ratio:ssd=1,disk=0,scope=directory");
    assertThat(light.why()).isEqualTo("accesses take the least time");
    assertThat(light.readBytes()).as("of this directory alone").isEqualTo(100_000_000);
    assertThat(light.writtenBytes()).as("long after the window").isZero();
    double before = Math.floor(nowSeconds() * 1e3) / 1e3;
    assertThat(make(List.of(light)).shares()).containsExactly(light);
    assertThat(policy()).isEqualTo(light.after());
    assertThat(
            PathPolicy.ownPlacement(DATA, hdfs.fs().getXAttrs(hadoop(DATA)))
                    .orElseThrow()
                    .since()
                    .time()
                    .toEpochMilli()
                / 1e3)
        .as("held from the change on, not from the daemon's begin")
        .isGreaterThanOrEqualTo(before);
    assertThat(write(20)).isEqualTo(20);

    // It was set just now: held, whatever comes.
    assertThat(choose(read(360)).why()).contains("it was set less than 3.0 h ago, and would be");
    set(DATA, "zone-ratio:ssd=0.95,disk=0.05,scope=directory");
    ShareChoice heavy = choose(read(360));
    // One SSD at 400 MB/s and one disk at 100: (2 - 1 + 3.6) / (3.6 + 2 x 0.9).
    assertThat(heavy.after()).isEqualTo("zone-ratio:ssd=0.85,disk=0.15,scope=directory");
    make(List.of(heavy));
    assertThat(write(20)).isEqualTo(17);

    set(DATA, HALF);
    assertThat(choose(read(1_000)).after())
        .as("more than both do")
        .isEqualTo("zone-ratio:ssd=0.8,disk=0.2,scope=directory");
    set(DATA, "zone-ratio:disk=0.5,ssd=0.5,scope=directory");
    assertThat(choose(read(360)).after())
        .as("the first zone is the disk's")
        .isEqualTo("zone-ratio:disk=0.15,ssd=0.85,scope=directory");
  }

  @Test
  void filesThatAreThereStayWhereTheyAre() throws Exception {
    write(4);
    List<List<StorageType>> before =
        List.of(hdfs.types(DATA + "/0"), hdfs.types(DATA + "/1"), hdfs.types(DATA + "/2"));
    make(List.of(choose(read(10))));

    assertThat(List.of(hdfs.types(DATA + "/0"), hdfs.types(DATA + "/1"), hdfs.types(DATA + "/2")))
        .isEqualTo(before);
  }

  @Test
  void whatIsWrittenInTheWindowCountsAndWhatIsBelowAnotherPolicyDoesNot() throws Exception {
    double since = nowSeconds() - 1;
    write(3);
    hdfs.fs().mkdirs(hadoop(DATA + "/own"));
    set(DATA + "/own", "zone-ratio:0.1,scope=directory");
    hdfs.write(DATA + "/own/0");
    hdfs.write(DATA + "/own/below/1");
    Map<String, Double> read = new HashMap<>(Map.of(DATA + "/own/0", 1e15));
    read.put(DATA + "/1", 7e6);

    ShareChoice choice = choose(new ShareUse.Window(since, since + 3_600, read));

    assertThat(choice.readBytes()).isEqualTo(7_000_000);
    assertThat(choice.writtenBytes()).isEqualTo(3L * TwoTierHdfs.FILE_BYTES);
    assertThat(choice.windowSeconds()).as("the part that is over").isLessThan(3_600);
  }

  @Test
  void nothingThatWasReadOrWrittenChangesNothing() throws Exception {
    write(1);
    ShareChoice choice = choose(new ShareUse.Window(1_000, 1_010, Map.of()));

    assertThat(choice.changes()).isFalse();
    assertThat(choice.text())
        .isEqualTo(
            "/data stays at "
                + HALF
                + ": nothing of it was read or written (0 B read and 0 B written in 10 s)");
    make(List.of(choice));
    assertThat(policy()).isEqualTo(HALF);
  }

  @Test
  void aPolicyThatSomebodyChangesMeanwhileStaysTheirs() throws Exception {
    write(1);
    ShareChoice choice = choose(read(10));
    set(DATA, "hybrid");

    Round round = make(List.of(choice));

    assertThat(policy()).isEqualTo("hybrid");
    assertThat(round.shares()).isEmpty();
    assertThat(round.ids()).isEmpty();
    assertThat(round.left())
        .extracting(RoundPlan.Left::reason)
        .containsExactly("its policy was changed since it was planned");
  }

  @Test
  void aDirectoryThatCannotHaveAShareAnyMoreIsToldOfAndTheOthersGoOn() throws Exception {
    hdfs.fs().mkdirs(hadoop(DATA + "/other"));
    set(DATA + "/other", HALF);
    hdfs.write(DATA + "/other/0");
    DirectoryShares both = shares(hdfs.cluster(), 1_000, DATA + "/other", DATA);
    write(1);
    hdfs.fs().delete(hadoop(DATA + "/other"), true);

    List<ShareChoice> choices = both.choose(read(10), nowSeconds(), left);

    assertThat(choices).extracting(ShareChoice::path).containsExactly(DATA);
    assertThat(make(List.of()).left())
        .extracting(RoundPlan.Left::reason)
        .containsExactly("--share /data/other: there is no such directory");
  }

  @Test
  void moreFilesThanCanBeLookedAtChangeNothingAndAreTold() throws Exception {
    write(5);
    DirectoryShares few = shares(hdfs.cluster(), 3, DATA);
    few.bound(new RuleRounds.Turn(3, Long.MAX_VALUE / 4, WalkTurns.Pulse.NONE));

    assertThat(few.choose(read(10), nowSeconds(), left)).isEmpty();
    assertThat(left.list())
        .extracting(RoundPlan.Left::reason)
        .containsExactly(
            "--share /data: it has more paths than can be looked at in a round (--calls 3), or the"
                + " NameNode is slow: its share stays");
  }

  private void assertRefused(String message) throws IOException {
    assertThatThrownBy(this::shares)
        .isInstanceOf(OperatorException.class)
        .hasMessageStartingWith("--share /data: ")
        .hasMessageContaining(message)
        .message()
        .doesNotContain("\n");
  }

  @Test
  void whatCannotHaveAShareIsRefusedInOneLine() throws Exception {
    set(DATA, "hybrid");
    assertRefused("no zone-ratio policy stands on it (hybrid): 'tierwise policy set /data");
    set(DATA, "no such\npolicy");
    assertRefused("unknown placement policy");
    set(DATA, "stock");
    assertRefused("no zone-ratio policy stands on it (stock)");
    set(DATA, "zone-ratio:0.5");
    assertRefused("write scope=directory");
    set(DATA, "zone-ratio:ssd=1,scope=directory");
    assertRefused("has 1 zones: a share is chosen between two");
    hdfs.fs().removeXAttr(hadoop(DATA), PathPolicy.PLACEMENT_ATTRIBUTE);
    assertRefused("no zone-ratio policy stands on it (none does)");
    assertThatThrownBy(() -> shares(hdfs.cluster(), 9, "/elsewhere"))
        .hasMessage(
            "--share /elsewhere: is not below a directory that may be changed: name it with"
                + " --below, too");
    assertThatThrownBy(() -> shares(hdfs.cluster(), 9, "/data/none"))
        .hasMessage("--share /data/none: there is no such directory");
    assertThatThrownBy(() -> settings(9, "data")).hasMessageContaining("--share data is no abs");
  }

  @Test
  void tiersThatNobodyMeasuredAreNamed() throws Exception {
    hdfs.close();
    tiers("");
    start(withPlugin(configuration()), Files.createDirectory(folder.resolve("again")));

    assertRefused("nobody measured how fast ssd reads and writes: 'tierwise tiers probe'");
  }

  @Test
  void aNameNodeWithoutThePluginObeysNoShare() throws Exception {
    hdfs.close();
    start(configuration(), Files.createDirectory(folder.resolve("again")));

    assertRefused("the active NameNode runs without the plug-in, and obeys no share");
  }
}
