package io.tierwise.hadoop.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The line at the start, and the lines of Hadoop on which the plug-in does nothing else. */
class VersionsTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "3.5.0, true",
    "3.5.1-SNAPSHOT, true",
    "3.4.2, true",
    "3.3.6, false",
    "3.50.0, false",
    "4.0.0, false",
    "Unknown, false"
  })
  void runsOnTheLinesThatItWasBuiltForAndSaysWhyNotInOneLine(String hadoop, boolean runs) {
    Versions versions = new Versions("1.2", List.of("3.4", "3.5"), hadoop, Set.of());
    assertThat(versions.isBuiltFor()).isEqualTo(runs);
    assertThat(versions.line("client"))
        .startsWith("Tierwise 1.2 client ")
        .endsWith(hadoop)
        .doesNotContain("\n");
    if (!runs) {
      assertThat(versions.line("client")).contains("stays off").contains("3.4 and 3.5");
    }
  }

  @Test
  void thisHadoopIsOneOfThemAndOneCopyIsNotWorthAWord() {
    assertThat(Versions.here().isBuiltFor()).isTrue();
    assertThat(Versions.here().warning()).isEmpty();
    assertThat(Versions.allow("test")).isTrue();
  }

  @Test
  void twoCopiesOnOneClassPathAreSaidInOneLineWithTheirPlaces() throws IOException {
    List<URL> path = new ArrayList<>();
    for (String version : new String[] {"1.0", "1.1"}) {
      Path copy = folder.resolve(version);
      Files.createDirectories(copy.resolve(Versions.RESOURCE).getParent());
      Files.writeString(
          copy.resolve(Versions.RESOURCE), "version=" + version + "\nhadoop-lines=3.5\n");
      path.add(copy.toUri().toURL());
    }
    try (URLClassLoader loader = new URLClassLoader(path.toArray(new URL[0]), null)) {
      Set<String> copies = Versions.copiesOn(loader);
      assertThat(copies).hasSize(2);
      assertThat(new Versions("1.0", List.of("3.5"), "3.5.0", copies).warning())
          .hasValueSatisfying(
              line ->
                  assertThat(line)
                      .contains("2 times")
                      .contains("1.0 at ")
                      .contains("1.1 at ")
                      .contains(folder.toString())
                      .doesNotContain("\n"));
    }
  }
}
