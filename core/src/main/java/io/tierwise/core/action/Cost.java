package io.tierwise.core.action;

/**
 * The price of an action, as a vector: what is cheap for a device may be dear for a link.
 *
 * @param writtenBytes on devices, as many as are read
 * @param networkBytes between two nodes; 0 inside one
 * @param storedBytes that the cluster holds more afterwards; below 0: fewer
 * @param seconds on devices that do nothing else; {@link Double#NaN} when nobody measured one of
 *     them
 * @param joules that devices draw more than when they are idle; {@link Double#NaN} when nobody told
 *     the power of one of them, or measured its speed
 */
public record Cost(
    long writtenBytes, long networkBytes, long storedBytes, double seconds, double joules) {
  /** Nothing besides what the host does anyway. */
  public static final Cost NONE = new Cost(0, 0, 0, 0, 0);

  /** A cost of bytes alone: nobody knows what the host will do for them. */
  public static Cost ofBytes(long writtenBytes, long networkBytes, long storedBytes) {
    return new Cost(writtenBytes, networkBytes, storedBytes, Double.NaN, Double.NaN);
  }
}
