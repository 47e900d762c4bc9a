package io.tierwise.hadoop.inspect.cluster;

import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.hadoop.inspect.policy.PolicyScopes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * The files below some paths, told as equal files: of each directory and policy their number and
 * mean size. Empty files are left out, and where there are very many directories the smallest.
 */
public final class StoredCensus {
  private static final int GROUPS_MAX = 1_000;
  private static final String STOCK = "network-aware";

  private final Map<Key, Sum> sums = new LinkedHashMap<>();
  private long unreadable;

  private record Key(String directory, String placement) {}

  private static final class Sum {
    long files;
    long bytes;
  }

  /**
   * Files of one directory under one policy.
   *
   * @param path the directory; of a second policy in it, a made-up one below it
   * @param placement a specification; HDFS's own order where no policy holds
   */
  public record Group(String path, int files, long bytesOfFile, String placement) {
    long bytes() {
      return files * bytesOfFile;
    }
  }

  private StoredCensus() {}

  /**
   * Walks all below the paths.
   *
   * @param remarks is told what is left out
   */
  public static List<Group> of(
      DistributedFileSystem fs, List<String> paths, TierConfiguration tiers, List<String> remarks)
      throws IOException {
    StoredCensus census = new StoredCensus();
    PolicyScopes scopes = new PolicyScopes(tiers);
    for (String path : NamespaceWalk.outermost(paths)) {
      Path parent = new Path(path).getParent();
      scopes.begin(
          parent == null
              ? Optional.empty()
              : PathPolicy.placementAttribute(
                  fs, parent, at -> remarks.add(unknownPolicy(at.toUri().getPath()))));
      try (NamespaceWalk walk = new NamespaceWalk(fs, false, census.new Counter(scopes))) {
        walk.walk(path);
      }
    }
    return census.groups(remarks);
  }

  private static String unknownPolicy(String directory) {
    return directory + " may not be read, and is taken for a directory without a policy";
  }

  private final class Counter implements NamespaceWalk.Visitor {
    private final PolicyScopes scopes;

    Counter(PolicyScopes scopes) {
      this.scopes = scopes;
    }

    @Override
    public void enter(String path, Map<String, byte[]> attributes) {
      scopes.enter(path, attributes);
    }

    @Override
    public void leave(String path) {
      scopes.leave(path);
    }

    @Override
    public void unreadable(String path, boolean directory) {
      unreadable++;
    }

    @Override
    public void file(String path, HdfsFileStatus status, Map<String, byte[]> attributes) {
      if (status.getLen() == 0) {
        return;
      }
      String placement =
          scopes
              .of(path, attributes)
              .map(PathPolicy::specification)
              .filter(text -> !text.strip().equals(PathPolicy.STOCK))
              .orElse(STOCK);
      Key key = new Key(path.substring(0, Math.max(1, path.lastIndexOf('/'))), placement);
      Sum sum = sums.computeIfAbsent(key, none -> new Sum());
      sum.files++;
      sum.bytes += status.getLen();
    }
  }

  private List<Group> groups(List<String> remarks) {
    List<Group> groups = new ArrayList<>();
    Map<String, Integer> seen = new LinkedHashMap<>();
    sums.forEach(
        (key, sum) -> {
          int number = seen.merge(key.directory(), 1, Integer::sum);
          String path = number == 1 ? key.directory() : key.directory() + "/policy-" + number;
          groups.add(
              new Group(path, Math.toIntExact(sum.files), sum.bytes / sum.files, key.placement()));
        });
    if (unreadable > 0) {
      remarks.add(Words.count(unreadable, "path") + " could not be read, and are left out");
    }
    if (groups.size() > GROUPS_MAX) {
      groups.sort(Comparator.comparingLong(Group::bytes).reversed());
      long bytes = groups.stream().skip(GROUPS_MAX).mapToLong(Group::bytes).sum();
      remarks.add(
          "the smallest of "
              + Words.count(groups.size(), "directory")
              + " are left out, with "
              + Words.bytes(bytes));
      return List.copyOf(groups.subList(0, GROUPS_MAX));
    }
    return groups;
  }
}
