package io.tierwise.cli.advise;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.heat.AuditLogOptions;
import io.tierwise.cli.output.Output;
import io.tierwise.cli.simulate.RunMeter;
import io.tierwise.cli.simulate.RunOptions;
import io.tierwise.core.message.OperatorException;
import io.tierwise.experiments.advise.Forecasts;
import io.tierwise.experiments.advise.HtmlPage;
import io.tierwise.experiments.advise.LogReplay;
import io.tierwise.experiments.advise.ReplayAnswer;
import io.tierwise.experiments.advise.ReplaySite;
import io.tierwise.experiments.popularity.PredictorRanking;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.advise.Advice;
import io.tierwise.hadoop.inspect.advise.AdviceText;
import io.tierwise.hadoop.inspect.advise.Advisor;
import io.tierwise.hadoop.inspect.advise.JobHistories;
import io.tierwise.hadoop.inspect.advise.SiteConf;
import io.tierwise.hadoop.inspect.audit.ClientTraces;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.lab.SignalGuard;
import io.tierwise.profiles.output.OutputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tierwise advise}. */
@Command(
    name = "advise",
    description = {
      "Tells what is hot, cold and misplaced, by a NameNode's audit log and image; asks no"
          + " cluster.",
      "'hdfs dfsadmin -fetchImage DIR' fetches an image. Reads are counted as 'tierwise heat' does."
    },
    footer = "  tierwise advise --audit-log hdfs-audit.log --fsimage fsimage_0000123")
public final class AdviseCommand implements Callable<Integer> {
  private static final int WINDOW_MILLIS = 3_600_000;
  private static final int READS_MAX = 1 << 24;

  @Mixin private AuditLogOptions log;
  @Mixin private Output output;

  @Option(
      names = "--audit-log",
      paramLabel = "FILE",
      required = true,
      arity = "1..*",
      description = {
        "The log's files, plain or gzip, in any order, rotated ones too; of all NameNodes,"
            + " observers too, where there are several."
      })
  private List<Path> files;

  @Option(
      names = "--fsimage",
      paramLabel = "FILE",
      required = true,
      description = "An image of the same cluster, as young as the log's end.")
  private Path image;

  @Option(
      names = "--conf",
      paramLabel = "DIR",
      description = {
        "A folder with the tier table tiers.yaml (default: HDFS's storage types), with"
            + " core-site.xml and hdfs-site.xml, and with nodes: workers and topology.table."
      })
  private Path conf;

  @Option(
      names = "--history",
      paramLabel = "DIR",
      description = {
        "A folder of this machine with job history of MapReduce (job_..._conf.xml beside it, for"
            + " input paths) and event logs of Spark: jobs whose reads are looked for in the log."
      })
  private Path historyFolder;

  @Option(
      names = "--client-traces",
      paramLabel = "FILE",
      arity = "1..*",
      description = {
        "Logs of DataNodes with client traces, plain or gzip, in any order, each once: bytes that"
            + " were read, in the place of reads times size."
      })
  private List<Path> traceFiles = List.of();

  @Option(
      names = "--block-pool",
      paramLabel = "ID",
      description = "The image's block pool, where client traces are of several.")
  private String blockPool;

  @Option(
      names = "--hot",
      paramLabel = "READS",
      defaultValue = "1",
      description = "So many reads a day make a file hot, and two in all (default: 1).")
  private double hot;

  @Option(
      names = "--count",
      paramLabel = "COUNT",
      defaultValue = "10",
      description = "Rows of hottest files and directories (default: ${DEFAULT-VALUE}).")
  private int count;

  @Option(
      names = "--cluster",
      paramLabel = "SCENARIO",
      description = {
        "Replay the reads on this virtual cluster, too: a scenario file, as 'tierwise capture'"
            + " writes yours, or a named cluster."
      })
  private String cluster;

  @Option(
      names = "--reads",
      paramLabel = "COUNT",
      defaultValue = "20000",
      description = "Forecast and replay the last ones of the log (default: ${DEFAULT-VALUE}).")
  private int replayedMax;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write the answer as a page, too, in one file; replaces it if it exists.")
  private Path html;

  @Override
  public Integer call() throws IOException {
    OperatorException.requireAtLeast(1, "--count", count);
    OperatorException.requireAtLeast(1, "--reads", replayedMax);
    if (html != null) {
      OutputFile.requireOther("--html", html, read());
      HtmlPage.requireWritable(html);
    }
    if (cluster != null) {
      LogReplay.requireCluster(cluster);
    }
    Configuration configuration = ClusterConnection.configuration(conf, null, Map.of());
    SiteConf site = SiteConf.of(conf, configuration);
    JobHistories.Found found =
        historyFolder == null ? JobHistories.Found.NONE : JobHistories.read(historyFolder);
    found.problems().forEach(output::say);
    Advisor.Advised advised =
        Advisor.advise(
            new Advisor.Wish(
                log.wish(files, WINDOW_MILLIS, false),
                image,
                TierConfiguration.load(configuration),
                hot,
                count,
                READS_MAX,
                found,
                site,
                ClientTraces.Wish.of(
                    traceFiles, log.zone(), blockPool, SiteConf.checksums(configuration))));
    advised.advice().remarks().forEach(output::say);
    PredictorRanking forecast = Forecasts.of(advised.history(), replayedMax).orElse(null);
    if (!output.json()) {
      print(advised.advice(), forecast);
    }
    ReplayAnswer replay = cluster == null ? null : replay(advised, site);
    if (replay != null && !replay.complete()) {
      return ExitCode.INTERRUPTED;
    }
    AdviseAnswer answer = new AdviseAnswer(advised.advice(), forecast, replay);
    if (html != null) {
      AdvicePage.of(answer).write(html);
      output.say("written to " + html);
    }
    output.answer(answer, () -> print(replay));
    return 0;
  }

  private Map<String, List<Path>> read() {
    return Map.of(
        "--audit-log",
        files,
        "--fsimage",
        List.of(image),
        "--client-traces",
        traceFiles,
        "--cluster",
        cluster == null ? List.of() : List.of(Path.of(cluster)));
  }

  private ReplayAnswer replay(Advisor.Advised advised, SiteConf site) throws IOException {
    RunMeter meter = RunOptions.meter(output);
    try (SignalGuard signal = RunOptions.stopSignal(output)) {
      return LogReplay.replay(
          new LogReplay.Question(
              advised.history(),
              advised.jobs(),
              cluster,
              new ReplaySite(site.blockBytes(), site.replicas(), site.nodesByRack()),
              replayedMax,
              advised.codedDiskBytes()),
          meter,
          signal::signalled);
    }
  }

  private void print(Advice advice, PredictorRanking forecast) {
    output.fold(AdviceText.summary(advice));
    AdviceText.sections(advice).forEach(output::section);
    output.section(Forecasts.section(forecast));
  }

  private void print(ReplayAnswer replay) {
    if (replay != null) {
      replay.sections().forEach(output::section);
    }
  }
}
