package io.tierwise.hadoop.yarn;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.StringUtils;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * The local directories of a NodeManager by tier, and those of a container: the directories of the
 * tier that it asks for, as long as one of them has room, else all.
 *
 * <p>Source: DUX's Config-1 to Config-4 (DerbyhatS §6.1) and tmpSSD of HDFS_H put intermediate data
 * on another device than input, by application.
 */
final class LocalDirectories {
  /** The key of a tier's directories, which are some of {@code yarn.nodemanager.local-dirs}. */
  static final String DIRECTORIES_KEY = "tierwise.nodemanager.local-dirs.";

  /** The key of the tier for containers that ask for none. */
  static final String USUAL_KEY = "tierwise.nodemanager.intermediate.tier";

  /** The environment variable by which an application asks for a tier. */
  static final String VARIABLE = "TIERWISE_INTERMEDIATE";

  private final Map<String, List<String>> byTier;
  private final String usual;
  private final Predicate<String> hasRoom;

  /** Why a container has the directories that it has. */
  enum Outcome {
    /** It asked for no tier: all. */
    NOT_ASKED,
    /** Those of the tier that it asked for, or that is usual. */
    ON_TIER,
    /** The NodeManager knows no such tier: all. */
    UNKNOWN_TIER,
    /** No directory of the tier is in use, or has room: all. */
    NO_ROOM
  }

  /**
   * A container's directories.
   *
   * @param directories as {@code LOCAL_DIRS} has them
   * @param tier that was asked for; empty for none
   */
  record Choice(String directories, String tier, Outcome outcome) {}

  private LocalDirectories(
      Map<String, List<String>> byTier, String usual, Predicate<String> hasRoom) {
    this.byTier = byTier;
    this.usual = usual;
    this.hasRoom = hasRoom;
  }

  /**
   * As a NodeManager is configured.
   *
   * @param problems is told one line for each value that is no good; what else is told holds
   */
  static LocalDirectories of(Configuration conf, Consumer<String> problems) {
    return of(conf, problems, roomAsTheNodeManagerWantsIt(conf));
  }

  static LocalDirectories of(
      Configuration conf, Consumer<String> problems, Predicate<String> hasRoom) {
    List<String> configured =
        Arrays.stream(conf.getTrimmedStrings(YarnConfiguration.NM_LOCAL_DIRS))
            .map(LocalDirectories::plain)
            .toList();
    Map<String, List<String>> byTier = new LinkedHashMap<>();
    conf.getPropsWithPrefix(DIRECTORIES_KEY)
        .forEach(
            (tier, value) -> {
              List<String> known = new ArrayList<>();
              for (String directory : StringUtils.getTrimmedStrings(value)) {
                if (configured.contains(plain(directory))) {
                  known.add(plain(directory));
                } else {
                  problems.accept(
                      DIRECTORIES_KEY
                          + tier
                          + " names "
                          + directory
                          + ", which is not in "
                          + YarnConfiguration.NM_LOCAL_DIRS
                          + ": it is left out");
                }
              }
              byTier.put(tier, List.copyOf(known));
            });
    String usual = conf.getTrimmed(USUAL_KEY, "");
    if (!usual.isEmpty() && !byTier.containsKey(usual)) {
      problems.accept(
          USUAL_KEY
              + " is "
              + usual
              + ", but there is no "
              + DIRECTORIES_KEY
              + usual
              + ": containers that ask for no tier get all directories");
      usual = "";
    }
    return new LocalDirectories(byTier, usual, hasRoom);
  }

  /** A directory without its scheme and without a slash at the end; as it is when it is no path. */
  private static String plain(String directory) {
    try {
      return new Path(directory).toUri().getPath();
    } catch (IllegalArgumentException e) {
      return directory;
    }
  }

  /**
   * The NodeManager leaves out full directories, too, but looks every two minutes only, and a fast
   * device fills within them.
   */
  private static Predicate<String> roomAsTheNodeManagerWantsIt(Configuration conf) {
    boolean looks = conf.getBoolean(YarnConfiguration.NM_DISK_HEALTH_CHECK_ENABLE, true);
    boolean used =
        conf.getBoolean(
            YarnConfiguration.NM_DISK_UTILIZATION_THRESHOLD_ENABLED,
            YarnConfiguration.DEFAULT_NM_DISK_UTILIZATION_THRESHOLD_ENABLED);
    boolean free =
        conf.getBoolean(
            YarnConfiguration.NM_DISK_FREE_SPACE_THRESHOLD_ENABLED,
            YarnConfiguration.DEFAULT_NM_DISK_FREE_SPACE_THRESHOLD_ENABLED);
    double usedMax =
        conf.getFloat(
            YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE,
            YarnConfiguration.DEFAULT_NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE);
    long freeMin =
        conf.getLong(
                YarnConfiguration.NM_MIN_PER_DISK_FREE_SPACE_MB,
                YarnConfiguration.DEFAULT_NM_MIN_PER_DISK_FREE_SPACE_MB)
            << 20;
    double usedLimit = looks && used ? Math.max(0, Math.min(100, usedMax)) : 100;
    long freeLimit = looks && free ? freeMin : 0;
    return directory -> {
      File file = new File(directory);
      return hasRoom(file.getTotalSpace(), file.getUsableSpace(), usedLimit, freeLimit);
    };
  }

  /** A disk of which nothing is left has no room, whatever the limits. */
  static boolean hasRoom(long totalBytes, long freeBytes, double usedPercentMax, long freeMin) {
    double used = 100.0 * (totalBytes - freeBytes) / totalBytes;
    return freeBytes > 0 && freeBytes >= freeMin && used <= usedPercentMax;
  }

  List<String> tiers() {
    return List.copyOf(byTier.keySet());
  }

  String usual() {
    return usual;
  }

  /**
   * Chooses a container's directories.
   *
   * @param directories all that the NodeManager offers it, separated by commas
   * @param wanted the tier that it asks for; null or empty for none
   */
  Choice choose(String directories, String wanted) {
    String tier = wanted == null || wanted.isBlank() ? usual : wanted.strip();
    if (tier.isEmpty()) {
      return new Choice(directories, "", Outcome.NOT_ASKED);
    }
    List<String> ofTier = byTier.get(tier);
    if (ofTier == null) {
      return new Choice(directories, tier, Outcome.UNKNOWN_TIER);
    }
    List<String> roomy = ofTier.stream().filter(hasRoom).toList();
    List<String> chosen =
        Arrays.stream(StringUtils.getTrimmedStrings(directories))
            .filter(offered -> roomy.stream().anyMatch(each -> isBelow(offered, each)))
            .toList();
    return chosen.isEmpty()
        ? new Choice(directories, tier, Outcome.NO_ROOM)
        : new Choice(String.join(",", chosen), tier, Outcome.ON_TIER);
  }

  private static boolean isBelow(String offered, String directory) {
    return offered.equals(directory) || offered.startsWith(directory + "/");
  }
}
