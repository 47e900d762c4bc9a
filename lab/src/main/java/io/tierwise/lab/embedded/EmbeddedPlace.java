package io.tierwise.lab.embedded;

import io.tierwise.core.message.FileReason;
import io.tierwise.core.message.OperatorException;
import io.tierwise.lab.ProcessIdentity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.apache.hadoop.fs.FileUtil;

/**
 * Where the embedded cluster of the current directory has its files, and which process runs it. The
 * kernel releases its lock when that process dies, however it dies; the lock file stays, since
 * removing it would let two processes hold "the" lock.
 */
public final class EmbeddedPlace implements AutoCloseable {
  /** All of a running cluster's files; gone when it ended in good order. */
  public static final Path ROOT = Path.of("build", "embedded");

  /** Stands there from the moment at which the cluster serves. */
  public static final Path CONF = ROOT.resolve("conf");

  /** The file with the prints of the process in the background. */
  public static final Path LOG = Path.of("build", "embedded.log");

  private static final Path LOCK = Path.of("build", "embedded.lock");

  private final FileChannel channel;
  private final boolean cleaned;

  private EmbeddedPlace(FileChannel channel, boolean cleaned) {
    this.channel = channel;
    this.cleaned = cleaned;
  }

  /** Whether files of a cluster that was killed stood here. */
  public boolean cleaned() {
    return cleaned;
  }

  /**
   * Takes the place for this process and removes what a killed one has left.
   *
   * @throws OperatorException when another process has it
   */
  public static EmbeddedPlace take() throws IOException {
    makeFolder();
    FileChannel channel =
        FileChannel.open(
            LOCK, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    if (!locked(channel)) {
      channel.close();
      throw takenBy(process().map(ProcessIdentity::pid).orElse(0L));
    }
    // Before this process is known as the one that runs: nobody takes what is left for its own.
    boolean cleaned = Files.exists(ROOT) && FileUtil.fullyDelete(ROOT.toFile());
    long pid = ProcessHandle.current().pid();
    String identity = pid + " " + ProcessIdentity.of(pid).orElseThrow().startTicks();
    channel.truncate(0);
    channel.write(ByteBuffer.wrap(identity.getBytes(StandardCharsets.US_ASCII)));
    return new EmbeddedPlace(channel, cleaned);
  }

  /** Makes the folder in which all of it lies. */
  static void makeFolder() {
    Path folder = LOCK.getParent();
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw OperatorException.cluster(
          "an embedded cluster has its files in "
              + folder
              + " of the current directory, which cannot be made ("
              + FileReason.of(e)
              + "): go to a directory of yours and start it there",
          e);
    }
  }

  private static boolean locked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException heldInThisJvm) {
      return false;
    }
  }

  /** The message to a user who starts a second cluster here. */
  public static OperatorException takenBy(long pid) {
    return OperatorException.cluster(
        "an embedded cluster runs here already"
            + (pid > 0 ? " (process " + pid + ")" : "")
            + ": use it with --embedded, or end it with 'tierwise embedded --stop'",
        null);
  }

  /** The process that starts or runs a cluster here; nothing when there is none, or it is dead. */
  public static Optional<ProcessIdentity> process() {
    try {
      String[] words = Files.readString(LOCK).strip().split(" ");
      return words.length == 2
          ? Optional.of(new ProcessIdentity(Long.parseLong(words[0]), Long.parseLong(words[1])))
              .filter(ProcessIdentity::isAlive)
          : Optional.empty();
    } catch (IOException | NumberFormatException nobodyWasHere) {
      return Optional.empty();
    }
  }

  /** Whether a cluster serves here. */
  public static boolean serves() {
    return Files.isDirectory(CONF) && process().isPresent();
  }

  @Override
  public void close() throws IOException {
    channel.truncate(0);
    channel.close();
  }
}
