package io.tierwise.cli.heat;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.audit.HeatCalls;
import io.tierwise.hadoop.inspect.audit.HeatAnswer;
import io.tierwise.hadoop.inspect.audit.LogHeat;
import io.tierwise.hadoop.inspect.audit.NameNodeHeat;
import io.tierwise.lab.SignalGuard;
import io.tierwise.simulator.scenario.yaml.Quantity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Answers one question by an audit log, whole or while it grows, or by what a NameNode counts. */
abstract class HeatAction extends ClusterCommand {
  private static final int EVERY_SECONDS = 10;

  @Mixin private AuditLogOptions log;

  @Option(
      names = "--audit-log",
      paramLabel = "FILE",
      arity = "1..*",
      description =
          "The log's files, plain or gzip, in any order, rotated ones too; of all NameNodes,"
              + " observers too, where there are several. Without it the NameNode is asked what it"
              + " has counted since it started, which its superuser may.")
  private List<Path> files = List.of();

  @Option(
      names = "--window",
      paramLabel = "TIME",
      defaultValue = "1 h",
      description =
          "Length of the windows that reads are counted in, such as 90 min or 6 h (default:"
              + " ${DEFAULT-VALUE}).")
  private String window;

  @Option(
      names = "--follow",
      description = "Go on, also while the log grows and is rotated, until Ctrl-C.")
  private boolean follow;

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      description = "Answer that often, with --follow (default: " + EVERY_SECONDS + ").")
  private Integer everySeconds;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (everySeconds != null) {
      OperatorException.requireAtLeast(1, "--every", everySeconds);
      if (!follow) {
        throw OperatorException.badInput("--every " + everySeconds + " belongs to --follow");
      }
    }
    return files.isEmpty() ? askNameNode() : readLog();
  }

  private int askNameNode() throws IOException, InterruptedException {
    log.requireNone(List.of("--window"), "a NameNode counts by its keys tierwise.namenode.feed.*");
    HeatCalls.Question question = question();
    Configuration conf = cluster.configuration();
    try (DistributedFileSystem fs = cluster.connect(conf)) {
      NameNodeHeat heat = new NameNodeHeat(fs, conf);
      if (!follow) {
        print(heat.ask(question));
        return 0;
      }
      try (SignalGuard signal = SignalGuard.asking(() -> output.say("ended while it asked"))) {
        heat.follow(question, everyMillis(), this::print, signal::signalled);
        return ExitCode.INTERRUPTED;
      }
    }
  }

  private long everyMillis() {
    return (everySeconds == null ? EVERY_SECONDS : everySeconds) * 1_000L;
  }

  private int readLog() throws IOException, InterruptedException {
    LogHeat heat = new LogHeat(log.wish(files, Quantity.millis("--window", window), follow));
    if (!follow) {
      print(answer(heat.read()));
      return 0;
    }
    try (SignalGuard signal = SignalGuard.asking(() -> output.say("ended while it read"))) {
      heat.follow(everyMillis(), () -> print(answer(heat)), signal::signalled);
      return ExitCode.INTERRUPTED;
    }
  }

  private void print(HeatAnswer answer) {
    answer.remarks().forEach(output::say);
    Runnable words =
        () -> {
          output.table(answer.table());
          answer.legend().forEach(output::fold);
        };
    if (follow) {
      output.answerLine(answer, words);
      output.requireReader();
    } else {
      output.answer(answer, words);
    }
  }

  /** Answers from what has been read. */
  abstract HeatAnswer answer(LogHeat heat);

  /** The same question to a NameNode. */
  abstract HeatCalls.Question question();

  HeatCalls.Question question(
      HeatCalls.Kind kind, int count, String path, int depth, List<String> patterns) {
    try {
      return new HeatCalls.Question(kind, count, path, depth, patterns);
    } catch (IllegalArgumentException e) {
      throw OperatorException.badInput("--count: " + e.getMessage());
    }
  }
}
