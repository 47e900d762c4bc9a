package io.tierwise.policies.placement;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.TierTable;

/**
 * Sums up the two zones of a policy, volume by volume, so that each host has the same sums. A zone
 * of several tiers counts as devices of their mean speed.
 */
public final class ZoneTotals {
  private static final int ZONES = 2;

  private final ZoneShares policy;
  private final TierTable tiers;
  private final int[] devices = new int[ZONES];
  private final double[] read = new double[ZONES];
  private final double[] write = new double[ZONES];
  private final double[] room = new double[ZONES];
  private final double[] there = new double[ZONES];

  /** Nothing was added yet; the policy has {@linkplain #requireShare a share to choose}. */
  public ZoneTotals(ZoneShares policy, TierTable tiers) {
    this.policy = policy;
    this.tiers = tiers;
    requireShare(policy);
  }

  /**
   * Refuses a policy of which no share can be chosen.
   *
   * @throws IllegalArgumentException one line
   */
  public static void requireShare(ZoneShares policy) {
    if (policy.zoneCount() != ZONES) {
      throw new IllegalArgumentException(
          policy.name() + " has " + policy.zoneCount() + " zones: a share is chosen between two");
    }
    if (!policy.countsOverDirectory()) {
      throw new IllegalArgumentException(
          policy.name()
              + " counts the blocks of each file, whose first one is always in the first zone:"
              + " write scope=directory");
    }
  }

  /** A volume in service; of a tier in no zone it says nothing. */
  public void volume(int tier, double roomBytes) {
    int zone = policy.zoneOfTier(tier);
    if (zone >= 0) {
      DeviceClass kind = tiers.tier(tier).deviceClass();
      devices[zone]++;
      read[zone] += kind.readBytesPerSecond();
      write[zone] += kind.writeBytesPerSecond();
      room[zone] += Math.max(0, roomBytes);
    }
  }

  /** A replica of the data set that a tier has. */
  public void replica(int tier, double bytes) {
    int zone = policy.zoneOfTier(tier);
    if (zone >= 0) {
      there[zone] += bytes;
    }
  }

  /** The zone, in the order of the specification. */
  public ShareByUse.Zone zone(int zone) {
    return new ShareByUse.Zone(
        policy.zoneName(zone, tiers),
        devices[zone],
        read[zone] / devices[zone],
        write[zone] / devices[zone],
        room[zone],
        there[zone]);
  }
}
