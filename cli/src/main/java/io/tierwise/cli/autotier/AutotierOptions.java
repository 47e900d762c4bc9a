package io.tierwise.cli.autotier;

import io.tierwise.cli.file.MoveOptions;
import io.tierwise.cli.profile.CatalogOptions;
import io.tierwise.core.message.ByteSize;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.autotier.Autotier;
import io.tierwise.hadoop.autotier.AutotierSettings;
import io.tierwise.hadoop.autotier.Prefetching;
import io.tierwise.hadoop.inspect.audit.NameNodeLogs;
import io.tierwise.simulator.scenario.yaml.Quantity;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The log, and the bounds of decisions; mixed into the commands that decide. */
final class AutotierOptions {
  @Option(
      names = "--audit-log",
      paramLabel = "FILE",
      required = true,
      description =
          "The audit log that a NameNode writes; give it again for each other NameNode of the"
              + " cluster. All are read as one history.")
  private List<Path> logs = new ArrayList<>();

  @Option(
      names = "--rotated",
      paramLabel = "FILE",
      arity = "1..*",
      description =
          "Earlier files of the logs, plain or gzip, in any order; of several logs each in the"
              + " directory of its own, whose name its name begins with.")
  private List<Path> rotated = new ArrayList<>();

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      defaultValue = "UTC",
      description = "Time zone of the log's times, such as Europe/Berlin (default: UTC).")
  private ZoneId zone;

  @Option(
      names = "--below",
      paramLabel = "PATH",
      description = "Change files below it alone; may be given again. HDFS's superuser has to.")
  private List<String> below = new ArrayList<>();

  @Option(
      names = "--predictor",
      paramLabel = "SPEC",
      defaultValue = "ppa",
      description = "A popularity predictor of 'tierwise policy list' (default: AptStore's, ppa).")
  private String predictor;

  @Option(
      names = "--window",
      paramLabel = "TIME",
      defaultValue = "1 h",
      description =
          "Decide that often, by the reads of that time, such as 90 min (default:"
              + " ${DEFAULT-VALUE}).")
  private String window;

  @Option(
      names = "--hold",
      paramLabel = "WINDOWS",
      defaultValue = "3",
      description =
          "Keep a change for so many windows; take replicas away when so many in a row ask for"
              + " fewer (default: ${DEFAULT-VALUE}).")
  private int hold;

  @Option(
      names = "--extra",
      paramLabel = "PERCENT",
      defaultValue = "20",
      description =
          "Bytes that additional replicas may take, of those that the files have with the usual"
              + " number (default: ${DEFAULT-VALUE}).")
  private double extra;

  @Option(
      names = "--replicas-max",
      paramLabel = "N",
      defaultValue = "0",
      description = "Most replicas of a file (default: one a node).")
  private int replicasMax;

  @Option(
      names = "--files",
      paramLabel = "COUNT",
      defaultValue = "100000",
      description = "Files that are followed one by one (default: ${DEFAULT-VALUE}).")
  private int files;

  @Option(
      names = "--rules",
      paramLabel = "FILE",
      description =
          "Rules, one a line, before what is popular: path matches /logs/** and reads(7d) < 3 ->"
              + " replicas 2 (or: tier NAME, secondary, sla, sla by 14:00).")
  private Path rules;

  @Option(
      names = "--calls",
      paramLabel = "COUNT",
      defaultValue = "" + AutotierSettings.CALLS_MAX,
      description =
          "Calls of the NameNode in a round of 'run', with which files of rules are looked at; the"
              + " next round goes on where it stopped (default: ${DEFAULT-VALUE}).")
  private int calls;

  @Option(
      names = "--secondary",
      paramLabel = "TIME",
      description =
          "Unpopular files also go to the secondary store, whole, when it is certain that nobody"
              + " has read or written them for that time, such as 7 d, and come back when they"
              + " are read again (default: none).")
  private String secondary;

  @Option(
      names = "--fast-tier",
      paramLabel = "NAME",
      description =
          "Popular files also get a replica in that tier, when by its measured speed nine of ten"
              + " such promotions paid before (default: none).")
  private String fastTier;

  @Option(
      names = "--on-average",
      description =
          "Bring popular files there already where such promotions pay on the average: more come,"
              + " and many of them for nothing.")
  private boolean onAverage;

  @Option(
      names = "--prefetch",
      paramLabel = "SIZE",
      description =
          "Of the fast tier, for input of jobs that wait on YARN, and for what they write"
              + " between phases: such as 500GB, for all nodes together ("
              + ByteSize.UNITS_HELP
              + "). Brought when their application's profile says that it pays (default: none).")
  private String prefetch;

  @Option(
      names = "--prefetch-buffer",
      paramLabel = "SIZE",
      description = "Of that, never planned with, such as 50GB (default: a tenth).")
  private String buffer;

  @Option(
      names = "--share",
      paramLabel = "PATH",
      description =
          "Let the share of a zone that the zone-ratio policy of this directory names follow what"
              + " is read and written below it; may be given again. For what is written from then"
              + " on (default: none).")
  private List<String> shares = new ArrayList<>();

  @Option(
      names = "--prefetch-wait",
      paramLabel = "TIME",
      description =
          "A job that has waited for so long, such as 90 min, gives its room to others until it"
              + " runs (default: "
              + Prefetching.WAIT_MAX
              + ").")
  private String prefetchWait;

  @Mixin private CatalogOptions catalog;
  @Mixin private MoveOptions moving;

  AutotierSettings settings() {
    if (onAverage && fastTier == null) {
      throw OperatorException.badInput(
          "--on-average is about what comes to a fast tier: name it with --fast-tier");
    }
    return new AutotierSettings(
        predictor,
        Quantity.millis("--window", window),
        extra,
        hold,
        replicasMax,
        below,
        files,
        Optional.ofNullable(rules),
        calls,
        Optional.ofNullable(fastTier),
        prefetching(),
        moving.settings(),
        shares,
        fastTier != null && !onAverage,
        Optional.ofNullable(secondary)
            .map(time -> Duration.ofMillis(Quantity.millis("--secondary", time))));
  }

  private static void requireNull(String option, String value) {
    if (value != null) {
      throw OperatorException.badInput(option + " " + value + " belongs to --prefetch");
    }
  }

  private Optional<Prefetching> prefetching() {
    if (prefetch == null) {
      requireNull("--prefetch-buffer", buffer);
      requireNull("--prefetch-wait", prefetchWait);
      if (catalog.isNamed()) {
        // Not its value: a URL may have a password.
        throw OperatorException.badInput("--catalog belongs to --prefetch");
      }
      return Optional.empty();
    }
    long region = ByteSize.parse("--prefetch", prefetch);
    return Optional.of(
        new Prefetching(
            catalog.where(),
            region,
            buffer == null
                ? Prefetching.usualBufferBytes(region)
                : ByteSize.parse("--prefetch-buffer", buffer),
            Quantity.millis(
                "--prefetch-wait", prefetchWait == null ? Prefetching.WAIT_MAX : prefetchWait)));
  }

  Autotier.Logs logs() {
    return new Autotier.Logs(NameNodeLogs.Source.of(logs, rotated), zone);
  }
}
