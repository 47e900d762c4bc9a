package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Numbers of directories in a real NameNode's tree, with bounds that make small ones large. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DataSetsIT {
  private static final DataSets.Bounds TIGHT = new DataSets.Bounds(4, 2);

  private static TieredCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster = TieredCluster.start(TieredCluster.settings(TieredCluster.THREE_TIERS), "/r1", "/r1");
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static FSNamesystem namesystem() {
    return cluster.mini().getNamesystem();
  }

  private static INode inode(Path path) throws IOException {
    TreeLock.lock(namesystem());
    try {
      return namesystem().getFSDirectory().getINode(path.toString());
    } finally {
      TreeLock.unlock(namesystem(), "test");
    }
  }

  private static INodeDirectory directory(Path path) throws IOException {
    return inode(path).asDirectory();
  }

  /** Eight files with nine blocks in four directories, and one below a policy of its own. */
  private static Path tree(String name) throws IOException {
    Path set = cluster.directory(name, null);
    for (int i = 0; i < 5; i++) {
      cluster.write(new Path(set, "file-" + i), 1, 1);
    }
    for (int i = 0; i < 3; i++) {
      cluster.write(new Path(set, "deep-" + i + "/file"), i == 0 ? 2 : 1, 1);
    }
    cluster.write(new Path(cluster.directory(name + "/own", "hybrid"), "file"), 3, 1);
    return set;
  }

  @Test
  void countInSmallStepsIsTheCountInOne() throws IOException {
    Path set = tree("/steps");
    for (int inodes : new int[] {1, 2, 3, 1_000}) {
      DataSetCount count = new DataSetCount(namesystem(), inode(set).getId());
      int steps = 1;
      while (!count.step(inodes)) {
        steps++;
      }
      assertThat(count.blocks()).isEqualTo(9);
      assertThat(steps).isGreaterThanOrEqualTo(12 / (inodes + 1));
    }
  }

  @Test
  void countGoesOnBehindAChildThatIsGone() throws IOException {
    Path set = tree("/gone");
    DataSetCount count = new DataSetCount(namesystem(), inode(set).getId());
    // The first child is deep-0, with two blocks.
    assertThat(count.step(1)).isFalse();
    cluster.files().delete(new Path(set, "deep-0"), true);
    while (!count.step(1)) {
      assertThat(count.blocks()).isLessThan(9);
    }
    assertThat(count.blocks()).isEqualTo(7);
  }

  @Test
  void smallDirectoryIsCountedByItsFirstDecision() throws IOException {
    Path set = tree("/small");
    DataSets sets = new DataSets(namesystem());
    assertThat(sets.nextIndex(directory(set), 1, 0)).isEqualTo(9);
    assertThat(sets.nextIndex(directory(set), 2, 0)).isEqualTo(10);
  }

  @Test
  void neitherDecisionsNorChangesOfTheTreeWaitForTheCountOfALargeDirectory() throws Exception {
    Path set = tree("/large");
    Path small = cluster.directory("/small-beside", null);
    CountDownLatch inCount = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    DataSets sets =
        new DataSets(
            namesystem(),
            TIGHT,
            () -> {
              inCount.countDown();
              awaitUnchecked(goOn);
            });
    assertThat(sets.nextIndex(directory(set), 1, 0)).isZero();
    sets.refresh();
    assertThat(inCount.await(60, TimeUnit.SECONDS)).isTrue();

    // The count stands still from here on; whoever waited for it would wait for ever.
    // There is no file 1, so that its number had come back when the count began.
    assertThat(sets.nextIndex(directory(set), 2, 0)).isZero();
    assertThat(sets.nextIndex(directory(set), 3, 0)).isEqualTo(1);
    assertThat(sets.nextIndex(directory(small), 3, 0)).isZero();
    assertThat(sets.nextIndex(directory(small), 4, 0)).isEqualTo(1);
    sets.refresh();
    assertThat(cluster.files().mkdirs(new Path("/changed-meanwhile"))).isTrue();

    goOn.countDown();
    awaitNext(sets, set, 9);
  }

  /**
   * Waits until the directory's numbers go on from there. Asks for a file that does not exist: its
   * number is lost, so that the next count in quiet finds none open.
   */
  private static void awaitNext(DataSets sets, Path set, long index) throws IOException {
    INodeDirectory directory = directory(set);
    TieredCluster.await(
        "the numbers go on from " + index,
        () -> {
          sets.refresh();
          return sets.fileCount(directory) == 0 && sets.nextIndex(directory, 1, 0) == index;
        });
  }

  private static void awaitUnchecked(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void closedAndDeletedFilesAreForgottenInADirectoryThatIsNeverQuiet() throws Exception {
    Path set = cluster.directory("/busy", null);
    INodeDirectory directory = directory(set);
    Path busy = new Path(set, "busy");
    try (FSDataOutputStream open = cluster.files().create(busy)) {
      long busyId = inode(busy).getId();
      AtomicInteger asked = new AtomicInteger();
      DataSets[] sets = new DataSets[1];
      sets[0] =
          new DataSets(
              namesystem(),
              DataSets.Bounds.DEFAULT,
              () -> sets[0].nextIndex(directory, busyId, asked.getAndIncrement()));
      List<Path> files = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        Path file = new Path(set, "file-" + i);
        try (FSDataOutputStream out = cluster.files().create(file)) {
          sets[0].nextIndex(directory, inode(file).getId(), 0);
          out.write(1);
        }
        files.add(file);
      }
      for (Path file : files.subList(0, 10)) {
        cluster.files().delete(file, false);
      }
      assertThat(sets[0].fileCount(directory)).isEqualTo(20);
      TieredCluster.await(
          "only the open file is remembered, and it went on asking",
          () -> {
            sets[0].refresh();
            return sets[0].fileCount(directory) == 1 && asked.get() > 1;
          });
      open.write(1);
    }
  }

  @Test
  void deletedBlocksLeaveTheCountOnceNoBlockIsAskedFor() throws Exception {
    Path set = tree("/deleted");
    DataSets sets = new DataSets(namesystem(), TIGHT, () -> {});
    assertThat(sets.nextIndex(directory(set), 1, 0)).isZero();
    awaitNext(sets, set, 9);
    cluster.files().delete(new Path(set, "deep-0"), true);
    awaitNext(sets, set, 7);
  }

  @Test
  void ratioOverADirectoryIsExactForSequentialAndConcurrentWriters() throws Exception {
    Path set = cluster.directory("/set", "zone-ratio:fast=0.3,middle+slow=0.7,scope=directory");
    long blocks = 0;
    long fast = 0;
    for (int i = 0; i < 6; i++) {
      Path file = cluster.write(new Path(set, "sequential-" + i), 1 + i % 3, 1);
      blocks += 1 + i % 3;
      fast += cluster.blocksIn("fast", file);
      assertThat(fast).isEqualTo((long) Math.ceil(0.3 * blocks));
    }
    List<Path> files = IntStream.range(0, 4).mapToObj(i -> new Path(set, "at-once-" + i)).toList();
    files.parallelStream()
        .forEach(
            file -> {
              try {
                cluster.write(file, 5, 1);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    for (Path file : files) {
      fast += cluster.blocksIn("fast", file);
    }
    assertThat(fast).isEqualTo((long) Math.ceil(0.3 * (blocks + 20)));
  }
}
