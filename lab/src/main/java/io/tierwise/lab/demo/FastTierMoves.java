package io.tierwise.lab.demo;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import io.tierwise.hadoop.mover.MoveOrder;
import io.tierwise.hadoop.mover.Mover;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverJob;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.lab.dfsio.DfsioTask;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Brings files of one block to the fastest tier and back to the slowest one, by the mover, and
 * knows which are there as the NameNode says it.
 */
final class FastTierMoves {
  private static final int REPLICAS = 3;

  /**
   * Of a block with a replica too many HDFS drops one of a type that the file's storage policy does
   * not want: under HOT, its default, the one on an SSD.
   */
  private static final HdfsConstants.StoragePolicy KEEPS_FAST = HdfsConstants.StoragePolicy.ONE_SSD;

  private static final HdfsConstants.StoragePolicy KEEPS_DISKS = HdfsConstants.StoragePolicy.HOT;

  private static final long POLL_MILLIS = 20;
  private static final long SETTLE_NANOS_MAX = 120_000_000_000L;

  private final DistributedFileSystem fs;
  private final MoverCluster known;
  private final TierConfiguration tiers;
  private final List<DfsioTask> files;
  private final Journal journal;
  private Set<Integer> there = Set.of();

  /**
   * The result of moves.
   *
   * @param seconds until HDFS had dropped the old replicas, too
   * @param left what should have moved and stayed, with the reason
   */
  record Moved(double seconds, long replicas, long bytes, List<MoverReport.Left> left) {
    static final Moved NOTHING = new Moved(0, 0, 0, List.of());

    Moved {
      left = List.copyOf(left);
    }

    /** How many replicas stayed. */
    long leftReplicas() {
      return left.stream().mapToLong(each -> each.amount().replicas()).sum();
    }
  }

  FastTierMoves(DistributedFileSystem fs, Configuration conf, List<DfsioTask> files, Path directory)
      throws IOException {
    this.fs = fs;
    this.files = files;
    known = MoverCluster.of(fs, conf);
    tiers = known.tiers();
    journal = new Journal(directory.resolve("journal"));
  }

  /** Files with a replica in the fastest tier, after the last moves. */
  Set<Integer> there() {
    return there;
  }

  /** Makes a change; files that leave go first, the others need their room. */
  Moved make(FastTierPilot.Change change) throws IOException, InterruptedException {
    if (change.in().isEmpty() && change.out().isEmpty()) {
      return Moved.NOTHING;
    }
    long start = System.nanoTime();
    String fast = tiers.table().tier(0).name();
    String slow = tiers.table().tier(tiers.table().count() - 1).name();
    List<MoverReport> reports = new ArrayList<>();
    if (!change.out().isEmpty()) {
      reports.add(move(REPLICAS + " x " + slow, KEEPS_DISKS, change.out()));
    }
    if (!change.in().isEmpty()) {
      String layout = "1 x " + fast + " + " + (REPLICAS - 1) + " x any";
      reports.add(move(layout, KEEPS_FAST, change.in()));
    }
    settle(files);
    look();
    return new Moved(
        (System.nanoTime() - start) / 1e9,
        reports.stream().mapToLong(report -> report.moved().replicas()).sum(),
        reports.stream().mapToLong(report -> report.moved().bytes()).sum(),
        reports.stream().flatMap(report -> report.left().stream()).toList());
  }

  private MoverReport move(
      String layout, HdfsConstants.StoragePolicy keeping, List<Integer> numbers)
      throws IOException {
    Map<String, Long> ids = new LinkedHashMap<>();
    Map<String, String> policies = new HashMap<>();
    for (int number : numbers) {
      String path = files.get(number).path();
      policies.put(path, keeping.name());
      ids.put(path, fs.getClient().getFileInfo(path).getFileId());
    }
    List<String> paths = List.copyOf(ids.keySet());
    MoveOrder order = MoveOrder.to(layout, paths, tiers).only(ids).under(policies);
    // Small blocks stand for large ones here, which come to few moves a second.
    try (Mover mover = Mover.open(known, MoverSettings.DEFAULT.atMovesPerSecond(0));
        JournalRun run = journal.begin("demo popularity", fs, paths, layout, null)) {
      MoverReport report =
          MoverJob.of(known, order).run(mover.writingTo(run), run, Listener.Step.SILENT);
      run.append(report.journalEnd(0, List.of()));
      return report;
    }
  }

  /** Waits until each block has its replicas and no other that HDFS has yet to drop. */
  void settle(List<DfsioTask> which) throws IOException, InterruptedException {
    long start = System.nanoTime();
    for (DfsioTask file : which) {
      while (block(file).getLocations().length != REPLICAS) {
        if (System.nanoTime() - start > SETTLE_NANOS_MAX) {
          throw new IOException(
              file.path() + " has " + block(file).getLocations().length + " replicas for long");
        }
        Thread.sleep(POLL_MILLIS);
      }
    }
  }

  private void look() throws IOException {
    Set<Integer> found = new TreeSet<>();
    for (DfsioTask file : files) {
      LocatedBlock block = block(file);
      for (int i = 0; i < block.getLocations().length; i++) {
        TierMatch.Volume volume =
            TierMatch.Volume.of(
                block.getStorageTypes()[i], block.getLocations()[i], block.getStorageIDs()[i]);
        if (tiers.matcher().tierOf(volume) == 0) {
          found.add(file.index());
        }
      }
    }
    there = found;
  }

  /** Asked for as the mover asks: the audit log does not tell of it as of a read. */
  private LocatedBlock block(DfsioTask file) throws IOException {
    return fs.getClient().getLocatedFileInfo(file.path(), false).getLocatedBlocks().get(0);
  }

  /** Bytes of all replicas. */
  long storedBytes() throws IOException {
    long bytes = 0;
    for (DfsioTask file : files) {
      bytes += block(file).getLocations().length * file.bytes();
    }
    return bytes;
  }
}
