package io.tierwise.policies.cost;

/**
 * A cost in five currencies that are not exchanged for each other. Less is better in each.
 *
 * @param seconds of time, for example a makespan
 * @param joules of energy
 * @param dollars of money
 * @param wear share of the endurance of the devices written to that is used up; 1 is worn out
 * @param risk probability of losing data, from 0 to 1
 */
public record CostVector(double seconds, double joules, double dollars, double wear, double risk) {
  /** Nothing. */
  public static final CostVector ZERO = new CostVector(0, 0, 0, 0, 0);

  public CostVector {
    Require.notNegative("seconds", seconds);
    Require.notNegative("joules", joules);
    Require.notNegative("dollars", dollars);
    Require.notNegative("wear", wear);
    Require.probability("risk", risk);
  }

  /**
   * The cost of one thing after the other.
   *
   * <p>Own: the two lose data independently, so that the risk of both is 1 - (1 - a)(1 - b).
   */
  public CostVector plus(CostVector other) {
    return new CostVector(
        seconds + other.seconds,
        joules + other.joules,
        dollars + other.dollars,
        wear + other.wear,
        risk + other.risk - risk * other.risk);
  }

  /** Whether this is as good in every currency and better in at least one: the other can go. */
  public boolean dominates(CostVector other) {
    boolean noneWorse =
        seconds <= other.seconds
            && joules <= other.joules
            && dollars <= other.dollars
            && wear <= other.wear
            && risk <= other.risk;
    return noneWorse && !equals(other);
  }
}
