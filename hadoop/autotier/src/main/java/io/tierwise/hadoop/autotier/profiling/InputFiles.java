package io.tierwise.hadoop.autotier.profiling;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import io.tierwise.hadoop.mover.MoverCluster;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * The files that an application reads, as they were found.
 *
 * @param ids by path, by number of replicas
 */
record InputFiles(Map<Integer, Map<String, Long>> ids, int count, long bytes) {
  /** Own: input to profile with is a sample; each file costs a few calls. */
  private static final int COUNT_MAX = 100_000;

  /**
   * All below paths.
   *
   * @throws OperatorException when nothing is there to read
   */
  static InputFiles below(MoverCluster cluster, List<String> paths) throws IOException {
    Map<Integer, Map<String, Long>> ids = new TreeMap<>();
    Map<String, Long> sizes = new LinkedHashMap<>();
    for (String path : paths) {
      RemoteIterator<LocatedFileStatus> files = cluster.fs().listFiles(new Path(path), true);
      while (files.hasNext()) {
        LocatedFileStatus file = files.next();
        if (file.getLen() > 0 && file instanceof HdfsLocatedFileStatus known) {
          String plain = file.getPath().toUri().getPath();
          ids.computeIfAbsent((int) file.getReplication(), each -> new LinkedHashMap<>())
              .put(plain, known.getFileId());
          sizes.put(plain, file.getLen());
        }
        if (sizes.size() > COUNT_MAX) {
          throw OperatorException.badInput(
              "--input has more than " + COUNT_MAX + " files: profile with a part of it");
        }
      }
    }
    if (sizes.isEmpty()) {
      throw OperatorException.badInput("--input " + paths + " has no file with any bytes");
    }
    long bytes = sizes.values().stream().mapToLong(Long::longValue).sum();
    return new InputFiles(ids, sizes.size(), bytes);
  }

  /** Bytes of replicas that are in another tier than that one. */
  long bytesOutside(MoverCluster cluster, int tier) throws IOException {
    long outside = 0;
    for (Map<String, Long> files : ids.values()) {
      for (String path : files.keySet()) {
        for (LocatedBlock block : blocks(cluster, path)) {
          outside += block.getBlockSize() * replicasOutside(cluster, block, tier);
        }
      }
    }
    return outside;
  }

  /** Not by the call that readers make: logs would have reads of the file that nobody made. */
  private static List<LocatedBlock> blocks(MoverCluster cluster, String path) throws IOException {
    HdfsLocatedFileStatus file = cluster.fs().getClient().getLocatedFileInfo(path, false);
    if (file == null || file.getLocatedBlocks() == null) {
      throw new FileNotFoundException(path + " of --input was deleted meanwhile");
    }
    return file.getLocatedBlocks().getLocatedBlocks();
  }

  private static int replicasOutside(MoverCluster cluster, LocatedBlock block, int tier) {
    int outside = 0;
    for (int i = 0; i < block.getLocations().length; i++) {
      TierMatch.Volume volume =
          TierMatch.Volume.of(
              block.getStorageTypes()[i], block.getLocations()[i], block.getStorageIDs()[i]);
      outside += cluster.tiers().matcher().tiersOf(volume).contains(tier) ? 0 : 1;
    }
    return outside;
  }
}
