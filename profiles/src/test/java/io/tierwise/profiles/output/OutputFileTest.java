package io.tierwise.profiles.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {
  @TempDir private Path folder;

  @Test
  void aFileIsReplacedWholeAndNothingIsLeftBesideIt() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "old");
    OutputFile.write(file, "new");
    assertThat(file).hasContent("new");
    assertThat(folder.toFile().list()).containsExactly("file");
  }

  @Test
  void aFolderIsLeftAlone() throws IOException {
    Path taken = Files.createDirectory(folder.resolve("taken"));
    assertThatThrownBy(() -> OutputFile.write(taken, "new")).isInstanceOf(IOException.class);
    assertThat(folder.toFile().list()).containsExactly("taken");
  }

  @Test
  void behindALinkItsTargetIsReplacedAndADeviceIsWrittenTo() throws IOException {
    Path target = Files.writeString(folder.resolve("target"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link"), target);
    OutputFile.write(link, "new");
    assertThat(link).isSymbolicLink();
    assertThat(target).hasContent("new");

    Path full = Files.createSymbolicLink(folder.resolve("full"), Path.of("/dev/full"));
    assertThatThrownBy(() -> OutputFile.write(full, "new"))
        .isInstanceOf(IOException.class)
        .hasMessage("No space left on device");
    assertThat(full).isSymbolicLink();
  }

  @Test
  void whatIsReadIsNotReplacedByAnyOfItsNames() throws IOException {
    Path log = Files.writeString(folder.resolve("log"), "lines");
    Path link = Files.createSymbolicLink(folder.resolve("link"), log);
    Path none = folder.resolve("none");
    Map<String, List<Path>> read = Map.of("--log", List.of(none, log));
    for (Path name :
        new Path[] {log, link, folder.resolve("../" + folder.getFileName() + "/log")}) {
      assertThatThrownBy(() -> OutputFile.requireOther("--to", name, read))
          .isInstanceOf(OperatorException.class)
          .hasMessage("--to " + name + " is what --log names: name another file");
    }
    assertThatCode(() -> OutputFile.requireOther("--to", folder.resolve("new"), read))
        .doesNotThrowAnyException();
  }
}
