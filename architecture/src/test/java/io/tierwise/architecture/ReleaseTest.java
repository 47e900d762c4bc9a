package io.tierwise.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A release has no scripts of the sources, so that no message of a command may name one. */
class ReleaseTest {
  private static final Pattern SCRIPT =
      Pattern.compile("\"[^\"\n]*\\bscripts/[a-z-]+\\.sh[^\"\n]*\"");

  private static List<String> named(Path source) throws IOException {
    List<String> named = new ArrayList<>();
    Matcher script = SCRIPT.matcher(Files.readString(source));
    while (script.find()) {
      named.add(source.getFileName() + ": " + script.group());
    }
    return named;
  }

  @Test
  void noMessageOfACommandNamesAScriptThatIsNotPacked() throws IOException {
    List<String> named = new ArrayList<>();
    int seen = 0;
    for (HouseTree.Room room : HouseTree.rooms().values()) {
      // Those are run from a checkout alone.
      if (room.path().equals("benchmarks") || room.path().equals("hadoop/conformance")) {
        continue;
      }
      Path sources = Repository.root().resolve(room.path()).resolve("src/main/java");
      if (Files.isDirectory(sources)) {
        for (Path source : Repository.files(sources, path -> path.toString().endsWith(".java"))) {
          named.addAll(named(source));
          seen++;
        }
      }
    }

    assertThat(seen).isGreaterThan(500);
    assertThat(named).isEmpty();
  }
}
