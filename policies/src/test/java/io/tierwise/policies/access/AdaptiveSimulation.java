package io.tierwise.policies.access;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Reads of files on a made-up cluster: each arm has a mean in seconds per byte, each read takes a
 * log-normal multiple of it (mean 1, coefficient of variation {@value #NOISE}).
 *
 * <p>Regret here is exact, since the means are known: each read is charged the mean of the arm it
 * used, so luck does not count.
 */
final class AdaptiveSimulation {
  static final double NOISE = 0.4;
  static final long BLOCK_BYTES = 128 << 20;

  /** Means in seconds per 100 MB: dld, greedy, network-aware, balanced:50, hybrid. */
  static final double[] FAST_NETWORK = {1.0, 0.5, 1.3, 0.75, 0.6};

  /** The same on a slow network: reading remote fast storage is the worst. */
  static final double[] SLOW_NETWORK = {1.0, 2.4, 1.1, 1.7, 1.3};

  final AccessSession session;
  final double[] fixedArmSeconds;
  double adaptiveSeconds;
  double bestAtEachMomentSeconds;

  /** Reads of the last {@link #run} that used its best arm. */
  double bestArmShare;

  private final SplittableRandom random;

  AdaptiveSimulation(AdaptiveAccess strategy, long seed) {
    session = AccessSession.of(strategy);
    fixedArmSeconds = new double[strategy.arms().size()];
    random = new SplittableRandom(seed);
  }

  /** Reads {@code reads} blocks of {@code files} files, drawn at random. */
  void run(double[] armSeconds, int reads, int files) {
    double best = Arrays.stream(armSeconds).min().orElseThrow();
    int bestCount = 0;
    for (int i = 0; i < reads; i++) {
      long fileId = 1L + random.nextInt(files);
      AccessPick pick = session.pick(fileId);
      double mean = armSeconds[pick.arm()] * BLOCK_BYTES / 1e8;
      session.observe(fileId, pick, BLOCK_BYTES, mean * noise(), 0);
      adaptiveSeconds += mean;
      bestAtEachMomentSeconds += best * BLOCK_BYTES / 1e8;
      for (int arm = 0; arm < armSeconds.length; arm++) {
        fixedArmSeconds[arm] += armSeconds[arm] * BLOCK_BYTES / 1e8;
      }
      bestCount += armSeconds[pick.arm()] == best ? 1 : 0;
    }
    bestArmShare = (double) bestCount / reads;
  }

  private double noise() {
    double variance = Math.log1p(NOISE * NOISE);
    return Math.exp(random.nextGaussian() * Math.sqrt(variance) - variance / 2);
  }

  double bestFixedArmSeconds() {
    return Arrays.stream(fixedArmSeconds).min().orElseThrow();
  }

  AdaptiveState state() {
    return session.state().orElseThrow();
  }
}
