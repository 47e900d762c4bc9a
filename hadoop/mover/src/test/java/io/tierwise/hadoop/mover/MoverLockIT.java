package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.PrivilegedExceptionAction;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Movers that want the lock at once, or stand still while they take it or give it back. */
@Timeout(180)
class MoverLockIT {
  private static final long SOFT_MILLIS = TimeUnit.MINUTES.toMillis(1);
  private static final long HARD_MILLIS = TimeUnit.MINUTES.toMillis(20);

  @TempDir private static java.nio.file.Path folder;
  private static MiniDFSCluster hdfs;

  @BeforeAll
  static void start() throws IOException {
    hdfs =
        new MiniDFSCluster.Builder(new HdfsConfiguration(), folder.resolve("hdfs").toFile())
            .numDataNodes(1)
            .build();
    hdfs.waitActive();
  }

  @AfterAll
  static void stop() {
    hdfs.shutdown();
  }

  @AfterEach
  void goOn() throws IOException {
    StandsStill.meanwhile = () -> {};
    hdfs.getFileSystem().delete(MoverConnection.LOCK, false);
  }

  @FunctionalInterface
  private interface Doing {
    void run() throws IOException;
  }

  /** Right before it makes its lock a process stands still, and others go on. */
  public static final class StandsStill extends LockingFileSystem {
    private static Doing meanwhile = () -> {};

    @Override
    public HdfsDataOutputStreamBuilder createFile(Path path) {
      Doing once = meanwhile;
      meanwhile = () -> {};
      try {
        once.run();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return super.createFile(path);
    }
  }

  /** The NameNode does not answer whether the lock is held, as in a failover. */
  public static final class NotToldOnce extends LockingFileSystem {
    private static boolean fails;

    @Override
    boolean holds() throws IOException {
      if (fails) {
        fails = false;
        throw new IOException("no NameNode is active");
      }
      return super.holds();
    }
  }

  private static MoverConnection open() throws IOException {
    return MoverConnection.open(hdfs.getURI(), hdfs.getConfiguration(0));
  }

  private static MoverConnection openAfter(Doing meanwhile) throws IOException {
    StandsStill.meanwhile = meanwhile;
    return MoverConnection.open(hdfs.getURI(), hdfs.getConfiguration(0), StandsStill.class);
  }

  private static void assertThatNobodyElseGetsIt() {
    assertThatThrownBy(MoverLockIT::open)
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("another mover runs on this cluster");
  }

  /** The first one gives no sign of life for longer than HDFS's limit. */
  private static MoverConnection takeOver() throws IOException {
    hdfs.setLeasePeriod(-1, HARD_MILLIS);
    try {
      hdfs.getFileSystem().recoverLease(MoverConnection.LOCK);
    } finally {
      hdfs.setLeasePeriod(SOFT_MILLIS, HARD_MILLIS);
    }
    return open();
  }

  @Test
  void whoStandsStillBeforeItTakesTheLockTakesItFromNobody() throws IOException {
    AtomicReference<MoverConnection> second = new AtomicReference<>();

    assertThatThrownBy(() -> openAfter(() -> second.set(open())))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("another mover runs on this cluster");

    assertThatNobodyElseGetsIt();
    second.get().close();
    assertThat(hdfs.getFileSystem().exists(MoverConnection.LOCK)).isFalse();
  }

  @Test
  void whoStoodStillWhileAnotherCameAndWentHasIt() throws IOException {
    MoverConnection first = openAfter(() -> open().close());
    assertThatNobodyElseGetsIt();
    first.close();
    open().close();
  }

  private static MoverConnection openAs(UserGroupInformation user) throws Exception {
    return user.doAs((PrivilegedExceptionAction<MoverConnection>) MoverLockIT::open);
  }

  /** As two administrators that start the same command. */
  @Test
  void theLockIsTheClustersAndNotAUsers() throws Exception {
    UserGroupInformation other =
        UserGroupInformation.createUserForTesting(
            "other", new String[] {DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_DEFAULT});
    MoverConnection first = open();
    assertThatThrownBy(() -> openAs(other))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("another mover runs on this cluster");

    first.close();
    MoverConnection second = openAs(other);
    assertThatNobodyElseGetsIt();
    second.close();

    hdfs.getFileSystem().create(MoverConnection.LOCK).close(); // As a killed one leaves it.
    openAs(other).close();
    assertThat(hdfs.getFileSystem().exists(MoverConnection.LOCK)).isFalse();
  }

  @Test
  void theLockOfAMoverThatWasKilledIsTaken() throws IOException {
    hdfs.getFileSystem().create(MoverConnection.LOCK).close();
    try (MoverConnection first = open()) {
      assertThat(first.fs().exists(MoverConnection.LOCK)).isTrue();
      assertThatNobodyElseGetsIt();
    }
  }

  @Test
  void whoLostItGivesBackNoOther() throws IOException {
    MoverConnection first = open();
    MoverConnection second = takeOver();

    first.close();

    assertThatNobodyElseGetsIt();
    second.close();
    assertThat(hdfs.getFileSystem().exists(MoverConnection.LOCK)).isFalse();
  }

  @Test
  void whoCannotAskWhetherItHasItGivesItBack() throws IOException {
    NotToldOnce.fails = true;
    assertThatThrownBy(
            () -> MoverConnection.open(hdfs.getURI(), hdfs.getConfiguration(0), NotToldOnce.class))
        .hasMessageContaining("no NameNode is active");

    open().close();
  }

  @Test
  void whoLosesItIsToldSoAndNobodyElseIs() throws Exception {
    MoverConnection first = open();
    BlockingQueue<OperatorException> lost = new LinkedBlockingQueue<>();
    Thread watch = new Thread(new LockWatch(first::holds, lost::add, 20), "test-lock");
    watch.start();
    assertThat(lost.poll(1, TimeUnit.SECONDS)).as("while it has it").isNull();

    MoverConnection second = takeOver();

    assertThat(lost.poll(30, TimeUnit.SECONDS))
        .hasMessageContaining("another mover may have the lock /system/tierwise-mover.id");
    watch.join();
    first.close();
    assertThatNobodyElseGetsIt();
    second.close();
  }

  /** As where all disks are full, and the SSDs have room. */
  @Test
  void itNeedsNoRoom() throws Exception {
    long bytes = capacity();
    LiveCluster nodes = new LiveCluster(hdfs, hdfs.getConfiguration(0), null);
    nodes.setCapacity(0, 1);
    try (MoverConnection first = open()) {
      assertThat(first.holds()).isTrue();
      assertThatNobodyElseGetsIt();
    } finally {
      nodes.setCapacity(0, bytes);
    }
  }

  private static long capacity() throws IOException {
    try (FsDatasetSpi.FsVolumeReferences volumes =
        hdfs.getDataNodes().get(0).getFSDataset().getFsVolumeReferences()) {
      return ((FsVolumeImpl) volumes.get(0)).getCapacity();
    }
  }

  /** What is open stays this client's, which renews it as long as the process lives. */
  @Test
  void aLeftLockThatCannotBeDeletedIsLetGo() throws IOException {
    hdfs.getFileSystem().create(MoverConnection.LOCK).close();
    DeletesNothing fs = new DeletesNothing();
    fs.initialize(hdfs.getURI(), hdfs.getConfiguration(0));
    assertThatThrownBy(() -> HeldFile.deleteLeft(fs, MoverConnection.LOCK))
        .hasMessageContaining("no NameNode is active");

    open().close();
    fs.close();
  }

  private static final class DeletesNothing extends DistributedFileSystem {
    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
      throw new IOException("no NameNode is active");
    }
  }
}
