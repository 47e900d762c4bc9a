package io.tierwise.hadoop.conformance;

import java.util.Set;

/**
 * Tests of one class of which a cause is written down.
 *
 * @param stockFailures fail on stock
 * @param differences pass on stock and fail with the plug-ins, for a cause that lies in the test
 */
public record KnownCauses(Set<String> stockFailures, Set<String> differences) {

  /** A class without any. */
  public static final KnownCauses NONE = new KnownCauses(Set.of(), Set.of());
}
