package io.tierwise.hadoop.mover.shuffle;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The rates at which hosts send map output, from what their NodeManagers have counted by two
 * moments. Not for many threads.
 *
 * <p>r = (b2 - b1) / (t2 - t1): bytes a second; b counts, t moments. Nothing is known of a
 * NodeManager that has told once, and of one that started again between the two.
 */
final class SendRates {
  private final Map<String, Count> counts = new HashMap<>();

  private record Count(long bytes, long nanos) {}

  /**
   * The answer of a NodeManager.
   *
   * @param names by which DataNodes may know its host
   */
  record Told(String id, Set<String> names, long bytes, long nanos) {}

  /** How hosts are compared by name. */
  static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /**
   * Learns a round of answers. A NodeManager that is listed and does not answer is not forgotten:
   * its next answer tells the mean since its last one.
   *
   * @param listed all NodeManagers that there are
   * @return bytes a second by each name of each host that sends
   */
  Map<String, Double> learn(Set<String> listed, List<Told> answers) {
    Map<String, Double> rates = new HashMap<>();
    counts.keySet().retainAll(listed);
    for (Told told : answers) {
      Count before = counts.put(told.id(), new Count(told.bytes(), told.nanos()));
      if (before != null && told.bytes() > before.bytes() && told.nanos() > before.nanos()) {
        double seconds = (told.nanos() - before.nanos()) / 1e9;
        double rate = (told.bytes() - before.bytes()) / seconds;
        told.names().forEach(name -> rates.merge(key(name), rate, Double::sum));
      }
    }
    return rates;
  }
}
