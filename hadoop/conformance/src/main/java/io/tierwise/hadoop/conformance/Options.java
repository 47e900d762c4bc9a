package io.tierwise.hadoop.conformance;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The command line.
 *
 * @param hadoop another version of Hadoop than the one that we build against
 * @param patterns which classes of the suite, or full names of other classes; empty means the suite
 * @param jobs JVMs at a time
 * @param timeoutSeconds for one class; its JVM is then killed
 * @param stockAlways run stock also for classes that simply pass with the plug-ins
 * @param reuseStock take stock's outcomes from the last run where there are any
 * @param optIn configure the opt-in plug-ins, too
 * @param keep keep logs and folders of classes that passed, too
 * @param plugins jar of the plug-ins, if it is elsewhere than where the build puts it
 */
record Options(
    boolean help,
    boolean list,
    Optional<String> hadoop,
    List<String> patterns,
    Set<Side> sides,
    int jobs,
    int timeoutSeconds,
    boolean stockAlways,
    boolean reuseStock,
    boolean optIn,
    boolean keep,
    Optional<Path> plugins) {

  static final String HELP =
      """
      Runs Hadoop's own HDFS tests on stock HDFS and with the Tierwise plug-ins: installed as the
      defaults (no path is under a policy), and deciding (every path is).

      usage: hadoop/conformance/run [options]

        --hadoop VERSION    on this Hadoop of another line (3.4.2) instead: the part of the suite
                            that classes-LINE.tsv names (classes-3.4.tsv)
        --classes A,B,...   only these: simple names or globs of the suite (TestBalancer*), or full
                            names of any other test class of Hadoop's tests jars
        --side A,B,...      which sides to run: stock, installed, deciding; default all three
        --stock needed|always
                            needed: run a class on stock only if it does not simply pass with the
                            plug-ins; default needed
        --jobs N            JVMs at a time, 1 to 64; default 2
        --timeout SECONDS   for one class, 10 to 7200; default 900
        --reuse-stock       take stock's outcomes from the last run where there are any
        --opt-in            configure the opt-in plug-ins, too: replica order by the NameNode's
                            topology, choice of volume by storage id
        --plugins JAR       the plug-ins' jar; default hadoop/hdfs/target/tierwise-hdfs-*-plugin.jar
        --keep              keep logs and folders of classes that passed, too
        --list              print the suite and why each class is in it, run nothing
        --help              print this

      Results: build/conformance/results-installed.json and .md, likewise deciding; logs of what
      failed in build/conformance/runs; with --hadoop in build/conformance-VERSION. What passes on
      one side only is run once more on both.

      exit code: 0 nothing that passes on stock fails with the plug-ins; 1 something does;
                 2 bad argument; 3 not built, a class ran no test, a plug-in was never loaded, or
                 our code decided nothing where it should
      """;

  /** Whether stock waits until a class did not simply pass with the plug-ins. */
  boolean stockOnDemand() {
    return !stockAlways && sides.contains(Side.STOCK) && sides.size() > 1;
  }

  static Options parse(String... arguments) throws UsageException {
    boolean help = false;
    boolean list = false;
    Optional<String> hadoop = Optional.empty();
    List<String> patterns = List.of();
    Set<Side> sides = EnumSet.allOf(Side.class);
    int jobs = 2;
    int timeoutSeconds = 900;
    boolean stockAlways = false;
    boolean reuseStock = false;
    boolean optIn = false;
    boolean keep = false;
    Optional<Path> plugins = Optional.empty();

    Deque<String> rest = new ArrayDeque<>(Arrays.asList(arguments));
    while (!rest.isEmpty()) {
      String option = rest.pop();
      switch (option) {
        case "--help", "-h" -> help = true;
        case "--list" -> list = true;
        case "--reuse-stock" -> reuseStock = true;
        case "--opt-in" -> optIn = true;
        case "--keep" -> keep = true;
        case "--hadoop" -> hadoop = Optional.of(versionIn(valueOf(option, rest)));
        case "--classes" -> patterns = namesIn(valueOf(option, rest));
        case "--stock" -> stockAlways = isAlways(valueOf(option, rest));
        case "--side" -> sides = sidesIn(valueOf(option, rest));
        case "--jobs" -> jobs = number(option, valueOf(option, rest), 1, 64);
        case "--timeout" -> timeoutSeconds = number(option, valueOf(option, rest), 10, 7200);
        case "--plugins" -> plugins = Optional.of(Path.of(valueOf(option, rest)));
        default ->
            throw UsageException.badInput("unknown option '" + option + "': --help lists them");
      }
    }
    return new Options(
        help,
        list,
        hadoop,
        patterns,
        sides,
        jobs,
        timeoutSeconds,
        stockAlways,
        reuseStock,
        optIn,
        keep,
        plugins);
  }

  private static String valueOf(String option, Deque<String> rest) throws UsageException {
    if (rest.isEmpty() || rest.peek().startsWith("--")) {
      throw UsageException.badInput(option + " needs a value: see --help");
    }
    return rest.pop();
  }

  private static String versionIn(String value) throws UsageException {
    if (!value.matches("\\d+\\.\\d+\\.\\d+")) {
      throw UsageException.badInput("--hadoop '" + value + "': use a version as 3.4.2");
    }
    return value;
  }

  private static List<String> namesIn(String value) throws UsageException {
    List<String> names =
        Arrays.stream(value.split(",")).map(String::strip).filter(n -> !n.isEmpty()).toList();
    if (names.isEmpty()) {
      throw UsageException.badInput("--classes '" + value + "' names no class");
    }
    return names;
  }

  private static Set<Side> sidesIn(String value) throws UsageException {
    Set<Side> sides = EnumSet.noneOf(Side.class);
    for (String name : value.split(",", -1)) {
      sides.add(
          Arrays.stream(Side.values())
              .filter(side -> side.label().equals(name.strip()))
              .findFirst()
              .orElseThrow(
                  () ->
                      UsageException.badInput(
                          "--side '" + value + "': use stock, installed, deciding or several")));
    }
    return sides;
  }

  private static boolean isAlways(String value) throws UsageException {
    return switch (value) {
      case "always" -> true;
      case "needed" -> false;
      default -> throw UsageException.badInput("--stock '" + value + "': use needed or always");
    };
  }

  private static int number(String option, String value, int min, int max) throws UsageException {
    try {
      int number = Integer.parseInt(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException notANumber) {
      // Said below, together with the range.
    }
    throw UsageException.badInput(
        option + " '" + value + "': use a whole number from " + min + " to " + max);
  }
}
