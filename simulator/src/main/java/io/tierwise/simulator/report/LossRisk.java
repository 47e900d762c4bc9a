package io.tierwise.simulator.report;

/**
 * The risk that a day's failures destroy all replicas of some block.
 *
 * <p>P(loss) = 1 - Σ_f C(n,f) p^f (1-p)^(n-f) · (1 - C(f,r) / C(n,r))^b, with n machines, r
 * replicas, b blocks, and p = 1 - exp(-1 day / MTBF) the probability that a machine fails in a day.
 *
 * <p>Source: DerbyhatS, Eq. 5.3-5.6, MTBF 3 years. Deviation: b stays a parameter; the printed
 * table is the limit of many blocks.
 */
public final class LossRisk {
  /** Source: DerbyhatS 5.3.7. */
  private static final double NODE_MTBF_DAYS = 3 * 365.0;

  private static final double NEGLIGIBLE = 1e-18;

  private LossRisk() {}

  /** The probability of losing any of {@code blocks} blocks in a day. */
  public static double ofDay(int nodes, int replicas, double blocks) {
    return ofDay(nodes, replicas, blocks, 1 - Math.exp(-1 / NODE_MTBF_DAYS));
  }

  static double ofDay(int nodes, int replicas, double blocks, double failure) {
    if (nodes < 1 || replicas < 1 || blocks <= 0) {
      return 0;
    }
    double loss = 0;
    double logAll = 0;
    for (int i = 0; i < replicas; i++) {
      logAll += Math.log(nodes - i);
    }
    // log of C(n,f) p^f (1-p)^(n-f), from f = 0 on.
    double logFailures = nodes * Math.log1p(-failure);
    for (int failed = 0; failed <= nodes; failed++) {
      if (failed >= replicas) {
        double logHit = -logAll;
        for (int i = 0; i < replicas; i++) {
          logHit += Math.log(failed - i);
        }
        double someBlockLost = -Math.expm1(blocks * Math.log1p(-Math.min(1, Math.exp(logHit))));
        double chance = Math.exp(logFailures);
        loss += chance * someBlockLost;
        if (chance < NEGLIGIBLE && failed > nodes * failure) {
          break;
        }
      }
      logFailures +=
          Math.log((double) (nodes - failed) / (failed + 1)) + Math.log(failure / (1 - failure));
    }
    return loss;
  }
}
