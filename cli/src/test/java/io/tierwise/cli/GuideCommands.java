package io.tierwise.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The commands of a guide, as its readers would copy them. */
final class GuideCommands {
  private static final Pattern BLOCK =
      Pattern.compile("(?m)^(?:<!-- run: (.+?) -->\\n)?```sh\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

  private GuideCommands() {}

  /**
   * One line.
   *
   * @param words without quotes and comment
   * @param comment what stands behind #, or empty
   */
  record Line(List<String> words, String comment) {
    static Line of(String text) {
      int hash = text.indexOf(" #");
      List<String> words = new ArrayList<>();
      Matcher word = WORD.matcher(hash < 0 ? text : text.substring(0, hash));
      while (word.find()) {
        words.add(word.group(1) != null ? word.group(1) : word.group(2));
      }
      return new Line(List.copyOf(words), hash < 0 ? "" : text.substring(hash + 2).strip());
    }

    boolean startsWith(String... begin) {
      return words.size() >= begin.length
          && words.subList(0, begin.length).equals(Arrays.asList(begin));
    }

    String[] arguments(int from) {
      return words.subList(from, words.size()).toArray(String[]::new);
    }
  }

  /** The lines of all blocks that say they run there. */
  static List<Line> of(Path guide, String where) throws IOException {
    List<Line> lines = new ArrayList<>();
    Matcher block = BLOCK.matcher(Files.readString(guide));
    while (block.find()) {
      if (where.equals(block.group(1))) {
        String text = block.group(2).replace("\\\n", "");
        text.lines().filter(line -> !line.isBlank()).map(Line::of).forEach(lines::add);
      }
    }
    return lines;
  }

  /** Blocks that do not say where they were run. */
  static List<String> unsaid(Path guide) throws IOException {
    List<String> blocks = new ArrayList<>();
    Matcher block = BLOCK.matcher(Files.readString(guide));
    while (block.find()) {
      if (block.group(1) == null) {
        blocks.add(block.group(2));
      }
    }
    return blocks;
  }
}
