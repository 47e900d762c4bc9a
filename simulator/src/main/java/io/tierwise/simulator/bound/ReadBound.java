package io.tierwise.simulator.bound;

import java.util.Arrays;

/**
 * The best that reads could reach that begin together, as TestDFSIO counts: all bytes by the sum of
 * all readers' times.
 *
 * @param bytesPerSecond with the best fractional assignment of readers to replicas ({@link
 *     FluidReads}): what an order of replicas is measured by, but no limit
 * @param limitBytesPerSecond what nothing exceeds that has these devices and links ({@link
 *     ReadLimit}); serving readers one after another is allowed, so it is far away for whoever
 *     shares fairly
 */
public record ReadBound(double bytesPerSecond, double limitBytesPerSecond) {
  /** Own: 60 readers of 4 blocks have 720, which take some 20 seconds; it grows with the cube. */
  public static final int REPLICAS_MAX = 800;

  /** Of at most {@link #REPLICAS_MAX} replicas of all readers' blocks. */
  public static ReadBound of(ReadProblem problem) {
    return new ReadBound(
        fluidBytesPerSecond(problem), perSecond(problem, ReadLimit.secondsUntilDone(problem)));
  }

  /** {@link #bytesPerSecond} alone, without the limit, which takes longer. */
  public static double fluidBytesPerSecond(ReadProblem problem) {
    return perSecond(problem, FluidReads.secondsUntilDone(problem));
  }

  private static double perSecond(ReadProblem problem, double[] seconds) {
    return problem.bytes() / Arrays.stream(seconds).sum();
  }
}
