package io.tierwise.simulator.storage;

import io.tierwise.core.view.FileView;
import io.tierwise.policies.placement.PlacementPolicy;
import java.util.IdentityHashMap;

/**
 * The policies that files are under, and the number of each new block in its data set. Files that
 * share a policy which counts over a directory are one data set, as on a NameNode those below the
 * directory that carries it; for other policies a data set is a part of a file.
 */
public final class FilePolicies {
  private final IdentityHashMap<PlacementPolicy, Long> numbered = new IdentityHashMap<>();
  private PlacementPolicy usual;

  /**
   * @param usual of files without one of their own
   */
  FilePolicies(PlacementPolicy usual) {
    this.usual = usual;
  }

  /** The policy that a file is under: its own, or that of the whole cluster. */
  public PlacementPolicy of(StoredFile file) {
    return file.policy().orElse(usual);
  }

  /** The policy of files without one of their own. */
  public PlacementPolicy usual() {
    return usual;
  }

  /** Puts files without a policy of their own under another one, which numbers their blocks on. */
  public void replaceUsual(PlacementPolicy policy) {
    Long count = numbered.remove(usual);
    if (count != null) {
      numbered.put(policy, count);
    }
    usual = policy;
  }

  /**
   * A block's file as its policy may know it, and the number of the block. Where it has replicas,
   * others go where these are, whatever its number.
   */
  FileView view(StoredFile file, int index, int replicas) {
    PlacementPolicy policy = of(file);
    long number =
        policy.countsOverDirectory() && replicas == 0
            ? numbered.merge(policy, 1L, Long::sum) - 1
            : file.indexInPart(index);
    return new FileView(file.fileIdOf(index), number, file.replication());
  }
}
