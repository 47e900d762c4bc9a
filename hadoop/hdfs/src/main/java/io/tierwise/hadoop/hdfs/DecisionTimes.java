package io.tierwise.hadoop.hdfs;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long policies take to answer one question of a host, by their classes: a path's settings make
 * no policy slow, its code does, and users cannot make up classes.
 */
public final class DecisionTimes {
  /**
   * A question of a host.
   *
   * @param task completes "took 60 ms to ..."
   * @param instead what happens when a class is too slow
   * @param slowNanosMax that slow decisions of a class may take of each minute
   */
  public record Question(String task, String instead, long slowNanosMax) {}

  /**
   * Clock and log; a test gives its own.
   *
   * @param log where slow classes are told of
   */
  record Sources(Logger log, LongSupplier clockNanos) {}

  private final Question question;
  private final Sources sources;
  private final Map<Class<?>, ClassTimes> times = new ConcurrentHashMap<>();

  public DecisionTimes(Question question) {
    this(question, new Sources(LoggerFactory.getLogger(DecisionTimes.class), CoarseClock::nanos));
  }

  DecisionTimes(Question question, Sources sources) {
    this.question = question;
    this.sources = sources;
  }

  /** Looks at what runs: a decision that hangs is told of though nobody asks for another. */
  public void look() {
    times.values().forEach(ClassTimes::mayDecide);
  }

  /** Those of a class. */
  public ClassTimes of(Class<?> policy) {
    ClassTimes known = times.get(policy);
    return known != null
        ? known
        : times.computeIfAbsent(
            policy, added -> new ClassTimes(added.getName(), question, sources));
  }

  /** Time that decisions took, by class. */
  public Map<String, Double> seconds() {
    Map<String, Double> sums = new TreeMap<>();
    times.forEach((policy, taken) -> sums.merge(policy.getName(), taken.seconds(), Double::sum));
    return sums;
  }

  /** Decisions that were slow, by class. */
  public Map<String, Long> slow() {
    Map<String, Long> sums = new TreeMap<>();
    times.forEach((policy, taken) -> sums.merge(policy.getName(), taken.slowCount(), Long::sum));
    return sums;
  }
}
