package io.tierwise.hadoop.yarn;

import io.tierwise.hadoop.yarn.LocalDirectories.Choice;
import java.io.IOException;
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
  private static final int UNKNOWN_TOLD_MAX = 100;
  private static final int NAME_MAX = 40;

  private final LocalDirectories directories;

  /** Null where there is nobody to tell. */
  private final ToldTiers told;

  private final Map<String, LongAdder> onTier = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> noRoom = new ConcurrentHashMap<>();
  private final LongAdder unknown = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder unheard = new LongAdder();

  /** Tiers whose lack of room was told, until they are used again. */
  private final Set<String> toldFull = ConcurrentHashMap.newKeySet();

  private final Set<String> toldUnknown = ConcurrentHashMap.newKeySet();

  IntermediateData(LocalDirectories directories, ToldTiers told) {
    this.directories = directories;
    this.told = told;
    for (String tier : directories.tiers()) {
      onTier.put(tier, new LongAdder());
      noRoom.put(tier, new LongAdder());
    }
  }

  /** Begins, and shows itself by JMX; null when it cannot. */
  static IntermediateData start(Configuration conf) {
    try {
      return begun(conf);
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("Containers have all local directories, for an error of Tierwise's: {}", e, e);
      return null;
    }
  }

  private static IntermediateData begun(Configuration conf) {
    IntermediateData started =
        new IntermediateData(LocalDirectories.of(conf, LOG::warn), ToldTiers.of(conf));
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
      Choice choice = directories.choose(all, wanted(environment));
      count(choice);
      environment.put(Environment.LOCAL_DIRS.name(), choice.directories());
    } catch (RuntimeException e) {
      if (failures.sum() == 0) {
        LOG.warn(
            "A container has all local directories, for an error of Tierwise's; further ones are"
                + " counted silently",
            e);
      }
      failures.increment();
    }
  }

  /** An application's own wish comes first. */
  private String wanted(Map<String, String> environment) {
    String own = environment.get(LocalDirectories.VARIABLE);
    String container = environment.get(Environment.CONTAINER_ID.name());
    if (told == null || container == null || (own != null && !own.isBlank())) {
      return own;
    }
    try {
      String tier = told.tier(container).strip();
      if (tier.isEmpty() || directories.tiers().contains(tier)) {
        return tier;
      }
      // The application did not ask, so it should be no worse off than without an answer.
      unknown.increment();
      tellUnknown(printable(tier), "the usual directories");
      return null;
    } catch (IOException e) {
      if (unheard.sum() == 0) {
        LOG.warn(
            "HDFS does not say which tier containers' intermediate data goes to: they get the usual"
                + " directories; further times are counted silently ({}: {})",
            ToldTiers.DIRECTORY_KEY,
            e.getMessage());
      }
      unheard.increment();
      return null;
    }
  }

  private void count(Choice choice) {
    String tier = choice.tier();
    switch (choice.outcome()) {
      case NOT_ASKED -> {}
      case ON_TIER -> {
        onTier.get(tier).increment();
        toldFull.remove(tier);
      }
      case NO_ROOM -> {
        noRoom.get(tier).increment();
        if (toldFull.add(tier)) {
          LOG.warn(
              "No local directory of the tier {} is good and has room: containers get all"
                  + " directories until one has",
              tier);
        }
      }
      case UNKNOWN_TIER -> {
        unknown.increment();
        tellUnknown(printable(tier), "all directories");
      }
    }
  }

  private void tellUnknown(String name, String instead) {
    if (toldUnknown.size() < UNKNOWN_TOLD_MAX && toldUnknown.add(name)) {
      LOG.warn(
          "An application is to have the tier '{}' (by {} or {}), but there is no {}{}: its"
              + " containers get {}",
          name,
          LocalDirectories.VARIABLE,
          ToldTiers.DIRECTORY_KEY,
          LocalDirectories.DIRECTORIES_KEY,
          name,
          instead);
    }
  }

  /** The name comes from an application: no line of its own in the log, and no endless one. */
  private static String printable(String tier) {
    String begin = tier.length() > NAME_MAX ? tier.substring(0, NAME_MAX) + "..." : tier;
    return begin.replaceAll("[^\\x20-\\x7e]", "?");
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
  public long getTimesUnheard() {
    return unheard.sum();
  }

  @Override
  public long getFailures() {
    return failures.sum();
  }
}
