package io.tierwise.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The files of the source tree, without what builds and tools leave in it. */
final class Repository {
  private static final Set<String> NOT_SOURCE = Set.of("target", "build", ".git", ".idea");

  private Repository() {}

  /** The root, which the build hands in; a run from an editor starts in the module's folder. */
  static Path root() {
    String root = System.getProperty("tierwise.root");
    return Path.of(root == null ? ".." : root).toAbsolutePath().normalize();
  }

  /** All files below {@code root} whose path from there is {@code wanted}, in sorted order. */
  static List<Path> files(Path root, Predicate<Path> wanted) {
    List<Path> found = new ArrayList<>();
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
              boolean skip = NOT_SOURCE.contains(folder.getFileName().toString());
              return skip && !folder.equals(root)
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (wanted.test(root.relativize(file))) {
                found.add(file);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    found.sort(null);
    return found;
  }
}
