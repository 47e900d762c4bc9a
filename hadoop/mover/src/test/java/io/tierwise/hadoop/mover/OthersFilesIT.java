package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.RunSummary;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Layouts that users give to what is theirs, or is in part, and two of them at once. */
@ExtendWith(MixedCluster.class)
class OthersFilesIT {
  private static final String MINE = "/t/mine";

  @TempDir private java.nio.file.Path folder;
  private final LiveCluster cluster;

  OthersFilesIT(LiveCluster cluster) {
    this.cluster = cluster;
  }

  private JournalRun begin() throws IOException {
    return new Journal(folder).begin("test", "me", "hdfs://here", List.of(MINE), "", null);
  }

  /** Files of alice, but for b, which is bob's. */
  private void write(String... names) throws IOException {
    for (String name : names) {
      Path file = cluster.write(MINE + "/" + name, 1, 3);
      cluster.fs().setOwner(file, name.equals("b") ? "bob" : "alice", "staff");
    }
    cluster.fs().setOwner(new Path(MINE), "alice", "staff");
  }

  private <T> T byAlice(Work<T> work) throws Exception {
    PrivilegedExceptionAction<T> action =
        () -> {
          try (DistributedFileSystem fs =
              (DistributedFileSystem)
                  FileSystem.newInstance(cluster.fs().getUri(), cluster.clientConf())) {
            return work.by(new FileTiers(MoverCluster.of(fs, cluster.clientConf())));
          }
        };
    return UserGroupInformation.createRemoteUser("alice").doAs(action);
  }

  private interface Work<T> {
    T by(FileTiers tiers) throws IOException;
  }

  private int replicas(String name) throws IOException {
    return cluster.fs().getFileStatus(new Path(MINE, name)).getReplication();
  }

  @Test
  @Timeout(180)
  void aFileOfAnotherOwnerIsLeftOutAndAllOthersChange() throws Exception {
    write("a", "b", "c");

    LayoutChanges.Made made =
        byAlice(
            tiers ->
                new LayoutChanges(tiers, List.of(tiers.setRepPolicy(MINE, "2 x disk")))
                    .apply(this::begin));

    assertThat(List.of(replicas("a"), replicas("b"), replicas("c"))).containsExactly(2, 3, 2);
    assertThat(made.left())
        .containsExactly(new LeftOut("this user has no permission to change it", 1, MINE + "/b"));
    assertThat(made.isUndone()).isTrue();
    JournalEntry.End end = RunSummary.read(new Journal(folder), made.id()).end();
    assertThat(end.left()).extracting(JournalEntry.Left::example).containsExactly(MINE + "/b");
    cluster.assertWhole(new Path(MINE, "b"), 1);
  }

  /** There is no other file for which it would be worth to go on. */
  @Test
  @Timeout(180)
  void aFileOfAnotherOwnerThatWasNamedIsRefused() throws Exception {
    write("b");
    assertThatThrownBy(
            () ->
                byAlice(
                    tiers ->
                        new LayoutChanges(
                                tiers, List.of(tiers.setRepPolicy(MINE + "/b", "2 x disk")))
                            .apply(this::begin)))
        .isInstanceOf(AccessControlException.class);
    assertThat(replicas("b")).isEqualTo(3);
    assertThat(JournaledChanges.ownPolicy(cluster.fs(), MINE + "/b")).isNull();
  }

  /** Asked by two users at the same moment it is done once, whoever comes first. */
  @Test
  @Timeout(180)
  void theSameCopyAskedForTwiceAtOnceIsOneMore() throws Exception {
    write("a", "c", "d", "e");
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Callable<LayoutChanges.Made> hers = () -> byAlice(this::oneMore);
      Callable<LayoutChanges.Made> ours = () -> oneMore(new FileTiers(cluster.cluster()));
      for (Future<LayoutChanges.Made> each : threads.invokeAll(List.of(hers, ours))) {
        assertThat(made(each).left()).isEmpty();
      }
    } finally {
      threads.shutdown();
    }

    assertThat(JournaledChanges.ownPolicy(cluster.fs(), MINE))
        .isEqualTo("layout:1 x ssd + 3 x any");
    for (String name : List.of("a", "c", "d", "e")) {
      assertThat(replicas(name)).as(name).isEqualTo(4);
      cluster.assertWhole(new Path(MINE, name), 1);
    }
  }

  private LayoutChanges.Made oneMore(FileTiers tiers) throws IOException {
    return new LayoutChanges(tiers, List.of(tiers.createFileTier(MINE, "ssd", 1)))
        .apply(this::begin);
  }

  private static LayoutChanges.Made made(Future<LayoutChanges.Made> run) throws Exception {
    try {
      return run.get();
    } catch (ExecutionException e) {
      throw (Exception) e.getCause();
    }
  }
}
