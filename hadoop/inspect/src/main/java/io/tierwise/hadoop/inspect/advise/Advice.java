package io.tierwise.hadoop.inspect.advise;

import io.tierwise.hadoop.inspect.audit.HeatAnswer;
import io.tierwise.hadoop.inspect.audit.TraceCounts;
import java.util.List;

/**
 * Log and image read together, as data.
 *
 * @param log what was read, and counted
 * @param image what is stored
 * @param hotReadsPerDay a file is hot from so many reads a day on, if there are two at least
 * @param heats hottest first
 * @param tiers fastest first
 * @param unused cold files by the time since their last use, by the image
 * @param misplaced in the order of the kinds
 * @param hottestFiles most bytes read first
 * @param hottestDirectories most bytes read first; of files directly in them
 * @param traces of DataNodes that were named; null when none were
 * @param jobs of the history that was named; null when none was
 * @param remarks what should be known before any of it is believed
 */
public record Advice(
    LogPart log,
    ImagePart image,
    double hotReadsPerDay,
    List<HeatRow> heats,
    List<TierRow> tiers,
    List<UnusedRow> unused,
    List<MisplacedRow> misplaced,
    List<HotFile> hottestFiles,
    List<HotDirectory> hottestDirectories,
    Traces traces,
    Jobs jobs,
    List<String> remarks) {
  /** The same with jobs. */
  Advice with(Jobs ofHistory) {
    return new Advice(
        log,
        image,
        hotReadsPerDay,
        heats,
        tiers,
        unused,
        misplaced,
        hottestFiles,
        hottestDirectories,
        traces,
        ofHistory,
        remarks);
  }

  /**
   * Of the log.
   *
   * @param observedSeconds between its lines, without leaps of its clock
   * @param clockJumps leaps that were left out
   * @param filesRead that have a count, and were not deleted since
   * @param filesInImage those of them that the image has
   */
  public record LogPart(
      HeatAnswer.Log lines,
      HeatAnswer.Counted counted,
      String until,
      double observedSeconds,
      int clockJumps,
      long filesRead,
      long filesInImage) {}

  /**
   * Of the image.
   *
   * @param storedBytes with all replicas and parity
   * @param snapshotFiles that only snapshots hold; these are left out of all else
   */
  public record ImagePart(
      int layoutVersion,
      long files,
      long directories,
      long bytes,
      long storedBytes,
      long snapshotFiles,
      long snapshotBytes) {}

  /**
   * The files of one heat.
   *
   * @param readBytes by client traces where there are some, else reads times size
   */
  public record HeatRow(
      Heat heat, long files, long bytes, long storedBytes, long reads, long readBytes) {}

  /**
   * The bytes that policies want on a tier.
   *
   * @param tier null where no policy tells
   */
  public record TierRow(String tier, long hotBytes, long warmBytes, long coldBytes) {}

  /** Cold files that were not used for so many days before the log's end. */
  public record UnusedRow(int days, long files, long bytes, long storedBytes) {}

  /**
   * Files of one misplacement.
   *
   * @param bytes their length
   * @param cureBytes that mending it takes or frees, as its kind says
   */
  public record MisplacedRow(Misplaced kind, long files, long bytes, long cureBytes) {}

  /**
   * A file.
   *
   * @param readersMax the most reads that began within a minute
   * @param replicas null for an erasure-coded file
   * @param tiers that its policy wants; empty where it does not tell
   * @param readBytes by client traces where there are some, else reads times size
   */
  public record HotFile(
      String path,
      long reads,
      int readersMax,
      long bytes,
      Integer replicas,
      List<String> tiers,
      long readBytes) {}

  /** Some files, and bytes that were read of them. */
  public record TracePart(long files, long bytes) {}

  /**
   * What DataNodes' client traces told.
   *
   * @param since time of the first that counts
   * @param until time of the last one
   * @param seconds between them
   * @param traced files that have some
   * @param unopened of these, files that nobody opened in the log
   * @param estimated files that have none, though they were read between them: reads times size
   * @param otherTimeReads reads before and after
   * @param otherTimeBytes of these, times size
   * @param shortCircuitFiles files of which readers got blocks to read by themselves
   * @param unmappedBlocks blocks that the image has not, or no file that is still there
   * @param unmappedBytes that were sent of these
   * @param excessBytes left out, since they are more than the lines' blocks have: the rest of whole
   *     chunks, or of a forged line
   */
  public record Traces(
      TraceCounts lines,
      int dataNodes,
      String since,
      String until,
      double seconds,
      TracePart traced,
      TracePart unopened,
      TracePart estimated,
      long otherTimeReads,
      long otherTimeBytes,
      long shortCircuitFiles,
      long unmappedBlocks,
      long unmappedBytes,
      long excessBytes) {}

  /** The state of a job, by a log and an image. */
  public enum Found {
    /** It has reads in the log. */
    READS("have reads in the log"),
    /** Neither its history nor a configuration beside it names an input. */
    NO_INPUT_NAMED(
        "name no input: a MapReduce job's is in its job_..._conf.xml, a Spark table's in its plan"),
    /** It ran before the log begins, or after it ends. */
    OUTSIDE_THE_LOG("ran when the log was not written"),
    /** The image has no file at what it names. */
    NOT_IN_THE_IMAGE("name an input of which the image has no file"),
    /** The image has its files, and nobody read them while it ran. */
    NOT_READ_THEN("name files that nobody read while they ran: are --zone and the cluster right?");

    private final String text;

    Found(String text) {
      this.text = text;
    }

    /** For people, behind a number of jobs. */
    String text() {
      return text;
    }
  }

  /**
   * The jobs of a history.
   *
   * @param unfinished logs of applications that still run; left out
   * @param refused files that cannot be used; left out
   * @param rows in order of submission
   */
  public record Jobs(long unfinished, long refused, List<Job> rows) {
    public Jobs {
      rows = List.copyOf(rows);
    }
  }

  /**
   * A job.
   *
   * @param seconds from the start of its first task to its end
   * @param readersMax tasks that read at the same time
   * @param bytesRead by its own counters
   * @param files of the image that it names as its input
   * @param reads of the log that are its
   * @param readBytes of these, times size
   * @param fastShare of these, of files that should have a replica on a fast tier
   */
  public record Job(
      String id,
      String application,
      String engine,
      Found found,
      double seconds,
      int hosts,
      int readersMax,
      long bytesRead,
      long files,
      long reads,
      long readBytes,
      double fastShare) {}

  /** A directory, by the files in it that were read. */
  public record HotDirectory(String path, long files, long reads, long bytes, long readBytes) {}
}
