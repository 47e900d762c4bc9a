package io.tierwise.hadoop.hdfs.topology;

import io.tierwise.core.view.ReadView;
import io.tierwise.policies.access.AccessReason;
import io.tierwise.policies.access.AccessRequest;
import io.tierwise.policies.access.AccessStrategy;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Leaves replicas in the order that it is given: for strategies that fail at something else. */
public interface AsListed extends AccessStrategy {
  @Override
  default AccessReason order(
      AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
    Arrays.setAll(order, i -> i);
    return AccessReason.NEAREST;
  }
}
