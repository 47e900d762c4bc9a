package io.tierwise.policies.movement;

/**
 * Which of a job's data is in the fast tier: its input, its intermediate data, both or neither.
 *
 * <p>Source: DerbyhatS, Table 6.3. Those that use more of the fast tier come later.
 */
public enum StorageConfiguration {
  /** Config-1: all in the slow tier. */
  ALL_SLOW(false, false),
  /** Config-4: nothing has to be moved for it. */
  FAST_INTERMEDIATE(false, true),
  /** Config-3. */
  FAST_INPUT(true, false),
  /** Config-2: all in the fast tier. */
  ALL_FAST(true, true);

  private final boolean input;
  private final boolean intermediate;

  StorageConfiguration(boolean input, boolean intermediate) {
    this.input = input;
    this.intermediate = intermediate;
  }

  /** Whether the input is in the fast tier. */
  public boolean hasFastInput() {
    return input;
  }

  /** Whether the intermediate data is. */
  public boolean hasFastIntermediate() {
    return intermediate;
  }
}
