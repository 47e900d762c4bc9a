package io.tierwise.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the relative links of a Markdown file and says which lead nowhere. Links to other hosts are
 * not followed. Anchors are GitHub's: a heading's text in lower case, without punctuation, spaces
 * as hyphens, repeated headings numbered.
 */
final class MarkdownLinks {
  private static final Pattern INLINE = Pattern.compile("]\\(\\s*<?([^)\\s>]+)>?[^)]*\\)");
  private static final Pattern REFERENCE =
      Pattern.compile("^\\s{0,3}\\[[^]]+]:\\s*<?(\\S+?)>?(\\s|$)");
  private static final Pattern OTHER_HOST = Pattern.compile("^[a-zA-Z][a-zA-Z0-9+.-]*:.*");
  private static final Pattern HEADING = Pattern.compile("^#{1,6}\\s+(.*?)\\s*#*$");
  private static final Pattern NAMED_ANCHOR = Pattern.compile("<a\\s+(?:id|name)=\"([^\"]+)\"");
  private static final Pattern LINE_ANCHOR = Pattern.compile("L(\\d+)(?:-L\\d+)?");
  private static final Pattern CODE_SPAN = Pattern.compile("`[^`]*`");

  private final Path root;

  /** Checks links inside {@code root}; a link that leaves it is broken wherever else one clones. */
  MarkdownLinks(Path root) {
    this.root = root.toAbsolutePath().normalize();
  }

  /** One line for every broken link of {@code markdown}; empty when all is well. */
  List<String> broken(Path markdown) throws IOException {
    List<String> broken = new ArrayList<>();
    for (String target : targets(markdown)) {
      fault(markdown, target)
          .ifPresent(why -> broken.add(root.relativize(markdown) + ": " + target + ": " + why));
    }
    return broken;
  }

  /** The relative links of {@code markdown} in order, code left out. */
  static List<String> targets(Path markdown) throws IOException {
    List<String> targets = new ArrayList<>();
    for (String line : prose(markdown)) {
      Matcher reference = REFERENCE.matcher(line);
      if (reference.find()) {
        targets.add(reference.group(1));
      }
      Matcher inline = INLINE.matcher(CODE_SPAN.matcher(line).replaceAll("code"));
      while (inline.find()) {
        targets.add(inline.group(1));
      }
    }
    targets.removeIf(target -> OTHER_HOST.matcher(target).matches());
    return targets;
  }

  private Optional<String> fault(Path markdown, String target) throws IOException {
    int hash = target.indexOf('#');
    String path = hash < 0 ? target : target.substring(0, hash);
    Path file =
        path.isEmpty() ? markdown : markdown.resolveSibling(path).toAbsolutePath().normalize();
    if (!file.startsWith(root)) {
      return Optional.of("leaves the repository");
    }
    if (!Files.exists(file)) {
      return Optional.of("no such file");
    }
    if (hash < 0) {
      return Optional.empty();
    }
    String anchor = target.substring(hash + 1);
    return hasAnchor(file, anchor) ? Optional.empty() : Optional.of("no such anchor");
  }

  private static boolean hasAnchor(Path file, String anchor) throws IOException {
    if (Files.isDirectory(file)) {
      return false;
    }
    if (file.toString().endsWith(".md")) {
      return anchors(file).contains(anchor);
    }
    Matcher line = LINE_ANCHOR.matcher(anchor);
    return line.matches() && Integer.parseInt(line.group(1)) <= Files.readAllLines(file).size();
  }

  private static Set<String> anchors(Path markdown) throws IOException {
    Set<String> anchors = new LinkedHashSet<>();
    for (String line : prose(markdown)) {
      Matcher named = NAMED_ANCHOR.matcher(line);
      while (named.find()) {
        anchors.add(named.group(1));
      }
      Matcher heading = HEADING.matcher(line);
      if (heading.matches()) {
        String slug = slug(heading.group(1));
        String unique = slug;
        for (int count = 1; !anchors.add(unique); count++) {
          unique = slug + "-" + count;
        }
      }
    }
    return anchors;
  }

  private static String slug(String heading) {
    return heading
        .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N}\\s_-]", "")
        .replaceAll("\\s", "-");
  }

  /** The lines outside fenced code. */
  private static List<String> prose(Path markdown) throws IOException {
    List<String> prose = new ArrayList<>();
    boolean code = false;
    for (String line : Files.readAllLines(markdown)) {
      if (line.stripLeading().startsWith("```") || line.stripLeading().startsWith("~~~")) {
        code = !code;
      } else if (!code) {
        prose.add(line);
      }
    }
    return prose;
  }
}
