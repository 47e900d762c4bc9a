package io.tierwise.hadoop.hdfs.audit;

import io.tierwise.core.use.UseCounts;
import io.tierwise.core.view.FileUse;
import io.tierwise.policies.heat.FileHeat;
import io.tierwise.policies.heat.GroupHeat;
import io.tierwise.policies.heat.HeatReport;
import io.tierwise.policies.heat.HeatTotals;
import io.tierwise.policies.heat.TableNames;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Questions to a NameNode's plug-in about the accesses that its audit logger has counted, and the
 * answers. HDFS's superuser alone may ask: the answers name files that others may not see.
 */
public final class HeatCalls {
  /** The first argument of a {@link Question}. */
  public static final String HEAT = "heat";

  /** An answer is one message, and the NameNode logs it. */
  public static final int ROWS_MAX = 1_000;

  private static final String SEPARATOR = " ";

  private HeatCalls() {}

  /** The rows of an answer. */
  public enum Kind {
    /** Files. */
    TOP,
    /** One file. */
    FILE,
    DIRECTORIES,
    TABLES
  }

  /**
   * A question.
   *
   * @param count rows at most
   * @param path the file, or the directory that rows are below
   * @param depth of directories: how many names below the path
   * @param patterns of tables
   */
  public record Question(Kind kind, int count, String path, int depth, List<String> patterns) {
    public Question {
      if (count < 1 || count > ROWS_MAX) {
        throw new IllegalArgumentException(
            count + " rows: a NameNode answers with 1 to " + ROWS_MAX);
      }
      patterns = List.copyOf(patterns);
    }

    public String[] format() {
      List<String> arguments = new ArrayList<>();
      arguments.add(HEAT);
      arguments.add(kind.name().toLowerCase(Locale.ROOT));
      arguments.add(Integer.toString(count));
      arguments.add(path);
      arguments.add(Integer.toString(depth));
      arguments.addAll(patterns);
      return arguments.toArray(new String[0]);
    }

    /**
     * Reads arguments.
     *
     * @throws RuntimeException when they are something else
     */
    public static Question parse(String[] arguments) {
      return new Question(
          Kind.valueOf(arguments[1].toUpperCase(Locale.ROOT)),
          Integer.parseInt(arguments[2]),
          arguments[3],
          Integer.parseInt(arguments[4]),
          List.of(arguments).subList(5, arguments.length));
    }
  }

  /**
   * The feed since its NameNode started.
   *
   * @param events accesses that it took
   * @param dropped accesses that found the queue full
   * @param failures accesses lost to an error
   * @param sinceMillis when it began to count, since 1970; 0 when it does not tell
   */
  public record Feed(long events, long dropped, long failures, long sinceMillis) {}

  /**
   * An answer.
   *
   * @param files of {@link Kind#TOP} and {@link Kind#FILE}
   * @param groups of the other kinds
   */
  public record Answer(
      long windowMillis,
      long runningSinceMillis,
      Feed feed,
      HeatTotals totals,
      List<FileHeat> files,
      List<GroupHeat> groups) {
    static Answer of(Question question, HeatReport report, HeatTotals totals, Feed feed) {
      List<FileHeat> files =
          switch (question.kind()) {
            case TOP -> report.hottest(question.count(), question.path());
            case FILE -> List.of(report.file(question.path()));
            case DIRECTORIES, TABLES -> List.of();
          };
      List<GroupHeat> groups =
          switch (question.kind()) {
            case TOP, FILE -> List.of();
            case DIRECTORIES -> report.directories(question.path(), question.depth());
            case TABLES -> report.tables(new TableNames(question.patterns()));
          };
      return new Answer(
          report.windowMillis(),
          report.runningSinceMillis(),
          feed,
          totals,
          files,
          groups.subList(0, Math.min(question.count(), groups.size())));
    }

    /** The totals, then a line for each row. */
    public String format() {
      List<String> lines = new ArrayList<>();
      lines.add(
          words(
              windowMillis,
              runningSinceMillis,
              feed.events(),
              feed.dropped(),
              feed.failures(),
              totals.reads(),
              totals.continued(),
              totals.late(),
              totals.files(),
              totals.directories(),
              totals.filesEvicted(),
              totals.directoriesFolded(),
              totals.tailReads(),
              totals.tailErrorMax(),
              totals.nowMillis(),
              totals.nameless(),
              feed.sinceMillis()));
      for (FileHeat file : files) {
        lines.add(
            words(
                "file",
                path(file.path()),
                file.reads(),
                file.readsMax(),
                windows(file.counts()),
                file.counts().use().usedMillis()));
      }
      for (GroupHeat group : groups) {
        lines.add(words("group", path(group.path()), group.reads(), windows(group.counts())));
      }
      return String.join("\n", lines);
    }

    /**
     * Reads what {@link #format} wrote.
     *
     * @throws RuntimeException when it is something else
     */
    public static Answer parse(String text) {
      List<String> lines = text.lines().toList();
      Fields first = new Fields(lines.get(0));
      long windowMillis = first.number();
      long runningSince = first.number();
      long events = first.number();
      long dropped = first.number();
      long failures = first.number();
      HeatTotals totals = totals(first);
      Feed feed = new Feed(events, dropped, failures, first.numberOrZero());
      List<FileHeat> files = new ArrayList<>();
      List<GroupHeat> groups = new ArrayList<>();
      for (String line : lines.subList(1, lines.size())) {
        Fields fields = new Fields(line);
        boolean file = fields.word().equals("file");
        String path = URLDecoder.decode(fields.word(), StandardCharsets.UTF_8);
        long reads = fields.number();
        long readsMax = file ? fields.number() : reads;
        long[] windows = {fields.number(), fields.number(), fields.number()};
        FileUse use = file ? FileUse.of(-1, -1, fields.number()) : FileUse.UNKNOWN;
        UseCounts counts = new UseCounts(windowMillis, windows, use, 0);
        if (file) {
          files.add(new FileHeat(path, reads, readsMax, counts));
        } else {
          groups.add(new GroupHeat(path, reads, counts));
        }
      }
      return new Answer(windowMillis, runningSince, feed, totals, files, groups);
    }

    private static HeatTotals totals(Fields fields) {
      long reads = fields.number();
      long continued = fields.number();
      long late = fields.number();
      int files = (int) fields.number();
      int directories = (int) fields.number();
      long evicted = fields.number();
      long folded = fields.number();
      long tailReads = fields.number();
      double errorMax = Double.parseDouble(fields.word());
      long nowMillis = fields.number();
      long nameless = fields.numberOrZero();
      return new HeatTotals(
          reads,
          continued,
          late,
          nameless,
          files,
          directories,
          evicted,
          folded,
          tailReads,
          errorMax,
          nowMillis);
    }

    private static String words(Object... values) {
      List<String> words = new ArrayList<>();
      for (Object value : values) {
        words.add(String.valueOf(value));
      }
      return String.join(SEPARATOR, words);
    }

    private static String windows(UseCounts counts) {
      return words(counts.count(0), counts.count(1), counts.count(2));
    }

    private static String path(String path) {
      return URLEncoder.encode(path, StandardCharsets.UTF_8);
    }
  }

  /** The fields of a line, one after the other. */
  private static final class Fields {
    private final String[] words;
    private int next;

    Fields(String line) {
      words = line.split(SEPARATOR, -1);
    }

    String word() {
      return words[next++];
    }

    long number() {
      return Long.parseLong(word());
    }

    /** 0 from a plug-in of an earlier release, which does not tell it. */
    long numberOrZero() {
      return next == words.length ? 0 : number();
    }
  }
}
