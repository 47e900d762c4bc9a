package io.tierwise.policies.movement;

/**
 * Which of a job's data is in the fast tier: its input, its intermediate data, both or neither.
 *
 * <p>Source: DerbyhatS, Table 6.3. Those that use more of the fast tier come later.
 */
public enum StorageConfiguration {
  /** Config-1: all in the slow tier. */
  ALL_SLOW(1, false, false),
  /** Config-4: nothing has to be moved for it. */
  FAST_INTERMEDIATE(4, false, true),
  /** Config-3. */
  FAST_INPUT(3, true, false),
  /** Config-2: all in the fast tier. */
  ALL_FAST(2, true, true);

  private final int number;
  private final boolean input;
  private final boolean intermediate;

  StorageConfiguration(int number, boolean input, boolean intermediate) {
    this.number = number;
    this.input = input;
    this.intermediate = intermediate;
  }

  /** Its number in Table 6.3. */
  public int number() {
    return number;
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
