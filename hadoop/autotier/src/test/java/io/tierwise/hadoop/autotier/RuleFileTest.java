package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of rules that cannot be read at all. */
class RuleFileTest {
  @TempDir private Path folder;

  private static void assertRefused(Path file, String reason) {
    assertThatThrownBy(() -> RuleBook.load(file, ZoneOffset.UTC, null, Long.MAX_VALUE))
        .isInstanceOf(OperatorException.class)
        .hasMessage("--rules " + file + reason);
  }

  @Test
  void isNamedWithTheReasonAndWithoutJavasWords() throws IOException {
    assertRefused(folder.resolve("none"), " cannot be read: it is not there");
    assertRefused(folder, " cannot be read: Is a directory");
    Path latin = Files.write(folder.resolve("latin"), new byte[] {'/', (byte) 0xfc, '\n'});
    assertRefused(latin, " is no text in UTF-8: save it as that");
  }
}
