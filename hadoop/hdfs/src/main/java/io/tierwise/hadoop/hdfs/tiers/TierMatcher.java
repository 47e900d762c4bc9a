package io.tierwise.hadoop.hdfs.tiers;

import io.tierwise.core.cluster.TierTable;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.StorageType;

/** Finds the tier of a volume. Immutable, safe for many threads. */
public final class TierMatcher {
  private final List<TierMatch> matches;

  /**
   * @param matches one a tier, in the order of the tier table
   */
  TierMatcher(List<TierMatch> matches) {
    this.matches = List.copyOf(matches);
  }

  /**
   * The volume's tier: the first, that is the fastest, that accepts it, or {@link TierTable#NONE}.
   * Whether a second one accepts it too is told by {@link #tiersOf}.
   *
   * @param networkLocation the node's rack path
   * @param hostName the node's host name; null when unknown
   * @param storageId null when unknown
   */
  public int tierOf(StorageType type, String networkLocation, String hostName, String storageId) {
    return tierOf(new TierMatch.Volume(type, networkLocation, hostName, null, storageId));
  }

  /** As above, for a volume whose node's address is known too. */
  public int tierOf(TierMatch.Volume volume) {
    for (int tier = 0; tier < matches.size(); tier++) {
      if (matches.get(tier).accepts(volume)) {
        return tier;
      }
    }
    return TierTable.NONE;
  }

  /**
   * The tier of a volume of which something is not known (null): the first tier that accepts it, or
   * {@link TierTable#NONE} when an earlier one might. So it is never given to the next tier only
   * because nobody here knows its rack, its address or its id.
   */
  public int tierOfPartlyKnown(TierMatch.Volume volume) {
    return undecided(volume) == TierTable.NONE ? tierOf(volume) : TierTable.NONE;
  }

  /**
   * The tier that accepts the volume or not, by what is not known of it, and comes before all that
   * accept it; else {@link TierTable#NONE}.
   */
  public int undecided(TierMatch.Volume volume) {
    for (int tier = 0; tier < matches.size(); tier++) {
      if (matches.get(tier).accepts(volume)) {
        return TierTable.NONE;
      }
      if (matches.get(tier).mayAccept(volume)) {
        return tier;
      }
    }
    return TierTable.NONE;
  }

  /** All tiers that accept the volume; more than one is a mistake in the tier table. */
  public List<Integer> tiersOf(TierMatch.Volume volume) {
    List<Integer> tiers = new ArrayList<>();
    for (int tier = 0; tier < matches.size(); tier++) {
      if (matches.get(tier).accepts(volume)) {
        tiers.add(tier);
      }
    }
    return tiers;
  }

  public TierMatch match(int tier) {
    return matches.get(tier);
  }
}
