package io.tierwise.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Keeps the source tree readable: short files, packages that introduce themselves. */
class SourceTreeTest {
  /** Own: longer files of ours were split along a seam that was there already. */
  private static final int LINES_MAX = 400;

  /** Java, Rust, C and C++, Python, Fortran, shell. */
  private static final Pattern SOURCE = Pattern.compile(".*\\.(java|rs|c|cpp|h|hpp|py|f90|sh)");

  @Test
  void noSourceFileExceeds400Lines() throws IOException {
    List<String> tooLong = new ArrayList<>();
    for (Path source : sources()) {
      int lines = Files.readAllLines(source).size();
      if (lines > LINES_MAX) {
        tooLong.add(Repository.root().relativize(source) + " has " + lines);
      }
    }

    assertThat(tooLong).isEmpty();
  }

  @Test
  void everyPackageIntroducesItself() {
    List<Path> silent =
        mainSources().stream()
            .map(Path::getParent)
            .distinct()
            .filter(folder -> !Files.exists(folder.resolve("package-info.java")))
            .toList();

    assertThat(silent).isEmpty();
  }

  @Test
  void onlyTheHadoopFolderPutsClassesIntoHadoopsPackages() {
    List<Path> outside =
        mainSources().stream()
            .map(source -> Repository.root().relativize(source))
            .filter(source -> source.toString().contains("/org/apache/"))
            .filter(source -> !source.startsWith("hadoop"))
            .toList();

    assertThat(outside).isEmpty();
  }

  /** Looking in the wrong folder would find nothing wrong. */
  @Test
  void theSourcesOfAllModulesAreSeen() {
    assertThat(mainSources().stream().map(s -> Repository.root().relativize(s).getName(0)))
        .map(Path::toString)
        .contains("core", "policies", "experiments", "lab", "cli");
  }

  @Test
  void theSourcesOfAllLanguagesAreSeen() {
    assertThat(sources().stream().map(s -> s.toString().replaceFirst(".*\\.", "")).distinct())
        .contains("java", "rs", "cpp", "hpp", "py", "f90", "sh");
  }

  private static List<Path> sources() {
    return Repository.files(
        Repository.root(), path -> SOURCE.matcher(path.getFileName().toString()).matches());
  }

  private static List<Path> mainSources() {
    return Repository.files(
        Repository.root(),
        path -> path.toString().contains("src/main/java/") && path.toString().endsWith(".java"));
  }
}
