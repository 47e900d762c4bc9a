package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.RunSummary;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Shares when something changes between the daemon's begin, its plan and its work. */
class SharesMeanwhileIT extends SharedDirectory {
  /** By HDFS's default ({@code dfs.namenode.fs-limits.max-xattrs-per-inode}). */
  private static final int ATTRIBUTES_MAX = 32;

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

  /**
   * It had as many attributes as HDFS lets a directory have, without the one that says since when.
   */
  @Test
  void aShareThatHdfsRefusesIsToldOfAndTheOthersGoOn() throws Exception {
    hdfs.fs().mkdirs(hadoop(DATA + "/other"));
    set(DATA + "/other", HALF);
    hdfs.write(DATA + "/other/0");
    write(1);
    for (int i = 1; i < ATTRIBUTES_MAX; i++) {
      hdfs.fs().setXAttr(hadoop(DATA), "user.other" + i, new byte[0]);
    }
    ShareUse.Window use =
        new ShareUse.Window(1_000, 1_010, Map.of(DATA + "/0", 1e8, DATA + "/other/0", 1e8));
    List<ShareChoice> choices =
        shares(hdfs.cluster(), 1_000, DATA, DATA + "/other").choose(use, nowSeconds(), left);
    assertThat(choices).allMatch(ShareChoice::changes);

    Round round = make(choices);

    assertThat(policy()).isEqualTo(HALF);
    assertThat(round.shares()).containsExactly(choices.get(1));
    assertThat(DirectoryShares.policyOn(hdfs.cluster(), DATA + "/other"))
        .isEqualTo(choices.get(1).after());
    assertThat(round.left()).hasSize(1);
    assertThat(round.left().get(0).reason()).contains("exceed limit of " + ATTRIBUTES_MAX);
    assertThat(round.left().get(0).example()).isEqualTo(DATA);
    Journal journal = new Journal(folder.resolve("journal"));
    assertThat(round.ids()).hasSize(2);
    JournalEntry.End end = RunSummary.read(journal, round.ids().get(0)).end();
    assertThat(end.left()).as("it is over, and says what it left").hasSize(1);
  }

  /** The first question to a NameNode that began anew may find the connection closed. */
  private void restartNameNode() throws IOException {
    hdfs.restartNameNode();
    while (!MoverCluster.of(hdfs.fs(), configuration()).pluginRuns()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
  }

  /** A daemon runs for months, and goes by the table that decides about new files. */
  @Test
  @Timeout(180)
  void aShareIsChosenByTheTiersThatTheNameNodeHasNow() throws Exception {
    write(1);
    DirectoryShares shares = shares();
    assertThat(shares.choose(read(360), nowSeconds(), left).get(0).after())
        .isEqualTo("zone-ratio:ssd=0.85,disk=0.15,scope=directory");

    tiers(SSD.replace("400", "100"));
    restartNameNode();
    ShareChoice now = shares.choose(read(150), nowSeconds(), left).get(0);

    assertThat(now.after()).as("equally fast").isEqualTo(HALF);
    assertThat(now.secondsBefore()).as("both together would do 200 MB/s").isPositive();

    tiers("");
    restartNameNode();
    assertThat(shares.choose(read(150), nowSeconds(), left)).isEmpty();
    assertThat(left.list())
        .extracting(RoundPlan.Left::reason)
        .containsExactly(
            "--share /data: nobody measured how fast ssd reads and writes: 'tierwise tiers probe'"
                + " on a node of it says what to write into the tier table");
  }
}
