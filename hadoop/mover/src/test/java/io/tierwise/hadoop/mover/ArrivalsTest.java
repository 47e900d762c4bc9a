package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
  private final BlockingQueue<InPlace> ends = new LinkedBlockingQueue<>();

  /** How a move ends when the NameNode answers so; it is waited for as long as given. */
  private InPlace end(double patienceSeconds, Arrivals.Question nameNode)
      throws InterruptedException {
    Arrivals arrivals = new Arrivals(nameNode, null, patienceSeconds, (move, how) -> ends.add(how));
    new Thread(arrivals, "test-arrivals").start();
    FileToMove file =
        new FileToMove("/file", file(0, 3), null, FileToMove.Deletion.BY_WANTED_POLICY, null);
    arrivals.await(Made.move(Made.work(file), "a", "b"));
    try {
      return ends.poll(1, TimeUnit.MINUTES);
    } finally {
      arrivals.stop();
    }
  }

  private static HdfsLocatedFileStatus emptyFile() {
    return file(0, 3);
  }

  private static HdfsLocatedFileStatus file(int blocks, int replicas) {
    return file(Collections.nCopies(blocks, null), replicas);
  }

  private static HdfsLocatedFileStatus file(List<LocatedBlock> blocks, int replicas) {
    return (HdfsLocatedFileStatus)
        new HdfsFileStatus.Builder()
            .perm(FsPermission.getFileDefault())
            .fileId(7)
            .replication(replicas)
            .locations(new LocatedBlocks(0, false, blocks, null, true, null, null))
            .build();
  }

  @Test
  void saysWhenNobodyCouldBeAsked() throws InterruptedException {
    InPlace how =
        end(
            0.1,
            file -> {
              throw new IOException("connection refused");
            });

    assertThat(how).isEqualTo(InPlace.NOT_ASKED);
  }

  @Test
  void knowsThatTheFileIsGone() throws InterruptedException {
    InPlace how =
        end(
            60,
            file -> {
              throw new FileNotFoundException(file.path());
            });

    assertThat(how).isEqualTo(InPlace.NO_BLOCK);
  }

  @Test
  void aCopyThatWasDroppedWithTheNumberOfReplicasIsNotWaitedFor() throws InterruptedException {
    InPlace how = end(60, file -> file(List.of(blockOn("c", "d")), 2));

    assertThat(how).isEqualTo(InPlace.FEWER);
  }

  @Test
  void aCopyOfWhichNothingIsHeardWhileTheNumberOfReplicasStaysIsMissed()
      throws InterruptedException {
    InPlace how = end(0.1, file -> file(List.of(blockOn("a", "c", "d")), 3));

    assertThat(how).isEqualTo(InPlace.NO);
  }

  /** The block of {@link Made#work()} with replicas on those nodes. */
  private static LocatedBlock blockOn(String... nodes) {
    DatanodeInfo[] locations =
        Stream.of(nodes)
            .map(node -> Made.volume(node, StorageType.DISK).node())
            .toArray(DatanodeInfo[]::new);
    return new LocatedBlock(new ExtendedBlock("pool", 1, 100, 1), locations);
  }

  @Test
  void goesOnWithANameNodeThatAnswersAgain() throws InterruptedException {
    int[] asked = {0};
    InPlace how =
        end(
            60,
            file -> {
              if (asked[0]++ < 2) {
                throw new IOException("it starts again");
              }
              return emptyFile();
            });

    assertThat(how).isEqualTo(InPlace.NO_BLOCK);
  }
}
