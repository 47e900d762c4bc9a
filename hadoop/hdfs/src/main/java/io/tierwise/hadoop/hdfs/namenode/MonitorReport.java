package io.tierwise.hadoop.hdfs.namenode;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The monitor's figures as a NameNode answers with them to {@link RepairCalls#STATUS}; the same as
 * its metrics, whose meaning {@link TierwiseMonitorMXBean} tells.
 *
 * @param backlogBlocks by urgency; so is {@code backlogBytes}
 * @param movedBytes by direction since the NameNode began
 * @param failures by reason since then
 * @param backOffs by tool since then
 */
public record MonitorReport(
    boolean enabled,
    Map<String, Long> backlogBlocks,
    Map<String, Long> backlogBytes,
    double oldestAgeSeconds,
    long managedFiles,
    long managedBlocks,
    long leftToHdfsBlocks,
    long leftAloneBlocks,
    long walks,
    double walkSeconds,
    String moverState,
    Map<String, Long> moverLimitBytesPerSecond,
    long moverYieldingNodes,
    Map<String, Long> movedBytes,
    Map<String, Long> failures,
    Map<String, Long> backOffs,
    long asyncFiles,
    long asyncBlocks,
    long asyncBytes,
    double asyncOldestAgeSeconds) {
  private static final String SEPARATOR = " ";
  private static final String OF = ".";

  static MonitorReport of(TierwiseMonitorMXBean shown) {
    return new MonitorReport(
        shown.isEnabled(),
        shown.getBacklogBlocks(),
        shown.getBacklogBytes(),
        shown.getOldestAgeSeconds(),
        shown.getManagedFiles(),
        shown.getManagedBlocks(),
        shown.getLeftToHdfsBlocks(),
        shown.getLeftAloneBlocks(),
        shown.getWalks(),
        shown.getWalkSeconds(),
        shown.getMoverState(),
        shown.getMoverLimitBytesPerSecond(),
        shown.getMoverYieldingNodes(),
        shown.getMovedBytes(),
        shown.getFailures(),
        shown.getBackOffs(),
        shown.getAsyncFiles(),
        shown.getAsyncBlocks(),
        shown.getAsyncBytes(),
        shown.getAsyncOldestAgeSeconds());
  }

  /**
   * Why nobody can tell by these figures what waits, for people; null when a walk has looked at all
   * files. A walk that ended took some time, also where there was nothing to look at.
   */
  public String whyBlind() {
    if (!enabled) {
      return "the monitor is off, and nothing was looked at: see tierwise.monitor.enabled of the"
          + " NameNode";
    }
    return walkSeconds > 0
        ? null
        : "the monitor has not looked at all files yet: the NameNode is in safe mode, or became"
            + " active a moment ago (try again)";
  }

  /** A line for each figure, and each label of one. */
  String format() {
    Map<String, Object> lines = new LinkedHashMap<>();
    lines.put("enabled", enabled);
    put(lines, "backlogBlocks", backlogBlocks);
    put(lines, "backlogBytes", backlogBytes);
    lines.put("oldestAgeSeconds", oldestAgeSeconds);
    lines.put("managedFiles", managedFiles);
    lines.put("managedBlocks", managedBlocks);
    lines.put("leftToHdfsBlocks", leftToHdfsBlocks);
    lines.put("leftAloneBlocks", leftAloneBlocks);
    lines.put("walks", walks);
    lines.put("walkSeconds", walkSeconds);
    lines.put("moverState", moverState);
    put(lines, "moverLimitBytesPerSecond", moverLimitBytesPerSecond);
    lines.put("moverYieldingNodes", moverYieldingNodes);
    put(lines, "movedBytes", movedBytes);
    put(lines, "failures", failures);
    put(lines, "backOffs", backOffs);
    lines.put("asyncFiles", asyncFiles);
    lines.put("asyncBlocks", asyncBlocks);
    lines.put("asyncBytes", asyncBytes);
    lines.put("asyncOldestAgeSeconds", asyncOldestAgeSeconds);
    return lines.entrySet().stream()
        .map(line -> line.getKey() + SEPARATOR + line.getValue())
        .collect(Collectors.joining("\n"));
  }

  private static void put(Map<String, Object> lines, String name, Map<String, Long> values) {
    values.forEach((label, value) -> lines.put(name + OF + label, value));
  }

  /**
   * Reads an answer. A figure that it does not tell is 0.
   *
   * @throws RuntimeException when it is something else
   */
  public static MonitorReport parse(String answer) {
    Map<String, String> values = new LinkedHashMap<>();
    answer.lines().forEach(line -> values.put(name(line), value(line)));
    return new MonitorReport(
        Boolean.parseBoolean(values.get("enabled")),
        labelled(values, "backlogBlocks"),
        labelled(values, "backlogBytes"),
        seconds(values, "oldestAgeSeconds"),
        count(values, "managedFiles"),
        count(values, "managedBlocks"),
        count(values, "leftToHdfsBlocks"),
        count(values, "leftAloneBlocks"),
        count(values, "walks"),
        seconds(values, "walkSeconds"),
        values.get("moverState"),
        labelled(values, "moverLimitBytesPerSecond"),
        count(values, "moverYieldingNodes"),
        labelled(values, "movedBytes"),
        labelled(values, "failures"),
        labelled(values, "backOffs"),
        count(values, "asyncFiles"),
        count(values, "asyncBlocks"),
        count(values, "asyncBytes"),
        seconds(values, "asyncOldestAgeSeconds"));
  }

  private static String name(String line) {
    return line.substring(0, line.indexOf(SEPARATOR));
  }

  private static String value(String line) {
    return line.substring(line.indexOf(SEPARATOR) + SEPARATOR.length());
  }

  private static long count(Map<String, String> values, String name) {
    return Long.parseLong(values.getOrDefault(name, "0"));
  }

  private static double seconds(Map<String, String> values, String name) {
    return Double.parseDouble(values.getOrDefault(name, "0"));
  }

  private static Map<String, Long> labelled(Map<String, String> values, String name) {
    Map<String, Long> labels = new TreeMap<>();
    values.forEach(
        (key, value) -> {
          if (key.startsWith(name + OF)) {
            labels.put(key.substring(name.length() + OF.length()), Long.parseLong(value));
          }
        });
    return labels;
  }
}
