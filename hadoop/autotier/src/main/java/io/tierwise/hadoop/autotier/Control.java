package io.tierwise.hadoop.autotier;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tierwise.core.message.OperatorException;
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
import org.apache.hadoop.security.UserGroupInformation;

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
   * @param daemon what it last told; null when none ever ran
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
                  + daemon.rounds()
                  + " rounds"
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
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String user() throws IOException {
    return UserGroupInformation.getCurrentUser().getShortUserName();
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

  /** Has the daemon change nothing any more, within seconds; also one that begins later. */
  public void pause() throws IOException {
    try {
      write(paused, new Mark(user(), now()));
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

  /** Lets others see what the daemon does. */
  void tell(Told what) throws IOException {
    write(told, what);
  }

  /** Whole or not at all: readers come at any time. */
  private void write(Path file, Object value) throws IOException {
    Path coming = file.suffix("." + Long.toHexString(System.nanoTime()));
    try (OutputStream out = fs.create(coming, true)) {
      out.write(MAPPER.writeValueAsBytes(value));
    }
    fs.rename(coming, file, Options.Rename.OVERWRITE);
  }

  /**
   * Deletes what processes that were killed left of files that they were writing. For the one that
   * has the lease: a daemon before it writes nothing any more that counts. People who pause have a
   * minute for it.
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

  private boolean isRecent(String seen) {
    try {
      return seen != null
          && Instant.parse(seen).isAfter(Instant.now().minusSeconds(SILENT_SECONDS_MAX));
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
    Mark mark = read(paused, Mark.class);
    boolean runs = daemon != null && isRecent(daemon.seen()) && fs.exists(lease);
    State state = !runs ? State.STOPPED : mark == null ? State.RUNNING : State.PAUSED;
    return new Status(
        state, mark == null ? null : mark.user(), mark == null ? null : mark.since(), daemon);
  }
}
