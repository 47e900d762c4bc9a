package io.tierwise.hadoop.autotier;

import io.tierwise.hadoop.inspect.audit.NameNodeLogs;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** A daemon with one rule, and a log that has a read of now, of a file that no rule is about. */
final class RuledAutotier {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS").withZone(ZoneOffset.UTC);

  private RuledAutotier() {}

  static Autotier of(
      DistributedFileSystem fs, Configuration conf, Path folder, String rule, Consumer<String> say)
      throws IOException {
    return of(fs, conf, folder, settings(folder, rule, TimeUnit.DAYS.toMillis(1)), say);
  }

  static Autotier of(
      DistributedFileSystem fs,
      Configuration conf,
      Path folder,
      AutotierSettings settings,
      Consumer<String> say)
      throws IOException {
    return new Autotier(
        MoverCluster.of(fs, conf),
        settings,
        logs(folder),
        new Journal(folder.resolve("journal")),
        say);
  }

  static AutotierSettings settings(Path folder, String rule, long windowMillis) throws IOException {
    return new AutotierSettings("ppa", windowMillis, 20, 1, 0, List.of("/"), 100)
        .toBuilder()
            .rules(Files.writeString(folder.resolve("rules"), rule))
            .callsMax(1_000)
            .build();
  }

  static Autotier.Logs logs(Path folder) throws IOException {
    return logs(folder, opened("/other", "ann"));
  }

  static Autotier.Logs logs(Path folder, String lines) throws IOException {
    Path log = Files.writeString(folder.resolve("audit.log"), lines);
    return new Autotier.Logs(NameNodeLogs.Source.of(List.of(log), List.of()), ZoneOffset.UTC);
  }

  /** The line of a read of now. */
  static String opened(String path, String user) {
    return String.format(
        "%s INFO FSNamesystem.audit: allowed=true\tugi=%s (auth:SIMPLE)\tip=/10.0.0.7"
            + "\tcmd=open\tsrc=%s\tdst=null\tperm=null\tproto=rpc%n",
        TIME.format(Instant.now()), user, path);
  }
}
