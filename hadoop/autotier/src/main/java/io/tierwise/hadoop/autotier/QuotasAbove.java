package io.tierwise.hadoop.autotier;

import io.tierwise.core.cluster.Tier;
import io.tierwise.hadoop.inspect.cluster.FailureText;
import io.tierwise.hadoop.mover.MoverCluster;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;

/**
 * Refuses replicas on a storage type of which a directory above has a quota that HDFS does not
 * charge for them: it charges by a file's storage policy, when a block is allocated. For many
 * threads.
 */
final class QuotasAbove {
  private final MoverCluster cluster;
  private final LimitedTypes limited;

  QuotasAbove(MoverCluster cluster) {
    this.cluster = cluster;
    limited = new LimitedTypes(cluster);
  }

  /** The reason why the file gets no replica in the tier; empty when it may. */
  Optional<String> refuse(String path, Tier tier) throws IOException {
    Set<StorageType> types = EnumSet.allOf(StorageType.class);
    Set<StorageType> ofTier = cluster.tiers().matcher().match(tier.index()).storageTypes();
    if (!ofTier.isEmpty()) {
      types.retainAll(ofTier);
    }
    String question =
        "whether a directory above has a quota of "
            + (ofTier.isEmpty() ? "a storage type" : names(types));
    try {
      types.retainAll(limited.above(new Path(path).getParent().toString()));
      return types.isEmpty() ? Optional.empty() : uncharged(path, types);
    } catch (TimeoutException e) {
      return Optional.of("HDFS has not answered yet " + question);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      String why =
          FailureText.line(
              FailureText.cause(cause instanceof UncheckedIOException ? cause.getCause() : cause));
      return Optional.of("it is not known " + question + ": " + why);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("stopped");
    }
  }

  private Optional<String> uncharged(String path, Set<StorageType> types) throws IOException {
    BlockStoragePolicy policy;
    try {
      policy = (BlockStoragePolicy) cluster.fs().getStoragePolicy(new Path(path));
    } catch (FileNotFoundException e) {
      return Optional.empty(); // It was deleted just now, which is seen when it is moved.
    }
    for (StorageType charged : policy.getStorageTypes()) {
      types.remove(charged);
    }
    return types.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "a directory above has a quota of "
                + names(types)
                + ", which HDFS does not charge for files under "
                + policy.getName());
  }

  private static String names(Set<StorageType> types) {
    return types.stream().map(StorageType::name).collect(Collectors.joining(", "));
  }
}
