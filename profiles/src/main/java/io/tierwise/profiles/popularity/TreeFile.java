package io.tierwise.profiles.popularity;

import io.tierwise.core.message.FileReason;
import io.tierwise.core.message.OperatorException;
import io.tierwise.policies.popularity.DecisionTrees;
import io.tierwise.policies.popularity.TreeText;
import io.tierwise.profiles.output.OutputFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Trees in a file, as their text. */
public final class TreeFile {
  /** Own: the largest trees that are understood are smaller. */
  private static final long BYTES_MAX = 16L << 20;

  private TreeFile() {}

  /**
   * Reads trees.
   *
   * @throws IllegalArgumentException one line that names the file and what is wrong
   */
  public static DecisionTrees read(Path file) {
    String text;
    try {
      if (Files.size(file) > BYTES_MAX) {
        throw new IllegalArgumentException(
            file + " has more than " + BYTES_MAX + " bytes: it holds no trees");
      }
      // Any byte is a character there: what is no tree is refused by its line.
      text = Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new IllegalArgumentException(file + " cannot be read: " + FileReason.alone(e), e);
    }
    return TreeText.parse(text, file.toString());
  }

  /**
   * Writes trees, whole or not at all.
   *
   * @throws OperatorException one line: what was there before is still there
   */
  public static void write(Path file, DecisionTrees trees) {
    try {
      OutputFile.write(file, TreeText.of(trees));
    } catch (IOException e) {
      throw OperatorException.cluster(file + " cannot be written: " + FileReason.alone(e), e);
    }
  }
}
