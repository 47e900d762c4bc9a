package io.tierwise.hadoop.secondary;

import io.tierwise.core.message.OperatorException;

/**
 * Limits of a run: its rate, and the room that it leaves.
 *
 * @param bytesPerSecondMax of what is read and written
 * @param keepFree of the place that files go to, the share that stays free
 */
public record SecondarySettings(long bytesPerSecondMax, double keepFree) {
  /** Own: a tenth of a 10 Gbit/s link. */
  public static final SecondarySettings DEFAULT = new SecondarySettings(100_000_000L, 0.05);

  /**
   * From options.
   *
   * @throws OperatorException when one makes no sense
   */
  public static SecondarySettings of(int megabytesPerSecond, double keepFreePercent) {
    OperatorException.requireAtLeast(1, "--bandwidth", megabytesPerSecond);
    if (!(keepFreePercent >= 0 && keepFreePercent < 100)) {
      throw OperatorException.badInput(
          "--keep-free " + keepFreePercent + " is no share: give 0 or more, and less than 100");
    }
    return new SecondarySettings(megabytesPerSecond * 1_000_000L, keepFreePercent / 100);
  }
}
