package io.tierwise.profiles.popularity;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.OperatorException;
import io.tierwise.policies.popularity.UseFeatures;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** On a machine for which the library has no native part. */
class NoLibraryTest {
  /** Tries twice: the second time the classes are known to be broken. */
  static final class Fitter {
    private Fitter() {}

    public static void main(String[] arguments) {
      TrainingRows rows = new TrainingRows(2);
      rows.add(new float[UseFeatures.count()], 0, true, 1);
      for (int attempt = 0; attempt < 2; attempt++) {
        try (BoostedTrees boosted = new BoostedTrees(3600, 1)) {
          boosted.fit(rows);
        } catch (OperatorException e) {
          System.out.println(e.getMessage());
        }
      }
    }
  }

  @Test
  void eachFittingIsRefusedInOneLine() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-Dos.arch=vax",
                "-cp",
                System.getProperty("java.class.path"),
                Fitter.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    List<String> said;
    try (BufferedReader lines = process.inputReader()) {
      said = lines.lines().toList();
    }

    assertThat(process.waitFor()).isZero();
    assertThat(said)
        .hasSize(2)
        .allSatisfy(
            line ->
                assertThat(line)
                    .startsWith("trees cannot be fitted on this machine (")
                    .contains("vax")
                    .endsWith("all predictors but 'trees' do without"));
  }
}
