package io.tierwise.hadoop.autotier;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;

/**
 * The daemon's directory in HDFS, over which commands on any machine speak to it: the lease, a mark
 * that says "paused", and what the daemon last told of itself.
 */
public final class Control {
  /** Configuration key of the directory. */
  public static final String DIRECTORY_KEY = "tierwise.autotier.directory";

  private static final String DIRECTORY = "/system/tierwise-autotier";

  /** Own: a daemon tells of itself twice as often. */
  private static final long SILENT_SECONDS_MAX = 60;

  private static final ObjectMapper MAPPER =
      JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();

  private final DistributedFileSystem fs;
  private final Path directory;
  private final Path lease;
  private final Path paused;
  private final Path told;

  /**
   * The state that a daemon tells of itself.
   *
   * @param host and process that it is
   * @param seen when it told that
   * @param rounds that it has made
   * @param last of them; null before the first
   * @param jobs that were prefetched for; null where none are
   */
  public record Told(
      String host,
      String user,
      String since,
      String seen,
      String predictor,
      long rounds,
      Round last,
      JobsTold jobs) {}

  /** The mark of a pause. */
  record Mark(String user, String since) {}

  /** How it is with the daemon. */
  public enum State {
    /** It follows the log and decides. */
    RUNNING,
    /** It follows the log and changes nothing. */
    PAUSED,
    /** None runs, or it has been silent for more than a minute. */
    STOPPED
  }

  /**
   * The daemon for those who look at it.
   *
   * @param pausedBy the user who paused it; null when nobody did
   * @param daemon what it last told; null when none ever did
   */
  public record Status(State state, String pausedBy, String pausedSince, Told daemon) {
    /** For people. */
    public String text() {
      String about =
          daemon == null
              ? ""
              : " ("
                  + daemon.host()
                  + " as "
                  + daemon.user()
                  + ", seen "
                  + daemon.seen()
                  + ", "
                  + Words.count(daemon.rounds(), "round")
                  + (daemon.last() == null ? "" : "; the last: " + daemon.last().text())
                  + (daemon.jobs() == null ? "" : "; " + daemon.jobs().text())
                  + ")";
      String pause = pausedBy == null ? "" : "; paused by " + pausedBy + " since " + pausedSince;
      return state.name().toLowerCase(Locale.ROOT) + about + pause;
    }
  }

  public Control(DistributedFileSystem fs, Configuration conf) {
    this.fs = fs;
    directory = directory(conf);
    lease = new Path(directory, "lease");
    paused = new Path(directory, "paused");
    told = new Path(directory, "status.json");
  }

  static Path directory(Configuration conf) {
    return new Path(conf.getTrimmed(DIRECTORY_KEY, DIRECTORY));
  }

  static String now() {
    return time(Instant.now());
  }

