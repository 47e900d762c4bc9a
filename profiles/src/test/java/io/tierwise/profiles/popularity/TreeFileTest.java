package io.tierwise.profiles.popularity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.policies.popularity.DecisionTrees;
import io.tierwise.policies.popularity.TreeText;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeFileTest {
  @TempDir private Path folder;

  private static DecisionTrees trees() {
    DecisionTrees.Nodes nodes = new DecisionTrees.Nodes();
    nodes.beginTree();
    nodes.leaf(0.1f);
    return nodes.trees(60);
  }

  @Test
  void isWrittenWholeOverWhatWasThereAndReadBack() throws IOException {
    Path file = Files.writeString(folder.resolve("m.trees"), "old");
    TreeFile.write(file, trees());

    assertThat(TreeText.of(TreeFile.read(file))).isEqualTo(TreeText.of(trees()));
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void behindALinkItsTargetIsReplacedAndADeviceStaysOne() throws IOException {
    Path target = Files.writeString(folder.resolve("target"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link"), target);
    TreeFile.write(link, trees());
    assertThat(link).isSymbolicLink();
    assertThat(TreeText.of(TreeFile.read(target))).isEqualTo(TreeText.of(trees()));

    Path full = Files.createSymbolicLink(folder.resolve("full"), Path.of("/dev/full"));
    assertThatThrownBy(() -> TreeFile.write(full, trees()))
        .isInstanceOf(OperatorException.class)
        .hasMessage(full + " cannot be written: No space left on device");
    assertThat(full).isSymbolicLink();
  }

  @Test
  void aFileThatCannotBeReadIsToldWithoutJavasWords() {
    Path none = folder.resolve("none");
    assertThatThrownBy(() -> TreeFile.read(none))
        .hasMessage(none + " cannot be read: it is not there");
  }

  @Test
  void whatIsNoTreesIsOneLine() throws IOException {
    Path binary = Files.write(folder.resolve("binary"), new byte[] {0, -1, 10, -128});
    Path large = folder.resolve("large");
    try (RandomAccessFile sparse = new RandomAccessFile(large.toFile(), "rw")) {
      sparse.setLength(1L << 40);
    }
    for (Path bad : new Path[] {binary, large, folder, folder.resolve("none")}) {
      assertThatThrownBy(() -> TreeFile.read(bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(bad.toString())
          .hasMessageNotContaining("\n");
    }
  }

  @Test
  void whatCannotBeReplacedIsOneLineAndNothingIsLeft() throws IOException {
    Path taken = Files.createDirectory(folder.resolve("m.trees"));
    assertThatThrownBy(() -> TreeFile.write(taken, trees()))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("m.trees cannot be written");
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(taken);
    }
  }

  @Test
  void aFolderThatIsNotThereIsOneLine() {
    assertThatThrownBy(() -> TreeFile.write(folder.resolve("none/m.trees"), trees()))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("none/m.trees cannot be written");
  }
}
