package io.tierwise.policies.access;

import io.tierwise.core.view.ReadView;
import io.tierwise.policies.text.SpecWriter;
import java.util.random.RandomGenerator;

/**
 * The fastest replica's node first; when its device has too many readers it refuses, and the local
 * replica follows whatever its tier, then the others, nearest first. Each later block asks the fast
 * node again.
 *
 * <p>Source: access strategies, sections III-A.2 (SBD), III-B (Storage Monitor, T_r) and IV-B. Own:
 * T_r defaults to the number of readers at which the tier's throughput was measured to peak.
 *
 * @param threshold T_r: readers that saturate a device, or {@link Admission#MEASURED}
 */
public record StorageBandwidthDrivenAccess(int threshold) implements AccessStrategy {
  static final String NAME = "sbd";
  static final StorageBandwidthDrivenAccess DEFAULT =
      new StorageBandwidthDrivenAccess(Admission.MEASURED);

  public StorageBandwidthDrivenAccess {
    if (threshold < 0 || threshold > Admission.THRESHOLD_MAX) {
      throw new IllegalArgumentException(
          "threshold " + threshold + " is outside 1-" + Admission.THRESHOLD_MAX);
    }
  }

  @Override
  public String name() {
    return SpecWriter.of(NAME).add("threshold", threshold, DEFAULT.threshold).toString();
  }

  @Override
  public Admission admission() {
    return new Admission(Admission.Limit.STORAGE_READERS, threshold);
  }

  @Override
  public AfterRefusal afterRefusal() {
    return AfterRefusal.ASK_AGAIN;
  }

  @Override
  public AccessReason order(
      AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
    NetworkBandwidthDrivenAccess.orderFastThenNearest(view, order);
    return view.replicaCount() <= 1 ? AccessReason.ONLY_REPLICA : AccessReason.FASTEST_TIER;
  }
}
