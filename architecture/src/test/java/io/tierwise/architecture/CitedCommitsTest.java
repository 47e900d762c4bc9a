package io.tierwise.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** A figure can be taken again only at a commit that is there. */
class CitedCommitsTest {
  /** Abbreviated hashes: digits alone could be anything, and so could letters. */
  private static final Pattern HASH =
      Pattern.compile("\\b(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,8}\\b");

  private static final Pattern FENCED =
      Pattern.compile("^```.*?^```", Pattern.MULTILINE | Pattern.DOTALL);

  private final Path root = Repository.root();

  @Test
  void commitsThatResultsNameAreInTheHistory() throws Exception {
    Assumptions.assumeTrue(
        git("rev-parse", "--is-shallow-repository").equals(List.of("false")),
        "a shallow clone lacks the history: git fetch --unshallow");
    TreeSet<String> history = new TreeSet<>(git("rev-list", "HEAD"));
    List<String> gone = new ArrayList<>();
    int seen = 0;
    for (Path page : Repository.files(root, path -> isPage(path.toString()))) {
      String text = FENCED.matcher(Files.readString(page)).replaceAll("");
      Matcher cited = HASH.matcher(text);
      while (cited.find()) {
        seen++;
        String first = history.ceiling(cited.group());
        if (first == null || !first.startsWith(cited.group())) {
          gone.add(root.relativize(page) + ": " + cited.group());
        }
      }
    }

    assertThat(seen).isGreaterThan(200);
    assertThat(gone).isEmpty();
  }

  private static boolean isPage(String path) {
    return path.contains("docs/results") && path.endsWith(".md");
  }

  private List<String> git(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return text.lines().toList();
  }
}
