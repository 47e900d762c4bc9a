package io.tierwise.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Keeps the documents true: every relative link leads to a file and an anchor that exist. */
class DocumentLinksTest {
  static List<Path> documents() {
    return Repository.files(Repository.root(), path -> path.toString().endsWith(".md")).stream()
        .map(Repository.root()::relativize)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyRelativeLinkLeadsSomewhere(Path document) throws IOException {
    Path root = Repository.root();

    assertThat(new MarkdownLinks(root).broken(root.resolve(document))).isEmpty();
  }

  @Test
  void theEntryDocumentsAreAmongThoseChecked() {
    assertThat(documents())
        .contains(
            Path.of("README.md"),
            Path.of("ARCHITECTURE.md"),
            Path.of("CONTRIBUTING.md"),
            Path.of("docs/glossary.md"));
  }

  @Test
  void everyDecisionHasANumberOfItsOwn() {
    Path decisions = Repository.root().resolve("docs/decisions");
    List<String> numbers =
        documents().stream()
            .map(Repository.root()::resolve)
            .filter(document -> document.getParent().equals(decisions))
            .map(document -> document.getFileName().toString().split("-")[0])
            .toList();

    assertThat(numbers).hasSizeGreaterThan(50).doesNotHaveDuplicates();
  }

  @Test
  void theWalkOfTheArchitectureIsLinked() throws IOException {
    assertThat(MarkdownLinks.targets(Repository.root().resolve("ARCHITECTURE.md")))
        .hasSizeGreaterThan(10);
  }

  @Test
  void brokenFilesAndAnchorsAreNoticed(@TempDir Path folder) throws IOException {
    Path there =
        Files.writeString(folder.resolve("there.md"), "# One thing, *two*\n# Again\n# Again");
    Path document =
        Files.writeString(
            folder.resolve("document.md"),
            """
            [good](there.md#one-thing-two) [second](there.md#again-1) [host](https://example.org/x)
            [own](#own) ![gone](gone.png) [anchor](there.md#three) [out](../x.md)
            `[code](not-a-link.md)` and [`code`](code-link.md)
            [reference]: missing/page.md
            # Own
            ```
            [fenced](not-a-link.md)
            ```
            """);

    assertThat(new MarkdownLinks(folder).broken(there)).isEmpty();
    assertThat(new MarkdownLinks(folder).broken(document))
        .containsExactly(
            "document.md: gone.png: no such file",
            "document.md: there.md#three: no such anchor",
            "document.md: ../x.md: leaves the repository",
            "document.md: code-link.md: no such file",
            "document.md: missing/page.md: no such file");
  }
}
