package io.tierwise.hadoop.inspect.advise;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.core.use.JobReads;
import io.tierwise.core.use.ReadHistory;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.audit.ClientTraces;
import io.tierwise.hadoop.inspect.audit.HeatAnswer;
import io.tierwise.hadoop.inspect.audit.LogHeat;
import io.tierwise.hadoop.inspect.image.FsImage;
import io.tierwise.hadoop.inspect.image.ImageCounts;
import io.tierwise.hadoop.inspect.image.ImageFile;
import io.tierwise.policies.heat.HeatReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads log and image, and says what is hot and what is misplaced. Asks no cluster. */
public final class Advisor {
  private static final double DAY_SECONDS = 86_400;

  /** A file that was read once may never be read again: a re-read is what a place can gain from. */
  private static final int HOT_READS_MIN = 2;

  /** Own: of an image and a log of one cluster, a day apart, more than that is found. */
  private static final double FOUND_SHARE_MIN = 0.05;

  private static final double FOUND_SHARE_REMARK = 0.5;

  /** Own: some are read within the hour in which HDFS notes no second time. */
  private static final double NOTED_SHARE_MIN = 0.05;

  private final Wish wish;
  private final ReadLog reads;
  private final LogHeat heat;
  private final WantedTiers wanted;
  private final JobMatch jobs;
  private final List<ReadHistory.ReadFile> files = new ArrayList<>();
  private HeatReport report;
  private TracedBytes traced;
  private int[] readersMax;
  private int[] fileOfNumber;
  private double hotReads;
  private long found;
  private long noted;
  private long bytes;
  private long storedBytes;
  private long codedDiskBytes;

  /**
   * The question.
   *
   * @param log the audit log's files and how they are read
   * @param image the NameNode's
   * @param tiers the tier table, or HDFS's storage types
   * @param hotReadsPerDay a file is hot from so many reads a day on, if there are two at least
   * @param rowsMax of the hottest files and directories
   * @param readsMax reads that are kept one by one, 8 bytes each
   * @param history jobs whose reads are looked for
   * @param site what configuration files say
   * @param traces logs of DataNodes with client traces; null for none
   */
  public record Wish(
      LogHeat.Wish log,
      Path image,
      TierConfiguration tiers,
      double hotReadsPerDay,
      int rowsMax,
      int readsMax,
      JobHistories.Found history,
      SiteConf site,
      ClientTraces.Wish traces) {
    public Wish {
      if (!(hotReadsPerDay > 0 && Double.isFinite(hotReadsPerDay))) {
        throw OperatorException.badInput(
            "--hot " + hotReadsPerDay + " is no number of reads a day: give one above 0");
      }
    }
  }

  private Advisor(Wish wish) {
    this.wish = wish;
    reads = new ReadLog(wish.readsMax());
    heat = new LogHeat(wish.log(), reads);
    wanted = new WantedTiers(wish.tiers(), wish.site().types(), wish.site().storagePolicy());
    jobs = new JobMatch(wish.history().runs(), wish.site().imageNames());
  }

  /**
   * An answer.
   *
   * @param history the reads of files that the image has, for a replay
   * @param jobs of these reads
   * @param codedDiskBytes that erasure coding frees of cold files on plain disks: the price of
   *     others is that of other devices
   */
  public record Advised(Advice advice, ReadHistory history, JobReads jobs, long codedDiskBytes) {}

  /**
   * Answers.
   *
   * @throws OperatorException one line that names what cannot be used, and why
   */
  public static Advised advise(Wish wish) throws IOException {
    Advisor advisor = new Advisor(wish);
    Advice advice = advisor.advise();
    int[] jobOfRead = new int[advisor.keptReads()];
    ReadHistory history = advisor.history(jobOfRead);
    JobReads jobs = new JobReads(advisor.jobs.jobs(), jobOfRead);
    return new Advised(advisor.withJobs(advice), history, jobs, advisor.codedDiskBytes);
  }

  private Advice advise() throws IOException {
    heat.read();
    if (heat.totals().reads() == 0) {
      throw OperatorException.badInput(
          "the log has "
              + Words.count(heat.counts().lines(), "line")
              + " and none that opens a file: nothing was read, or the NameNode's"
              + " dfs.namenode.audit.log.debug.cmdlist has \"open\", which leaves it out");
    }
    report = heat.report();
    readersMax = reads.readersMax(report.numbersEnd());
    hotReads =
        Math.max(HOT_READS_MIN, wish.hotReadsPerDay() * heat.observed().seconds() / DAY_SECONDS);
    fileOfNumber = new int[report.numbersEnd()];
    traced = TracedBytes.read(wish.traces(), heat, reads, report.numbersEnd());
    Tally tally = new Tally(wanted, heat.totals().nowMillis(), wish.rowsMax());
    ImageCounts image = FsImage.read(wish.image(), file -> add(file, tally));
    codedDiskBytes = tally.codedDiskBytes();
    double share = (double) found / heat.totals().files();
    if (share < FOUND_SHARE_MIN) {
      throw OperatorException.badInput(
          String.format(
              Locale.ROOT,
              "%.1f%% of the %s that the log reads are in %s: are both of one cluster, and of one"
                  + " week?",
              100 * share,
              Words.count(heat.totals().files(), "file"),
              wish.image()));
    }
    return new Advice(
        logPart(),
        new Advice.ImagePart(
            image.layoutVersion(),
            image.files(),
            image.directories(),
            bytes,
            storedBytes,
            image.snapshotFiles(),
            image.snapshotBytes()),
        wish.hotReadsPerDay(),
        tally.heats(),
        tally.tiers(),
        tally.unused(),
        tally.misplaced(),
        tally.hottestFiles(),
        tally.hottestDirectories(),
        traced.part(),
        null,
        remarks(share, image));
  }

