package io.tierwise.hadoop.mover.journal;

import io.tierwise.core.message.OperatorException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * A directory of journals, a file a run. Nothing is ever changed in it but the end of the file of a
 * run that goes on; old files may be taken away.
 */
public final class Journal {
  /** Configuration key of the directory. */
  public static final String DIRECTORY_KEY = "tierwise.mover.journal.directory";

  /** Stands for the latest run. */
  public static final String LAST = "last";

  private static final String ENDING = ".jsonl";
  private static final DateTimeFormatter ID =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);
  private static final int IDS_A_SECOND_MAX = 1000;

  private static final Pattern NAME = Pattern.compile("\\d{8}-\\d{6}(-\\d+)?");

  private final Path directory;
  private final InstantSource clock;
  private final Function<Path, JournalRun.Target> opening;

  public Journal(Path directory) {
    this(directory, InstantSource.system());
  }

  Journal(Path directory, InstantSource clock) {
    this(directory, clock, Journal::open);
  }

  /**
   * The same on a disk that may fail.
   *
   * @param opening opens a file behind its end
   */
  Journal(Path directory, InstantSource clock, Function<Path, JournalRun.Target> opening) {
    this.directory = directory;
    this.clock = clock;
    this.opening = opening;
  }

  /**
   * The journal in a directory; for null in that of the configuration, else {@code
   * ~/.tierwise/journal}.
   */
  public static Journal in(Path directory, Configuration conf) {
    if (directory != null) {
      return new Journal(directory);
    }
    String configured = conf.getTrimmed(DIRECTORY_KEY, "");
    return new Journal(
        configured.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".tierwise", "journal")
            : Path.of(configured));
  }

  /** The directory. */
  public Path directory() {
    return directory;
  }

  /**
   * Begins a run of this user on a cluster; its first line is durable.
   *
   * @param undoes the run that it takes back; null for none
   */
  public JournalRun begin(
      String command, FileSystem cluster, List<String> paths, String to, String undoes)
      throws IOException {
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    return begin(command, user, cluster.getUri().toString(), paths, to, undoes);
  }

  /**
   * The same for any user and cluster.
   *
   * @throws OperatorException when it cannot be written; no file of it is left then
   */
  public JournalRun begin(
      String command, String user, String cluster, List<String> paths, String to, String undoes) {
    Path file;
    try {
      makeDirectory();
      file = makeFile();
    } catch (IOException e) {
      throw unwritable(e);
    }
    String id = idOf(file);
    boolean begun = false;
    JournalRun run = null;
    try {
      run = new JournalRun(id, file.toString(), opening.apply(file), clock);
      run.append(new JournalEntry.Begin(id, command, user, cluster, paths, to, undoes));
      run.sync();
      begun = true;
      return run;
    } catch (OperatorException e) {
      // Its file goes. A daemon that tries again says the same line.
      throw e.getCause() instanceof IOException cause ? unwritable(cause) : e;
    } finally {
      if (!begun) {
        // A daemon tries again and again: each try would leave an empty file.
        IOUtils.closeStream(run);
        boolean unused = file.toFile().delete();
      }
    }
  }

  private OperatorException unwritable(IOException why) {
    return OperatorException.cluster(
        "the journal "
            + directory
            + " cannot be written ("
            + JournalText.describe(why)
            + "): nothing was changed; make room, or give --journal DIR",
        why);
  }

  /** Requires that files can be made in it: a daemon would find out in a round, and try again. */
  public void requireWritable() {
    try {
      makeDirectory();
      Files.delete(Files.createTempFile(directory, "try", ".tmp"));
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  /** Makes the directory where there is none, for this user alone. */
  public void makeDirectory() throws IOException {
    // Names of files stand in it, and in its files: a directory that is there may be anybody's.
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory, only("rwx------"));
    }
  }

  private static FileAttribute<?> only(String owner) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(owner));
  }

  private Path makeFile() throws IOException {
    Instant time = clock.instant();
    Instant latest = latest();
    // By a clock that was set back this run would be older than the last one.
    if (time.isBefore(latest)) {
      time = latest;
    }
    while (true) {
      for (int i = 1; i <= IDS_A_SECOND_MAX; i++) {
        Path file = directory.resolve(ID.format(time) + (i == 1 ? "" : "-" + i) + ENDING);
        if (tryMakeFile(file)) {
          return file;
        }
      }
      time = time.plusSeconds(1);
    }
  }

  /** The beginning of the latest run that there is. */
  private Instant latest() {
    return ids().stream()
        .flatMap(id -> begun(id).stream())
        .max(Comparator.naturalOrder())
        .orElse(Instant.EPOCH);
  }

  private static Optional<Instant> begun(String id) {
    try {
      return Optional.of(ID.parse(secondOf(id), Instant::from));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /** False when it is there already. */
  private boolean tryMakeFile(Path file) throws IOException {
    try {
      Files.createFile(file, only("rw-------"));
    } catch (FileAlreadyExistsException e) {
      return false;
    }
    // Else the file itself could be gone after a loss of power.
    try (FileChannel folder = FileChannel.open(directory, StandardOpenOption.READ)) {
      folder.force(true);
    }
    return true;
  }

  private static JournalRun.Target open(Path file) {
    try {
      // Not a channel: an interrupt closes those.
      FileOutputStream out = new FileOutputStream(file.toFile(), true);
      return new JournalRun.Target() {
        @Override
        public OutputStream out() {
          return out;
        }

        @Override
        public void sync() throws IOException {
          out.getFD().sync();
        }

        @Override
        public void close() throws IOException {
          out.close();
        }
      };
    } catch (IOException e) {
      throw OperatorException.cluster(
          "the journal " + file + " cannot be written (" + JournalText.describe(e) + ")", e);
    }
  }

  /**
   * The ids of all runs, the oldest first. A process that was killed before the first line of its
   * run was whole did nothing in it: that is none. Neither are files of other names.
   */
  public List<String> runs() {
    return ids().stream().filter(this::hasFirstLine).toList();
  }

  private boolean hasFirstLine(String id) {
    try (JournalText text = JournalText.of(directory.resolve(id + ENDING))) {
      String first = text.next();
      // Anything else is damaged, and not passed over.
      return first != null && (first.endsWith("\n") || !first.startsWith(JournalLine.BEGINNING));
    } catch (OperatorException e) {
      return true; // Whoever reads it says why it cannot be read.
    }
  }

  private List<String> ids() {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(ENDING))
          .map(Journal::idOf)
          .filter(id -> NAME.matcher(id).matches() && begun(id).isPresent())
          .sorted(
              (a, b) ->
                  a.length() == b.length() || !sameSecond(a, b)
                      ? a.compareTo(b)
                      : Integer.compare(a.length(), b.length()))
          .toList();
    } catch (IOException e) {
      throw OperatorException.cluster(
          "the journal " + directory + " cannot be read (" + JournalText.describe(e) + ")", e);
    }
  }

  /**
   * The id that a person means: of {@code last} the latest run.
   *
   * @throws OperatorException when there is none
   */
  public String resolve(String name) {
    if (!name.equals(LAST)) {
      return name;
    }
    List<String> all = runs();
    if (all.isEmpty()) {
      throw OperatorException.badInput("no run in the journal " + directory);
    }
    return all.get(all.size() - 1);
  }

  private static boolean sameSecond(String a, String b) {
    return a.startsWith(secondOf(b));
  }

  private static String secondOf(String id) {
    return id.substring(0, Math.min("yyyyMMdd-HHmmss".length(), id.length()));
  }

  private static String idOf(Path file) {
    String name = file.getFileName().toString();
    return name.substring(0, name.length() - ENDING.length());
  }

  /** Is handed the lines of a run, one after the other. */
  @FunctionalInterface
  public interface Reader<X extends Exception> {
    void line(JournalLine line) throws X;
  }

  /**
   * Reads a run's lines in their order; none is kept.
   *
   * @return whether the last line is cut, as the end of a process in the middle of it leaves it:
   *     what it was about did not start
   * @throws OperatorException when there is no such run, or its file is damaged or of a newer
   *     version
   */
  public <X extends Exception> boolean read(String id, Reader<X> reader) throws X {
    Path file = directory.resolve(id + ENDING);
    if (!id.matches("[0-9-]+") || !Files.isRegularFile(file)) {
      throw OperatorException.badInput(
          "no run " + id + " in the journal " + directory + ": 'tierwise journal' lists them");
    }
    long number = 0;
    try (JournalText text = JournalText.of(file)) {
      for (String one = text.next(); one != null; one = text.next()) {
        JournalLine line = parse(file, number, one);
        if (line == null) {
          return true;
        }
        reader.line(line);
        number++;
      }
    }
    if (number == 0) {
      throw damaged(file, 0, "it is empty");
    }
    return false;
  }

  /**
   * Reads how a run began; the rest of its file may be damaged.
   *
   * @throws OperatorException when that cannot be read
   */
  public JournalEntry.Begin beginOf(String id) {
    Path file = directory.resolve(id + ENDING);
    try (JournalText text = JournalText.of(file)) {
      String first = text.next();
      JournalLine line = first == null ? null : parse(file, 0, first);
      if (line != null && line.entry() instanceof JournalEntry.Begin begin) {
        return begin;
      }
      throw damaged(file, 0, "it is empty");
    }
  }

  /** Null for a line that is cut. */
  private static JournalLine parse(Path file, long number, String text) {
    try {
      JournalLine line = JournalLine.parse(text.stripTrailing());
      if (line.number() != number
          || (number == 0) != (line.entry() instanceof JournalEntry.Begin)) {
        throw damaged(file, number, "lines before it are missing");
      }
      return line;
    } catch (JournalLine.Newer e) {
      throw OperatorException.cluster(
          "the journal "
              + file
              + " is of version "
              + e.getMessage()
              + ", and this tierwise knows version "
              + JournalLine.VERSION
              + ": use the newer tierwise that wrote it",
          e);
    } catch (JournalLine.Damaged e) {
      if (!text.endsWith("\n") && number > 0) {
        return null;
      }
      throw damaged(file, number, e.getMessage());
    }
  }

  private static OperatorException damaged(Path file, long number, String why) {
    return OperatorException.cluster(
        "the journal " + file + " is damaged at line " + (number + 1) + ": " + why, null);
  }
}
