package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuleBookTest {
  @TempDir private Path folder;

  @Test
  void aFileThatCannotBeReadIsRefusedInWordsThatSayWhatToMend() throws IOException {
    Path latin = folder.resolve("latin.txt");
    Files.writeString(
        latin, "path matches /d\u00e4ta -> replicas 2\n", StandardCharsets.ISO_8859_1);

    refused(latin, " is no text in UTF-8: save it as that");
    refused(folder.resolve("none"), " cannot be read: it is not there");
    refused(folder, " cannot be read: Is a directory");
  }

  private static void refused(Path file, String why) {
    assertThatThrownBy(() -> RuleBook.load(file, ZoneOffset.UTC, null, 0))
        .isInstanceOf(OperatorException.class)
        .hasMessage("--rules " + file + why);
  }
}