  private void add(ImageFile file, Tally tally) {
    bytes += file.bytes();
    storedBytes += file.storedBytes();
    int number = report.number(file.path());
    if (number < 0) {
      double readBytes = traced.of(file, number, 0);
      boolean maybe = readBytes > 0 || report.unnumberedReadsMax(file.path()) > 0;
      tally.add(file, new Tally.Use(maybe ? Heat.WARM : Heat.COLD, 0, 0, readBytes));
      if (!wish.history().runs().isEmpty()) {
        jobs.addUnread(file.path().toString());
      }
      return;
    }
    found++;
    noted += file.readNoted() ? 1 : 0;
    long count = report.reads(number);
    double readBytes = traced.of(file, number, count);
    long eachBytes = Math.min(file.bytes(), (long) Math.ceil(readBytes / Math.max(1, count)));
    boolean fast = wanted.faster(wanted.of(file)) > 0;
    files.add(new ReadHistory.ReadFile(file.bytes(), file.replicas(), fast, eachBytes));
    if (!wish.history().runs().isEmpty()) {
      jobs.addRead(file.path().toString());
    }
    fileOfNumber[number] = files.size();
    Heat how = count >= hotReads ? Heat.HOT : Heat.WARM;
    tally.add(file, new Tally.Use(how, count, readersMax[number], readBytes));
  }

  /** The file of a read, by its place in {@link #files}; -1 where the image has none. */
  private int file(int number) {
    return number < fileOfNumber.length ? fileOfNumber[number] - 1 : -1;
  }

  /** Reads are counted first: a log may have many times those that are kept. */
  private int keptReads() {
    int[] kept = new int[1];
    reads.forEach((number, second) -> kept[0] += file(number) >= 0 ? 1 : 0);
    return kept[0];
  }

  private Advice withJobs(Advice advice) {
    JobHistories.Found found = wish.history();
    return found.runs().isEmpty()
        ? advice
        : advice.with(new Advice.Jobs(found.unfinished(), found.refused(), jobs.rows()));
  }

  /** The reads that are kept, and the job of each. */
  private ReadHistory history(int[] jobOfRead) {
    int[] readFiles = new int[jobOfRead.length];
    double[] seconds = new double[jobOfRead.length];
    long[] countAndSecond = new long[2];
    double[] observed = new double[1];
    reads.forEach(
        (number, second) -> {
          int count = (int) countAndSecond[0];
          long step = count == 0 ? 0 : second - countAndSecond[1];
          observed[0] += step >= 0 && step <= DAY_SECONDS ? step : 0;
          countAndSecond[1] = second;
          if (file(number) >= 0) {
            readFiles[count] = file(number);
            ReadHistory.ReadFile read = files.get(file(number));
            jobOfRead[count] = jobs.read(file(number), second, read.bytes(), read.onFastTier());
            seconds[count] = observed[0];
            countAndSecond[0]++;
          }
        });
    return new ReadHistory(files, readFiles, seconds);
  }

  private Advice.LogPart logPart() {
    return new Advice.LogPart(
        HeatAnswer.Log.of(heat),
        HeatAnswer.Counted.of(heat.totals()),
        Instant.ofEpochMilli(heat.totals().nowMillis()).truncatedTo(ChronoUnit.SECONDS).toString(),
        heat.observed().seconds(),
        heat.observed().jumps(),
        heat.totals().files(),
        found);
  }

  private List<String> remarks(double foundShare, ImageCounts image) {
    List<String> remarks = new ArrayList<>(HeatAnswer.Log.of(heat).remarks());
    if (heat.observed().jumps() > 0) {
      remarks.add(
          "the log's clock went back, or on by more than a day, "
              + Words.count(heat.observed().jumps(), "time")
              + ": that time is left out");
    }
    if (heat.observed().seconds() < DAY_SECONDS) {
      remarks.add(
          "the log covers "
              + Words.duration(heat.observed().seconds())
              + ", so that cold means no more than not read then: a week tells more");
    }
    if (foundShare < FOUND_SHARE_REMARK) {
      remarks.add(
          String.format(
              Locale.ROOT,
              "%.1f%% of the files that the log reads are in the image: the others came or went"
                  + " between, and are left out",
              100 * foundShare));
    }
    if (noted < NOTED_SHARE_MIN * found) {
      remarks.add(
          String.format(
              Locale.ROOT,
              "%.1f%% of the files that the log reads have a time of a read in the image: HDFS keeps"
                  + " none where dfs.namenode.accesstime.precision is 0, and days unused are then"
                  + " days since the last write",
              100.0 * noted / found));
    }
    if (heat.totals().filesEvicted() > 0) {
      remarks.add(
          String.format(
              Locale.ROOT,
              "more files were read than the %,d that have a count: the others that were read count"
                  + " as warm, and so do %.1f%% of those that nobody read; --files counts more of"
                  + " them",
              heat.totals().files(),
              100 * report.unreadTakenShare()));
    }
    if (reads.count() > wish.readsMax()) {
      remarks.add(
          String.format(
              Locale.ROOT,
              "readers at once are those of the last %,d of %,d reads",
              wish.readsMax(),
              reads.count()));
    }
    if (!wanted.knowsDisks()) {
      remarks.add(
          "the tier table does not say by storage types alone which tier plain disks are: what is"
              + " on a tier too fast or too slow is not told");
    }
    remarks.addAll(traced.remarks());
    remarks.addAll(wish.site().remarks(wish.history().runs()));
    if (image.snapshotFiles() > 0) {
      remarks.add(
          Words.count(image.snapshotFiles(), "file")
              + " with "
              + Words.bytes(image.snapshotBytes())
              + " that only snapshots hold are left out");
    }
    return remarks;
  }
}
