package io.tierwise.lab.testbed.host;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Lets one command at a time change a testbed. The kernel releases the lock when its holder dies.
 * The empty lock file stays: removing it would let two commands hold "the" lock.
 */
public final class TestbedLock implements AutoCloseable {
  private final FileChannel channel;

  private TestbedLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes the lock of a testbed.
   *
   * @throws OperatorException naming the holder when another command has it
   */
  public static TestbedLock take(String testbedName, String command) {
    Path file = Path.of("/run/lock", "tierwise-testbed-" + testbedName + ".lock");
    try {
      Files.createDirectories(file.getParent());
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      if (!isLocked(channel)) {
        String holder = Files.readString(file).strip();
        channel.close();
        throw OperatorException.cluster(
            "the testbed \""
                + testbedName
                + "\" is in use by "
                + (holder.isEmpty() ? "another command" : holder)
                + ": wait for it, or take another --name",
            null);
      }
      channel.truncate(0);
      String holder = "testbed " + command + " (process " + ProcessHandle.current().pid() + ")";
      channel.write(ByteBuffer.wrap(holder.getBytes(StandardCharsets.UTF_8)));
      return new TestbedLock(channel);
    } catch (IOException e) {
      throw OperatorException.cluster("cannot lock " + file + ": " + e.getMessage(), e);
    }
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException heldInThisJvm) {
      return false;
    }
  }

  @Override
  public void close() {
    try {
      channel.truncate(0);
      channel.close();
    } catch (IOException e) {
      throw OperatorException.cluster("cannot release a lock" + ": " + e.getMessage(), e);
    }
  }
}
