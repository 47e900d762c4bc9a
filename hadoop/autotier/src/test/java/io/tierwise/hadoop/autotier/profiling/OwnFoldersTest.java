package io.tierwise.hadoop.autotier.profiling;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnFoldersTest {
  @TempDir private Path folder;
  private Journal journal;

  @BeforeEach
  void make() throws IOException {
    journal = new Journal(Files.createDirectory(folder.resolve("journal")));
  }

  private Path make(String name) throws IOException {
    Path made = Files.createDirectory(folder.resolve(name));
    Files.writeString(made.resolve("file"), "text");
    OwnFolders.of(journal).note(made.toString());
    return made;
  }

  private List<String> deleteLeft() throws IOException {
    return OwnFolders.deleteLeft(journal, new Configuration());
  }

  @Test
  void whatAKilledProfilingLeftIsDeletedAndSaidOnce() throws IOException {
    Path first = make("tierwise-profile-1");
    Path second = make("tierwise-profile-2");
    Path gone = make("tierwise-profile-3");
    Files.delete(gone.resolve("file"));
    Files.delete(gone);
    assertThat(OwnFolders.left(journal)).hasSize(3);

    assertThat(deleteLeft())
        .containsExactly(
            "a profile run was killed and left " + first + ": it is deleted",
            "a profile run was killed and left " + second + ": it is deleted");
    assertThat(List.of(first, second)).noneMatch(Files::exists);
    assertThat(deleteLeft()).isEmpty();
  }

  @Test
  void whatBearsAnotherNameStaysAndWhatCannotBeDeletedIsNamed() throws IOException {
    Path others = make("precious");
    OwnFolders.of(journal).note("nosuch://cluster/.tierwise-profile-x");

    assertThat(deleteLeft())
        .singleElement()
        .asString()
        .startsWith("a profile run was killed and left nosuch://cluster/.tierwise-profile-x,")
        .endsWith("delete it");
    assertThat(others.resolve("file")).exists();
  }

  @Test
  void whatALinkNamesStays() throws IOException {
    Path own = Files.createDirectory(folder.resolve("shellprofile.d"));
    Files.writeString(own.resolve("own.sh"), "text");
    Path made = make("tierwise-profile-1");
    Files.createSymbolicLink(made.resolve("shellprofile.d"), own);
    Files.createSymbolicLink(made.resolve("own.sh"), own.resolve("own.sh"));

    assertThat(deleteLeft()).hasSize(1);

    assertThat(made).doesNotExist();
    assertThat(own.resolve("own.sh")).hasContent("text");
  }

  @Test
  void oneThatEndsInOrderLeavesNothing() throws IOException {
    try (OwnFolders own = OwnFolders.of(journal)) {
      own.note("/tmp/tierwise-profile-1");
    }
    assertThat(OwnFolders.left(journal)).isEmpty();
  }
}
