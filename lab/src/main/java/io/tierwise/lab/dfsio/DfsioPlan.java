package io.tierwise.lab.dfsio;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * How large a bench is: one file a task, as TestDFSIO has it.
 *
 * @param taskCount at least 1
 * @param fileBytes of each file; positive
 * @param blockBytes a multiple of 512
 * @param replication replicas of each block
 * @param dataLocalShare part of the read tasks on a node with the file's first block, 0 to 1
 * @param seed of content and assignment: the same seed repeats both
 */
public record DfsioPlan(
    int taskCount,
    long fileBytes,
    long blockBytes,
    short replication,
    double dataLocalShare,
    long seed) {
  /** Every third file is text, the others are rows. */
  private static final int TEXT_EVERY = 3;

  public DfsioPlan {
    require(taskCount >= 1, "--files", taskCount, "give at least 1");
    require(fileBytes >= 1, "--file-size", fileBytes, "give at least one byte");
    require(
        blockBytes >= 512 && blockBytes % 512 == 0,
        "--block-size",
        blockBytes,
        "give a multiple of 512 bytes");
    require(replication >= 1, "--replication", replication, "give at least 1");
    require(
        dataLocalShare >= 0 && dataLocalShare <= 1,
        "--data-local",
        dataLocalShare,
        "give a share from 0 to 1");
  }

  private static void require(boolean holds, String option, Object value, String advice) {
    if (!holds) {
      throw new IllegalArgumentException(option + " is " + value + ": " + advice);
    }
  }

  /** Bytes of all files, without replication. */
  public long totalBytes() {
    return taskCount * fileBytes;
  }

  /** The write tasks: task i on place i, round and round. */
  public List<DfsioTask> writes(String directory, List<BenchPlace> places) {
    List<DfsioTask> tasks = new ArrayList<>();
    for (int i = 0; i < taskCount; i++) {
      BenchContent.Kind kind =
          i % TEXT_EVERY == TEXT_EVERY - 1 ? BenchContent.Kind.TEXT : BenchContent.Kind.ROWS;
      tasks.add(
          new DfsioTask(
              i,
              places.get(i % places.size()),
              directory + "/" + kind.name().toLowerCase(java.util.Locale.ROOT) + "-" + i,
              fileBytes,
              kind,
              seed + i,
              0));
    }
    return tasks;
  }

  /**
   * The read tasks for files that were written, each where a scheduler would put it.
   *
   * @param written the write tasks, and
   * @param figures what they measured, for the checksums
   * @param stock a client that names replicas in the NameNode's order
   */
  public List<DfsioTask> reads(
      List<DfsioTask> written, List<TaskFigures> figures, List<BenchPlace> places, FileSystem stock)
      throws IOException {
    List<Set<String>> holders = new ArrayList<>();
    for (DfsioTask task : written) {
      BlockLocation[] blocks = stock.getFileBlockLocations(new Path(task.path()), 0, 1);
      holders.add(blocks.length == 0 ? Set.of() : Set.of(blocks[0].getHosts()));
    }
    List<BenchPlace> assigned = ReadAssignment.assign(places, holders, dataLocalShare, seed);
    List<DfsioTask> tasks = new ArrayList<>();
    for (int i = 0; i < written.size(); i++) {
      tasks.add(written.get(i).at(assigned.get(i), figures.get(i).checksum()));
    }
    return tasks;
  }
}
