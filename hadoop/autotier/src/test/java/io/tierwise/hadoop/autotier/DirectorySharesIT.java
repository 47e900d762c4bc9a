package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A real HDFS with the plug-in, whose new files follow the share that a directory has. */
class DirectorySharesIT extends SharedDirectory {
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

  /** Long: ShareByUseTest has a use of which nothing is known. */
  @Tag("long")
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