  private static String time(Instant when) {
    return when.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Takes the lease; empty while another daemon has it. */
  Optional<Lease> tryLease() throws IOException {
    try {
      return Lease.tryTake(fs, lease);
    } catch (AccessControlException e) {
      throw notAllowed(e);
    }
  }

  private OperatorException notAllowed(AccessControlException e) {
    return OperatorException.cluster(
        "no permission to write "
            + lease.getParent()
            + ": give all autotier commands -D "
            + DIRECTORY_KEY
            + "=DIR, a directory in HDFS that this user may write",
        e);
  }

  /** Whether the daemon is to change nothing. */
  boolean isPaused() throws IOException {
    return fs.exists(paused);
  }

  /**
   * Has the daemon change nothing any more, within seconds; also one that begins later. The mark
   * has no bytes, so that also a daemon can be paused that has filled all disks: its owner is who
   * paused it, at the time when it was made. One that is there stays: HDFS lets nobody else
   * overwrite it.
   */
  public void pause() throws IOException {
    try {
      if (!isPaused()) {
        fs.create(paused, true).close();
      }
    } catch (AccessControlException e) {
      throw notAllowed(e);
    }
  }

  /** Takes a pause back. */
  public void resume() throws IOException {
    try {
      fs.delete(paused, false);
    } catch (AccessControlException e) {
      throw notAllowed(e);
    }
  }

  /** Where the daemon tells of itself. */
  String toldPath() {
    return told.toUri().getPath();
  }

  /**
   * Lets others see what the daemon does: whole or not at all, since readers come at any time.
   *
   * @throws IOException when it cannot be written, as where all disks are full: nothing is left of
   *     it
   */
  void tell(Told what) throws IOException {
    Path coming = told.suffix("." + Long.toHexString(System.nanoTime()));
    try {
      try (OutputStream out = fs.create(coming, true)) {
        out.write(MAPPER.writeValueAsBytes(what));
      }
      fs.rename(coming, told, Options.Rename.OVERWRITE);
    } catch (IOException e) {
      discard(coming, e);
      throw e;
    }
  }

  private void discard(Path coming, IOException why) {
    try {
      fs.delete(coming, false);
    } catch (IOException e) {
      why.addSuppressed(e); // The next daemon deletes it.
    }
  }

  /** A sign of life that takes no room, where the state cannot be written. */
  void sign() throws IOException {
    fs.setTimes(lease, System.currentTimeMillis(), -1);
  }

  /**
   * Deletes what processes that were killed left of files that they were writing. For the one that
   * has the lease: a daemon before it writes nothing any more that counts. People who pause by an
   * earlier version have a minute for it.
   */
  void clear() throws IOException {
    long old = System.currentTimeMillis() - TimeUnit.SECONDS.toMillis(SILENT_SECONDS_MAX);
    for (FileStatus each : fs.listStatus(directory)) {
      String name = each.getPath().getName();
      if (name.startsWith(told.getName() + ".")
          || (name.startsWith(paused.getName() + ".") && each.getModificationTime() < old)) {
        fs.delete(each.getPath(), false);
      }
    }
  }

  private <T> T read(Path file, Class<T> kind) throws IOException {
    try (FSDataInputStream in = fs.open(file)) {
      return MAPPER.readValue(new String(in.readAllBytes(), StandardCharsets.UTF_8), kind);
    } catch (FileNotFoundException e) {
      return null;
    } catch (JsonProcessingException e) {
      throw unreadable(file, e);
    }
  }

  private static OperatorException unreadable(Path file, Exception e) {
    return OperatorException.cluster(
        file.toUri().getPath() + " is not what Tierwise writes: delete it", e);
  }

  /** Null where nobody paused it. */
  private Mark mark() throws IOException {
    FileStatus file = find(paused);
    if (file == null) {
      return null;
    }
    // Earlier versions wrote who it was.
    return file.getLen() > 0
        ? read(paused, Mark.class)
        : new Mark(file.getOwner(), time(Instant.ofEpochMilli(file.getModificationTime())));
  }

  private FileStatus find(Path file) throws IOException {
    try {
      return fs.getFileStatus(file);
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  private static boolean isRecent(Instant seen) {
    return seen.isAfter(Instant.now().minusSeconds(SILENT_SECONDS_MAX));
  }

  /**
   * Whether a daemon gives signs of life alone. HDFS sets the time of a file, too, as it closes it.
   */
  private boolean isSigned(FileStatus held) throws IOException {
    try {
      return isRecent(Instant.ofEpochMilli(held.getModificationTime())) && !fs.isFileClosed(lease);
    } catch (FileNotFoundException e) {
      return false; // It has just ended.
    }
  }

  private boolean isRecent(Told daemon) {
    try {
      return daemon != null && daemon.seen() != null && isRecent(Instant.parse(daemon.seen()));
    } catch (DateTimeParseException e) {
      throw unreadable(told, e);
    }
  }

  /**
   * How it is now.
   *
   * @throws OperatorException when a file in the directory is not what the daemon wrote
   */
  public Status status() throws IOException {
    Told daemon = read(told, Told.class);
    Mark mark = mark();
    boolean isRecent = isRecent(daemon);
    FileStatus held = find(lease);
    boolean runs = held != null && (isRecent || isSigned(held));
    State state = !runs ? State.STOPPED : mark == null ? State.RUNNING : State.PAUSED;
    return new Status(
        state, mark == null ? null : mark.user(), mark == null ? null : mark.since(), daemon);
  }
}
