package io.tierwise.profiles.output;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/** A file that an option names for an answer. */
public final class OutputFile {
  private OutputFile() {}

  /**
   * Puts a text into a file: whoever reads it sees the old text or the new one, never half of it.
   * Behind a link the link's target is replaced. A device or a pipe is written to, since a file
   * that took its name would end it for all programs.
   *
   * @throws IOException a file has its old text, and nothing is left beside it
   */
  public static void write(Path file, String text) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file)) {
      Files.writeString(file, text);
      return;
    }
    Path target = Files.exists(file) ? file.toRealPath() : file;
    Path part = target.resolveSibling(target.getFileName() + ".part");
    try {
      Files.writeString(part, text);
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /**
   * Refuses an answer that would take the place of what the command reads.
   *
   * @param option names the answer's file in the message
   * @param read files, by the option that names them; they need not be there
   */
  public static void requireOther(String option, Path file, Map<String, List<Path>> read)
      throws IOException {
    for (Map.Entry<String, List<Path>> each : read.entrySet()) {
      for (Path one : each.getValue()) {
        if (isSame(file, one)) {
          throw OperatorException.badInput(
              option + " " + file + " is what " + each.getKey() + " names: name another file");
        }
      }
    }
  }

  private static boolean isSame(Path file, Path other) throws IOException {
    try {
      return Files.isSameFile(file, other);
    } catch (NoSuchFileException e) {
      return false; // What is not there is refused, or made, by whoever opens it.
    }
  }
}
