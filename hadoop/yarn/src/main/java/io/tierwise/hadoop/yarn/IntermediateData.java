package io.tierwise.hadoop.yarn;

import io.tierwise.hadoop.yarn.LocalDirectories.Choice;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.util.MBeans;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives each container the local directories of the tier that its application asks for. Whatever
 * goes wrong here stays here: the container then has all of them, as without the plug-in.
 */
final class IntermediateData implements TierwiseIntermediateMXBean {
  private static final Logger LOG = LoggerFactory.getLogger(IntermediateData.class);
  private static final int TOLD_MAX = 1_000;

  private final LocalDirectories directories;
  private final Map<String, LongAdder> onTier = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> noRoom = new ConcurrentHashMap<>();
  private final LongAdder unknown = new LongAdder();
  private final LongAdder failures = new LongAdder();

  /** Tiers that were told of, until they are used again. */
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  IntermediateData(LocalDirectories directories) {
    this.directories = directories;
    for (String tier : directories.tiers()) {
      onTier.put(tier, new LongAdder());
      noRoom.put(tier, new LongAdder());
    }
  }

  /** Begins, and shows itself by JMX. */
  static IntermediateData start(Configuration conf) {
    IntermediateData started = new IntermediateData(LocalDirectories.of(conf, LOG::warn));
    LOG.info(
        "Tierwise puts intermediate data on the tiers {}; usual is {}",
        started.directories.tiers(),
        started.directories.usual().isEmpty() ? "any directory" : started.directories.usual());
    ObjectName shown = MBeans.register("NodeManager", "TierwiseIntermediate", started);
    if (shown == null) {
      LOG.warn("Tierwise's bean TierwiseIntermediate of this NodeManager is not shown by JMX");
    }
    return started;
  }

  /** Narrows the local directories in a container's environment. */
  void narrow(Map<String, String> environment) {
    String all = environment.get(Environment.LOCAL_DIRS.name());
    if (all == null) {
      return;
    }
    try {
      Choice choice = directories.choose(all, environment.get(LocalDirectories.VARIABLE));
      count(choice);
      environment.put(Environment.LOCAL_DIRS.name(), choice.directories());
    } catch (RuntimeException e) {
      failures.increment();
      LOG.warn("A container has all local directories, for an error of Tierwise's: {}", e, e);
    }
  }

  private void count(Choice choice) {
    String tier = choice.tier();
    switch (choice.outcome()) {
      case NOT_ASKED -> {}
      case ON_TIER -> {
        onTier.get(tier).increment();
        told.remove(tier);
      }
      case NO_ROOM -> {
        noRoom.get(tier).increment();
        tellOnce(
            tier,
            "No local directory of the tier "
                + tier
                + " is good and has room: containers get all directories until one has");
      }
      case UNKNOWN_TIER -> {
        unknown.increment();
        tellOnce(
            tier,
            "An application asks for the tier '"
                + printable(tier)
                + "' by "
                + LocalDirectories.VARIABLE
                + ", but there is no "
                + LocalDirectories.DIRECTORIES_KEY
                + printable(tier)
                + ": its containers get all directories");
      }
    }
  }

  /** The name comes from an application: no line of its own in the log, and no endless one. */
  private static String printable(String tier) {
    String plain = tier.replaceAll("[^\\x20-\\x7e]", "?");
    return plain.length() > 40 ? plain.substring(0, 40) + "..." : plain;
  }

  private void tellOnce(String tier, String line) {
    if (told.size() < TOLD_MAX && told.add(tier)) {
      LOG.warn(line);
    }
  }

  private static Map<String, Long> sums(Map<String, LongAdder> adders) {
    Map<String, Long> sums = new TreeMap<>();
    adders.forEach((tier, adder) -> sums.put(tier, adder.sum()));
    return sums;
  }

  @Override
  public Map<String, Long> getContainersOnTier() {
    return sums(onTier);
  }

  @Override
  public Map<String, Long> getContainersWithoutRoom() {
    return sums(noRoom);
  }

  @Override
  public long getContainersOfUnknownTier() {
    return unknown.sum();
  }

  @Override
  public long getFailures() {
    return failures.sum();
  }
}
