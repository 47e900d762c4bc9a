package io.tierwise.hadoop.autotier.profiling;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A copy of the files of a client's configuration directory, of which one is written anew. */
final class FolderCopy implements Closeable {
  private final Path folder;

  /** Writes a file. */
  @FunctionalInterface
  interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  private FolderCopy(Path folder) {
    this.folder = folder;
  }

  /**
   * Of a directory that is not there, an empty one.
   *
   * @param own hears of it
   */
  static FolderCopy of(Path source, OwnFolders own) throws IOException {
    FolderCopy copy = new FolderCopy(Files.createTempDirectory(OwnFolders.MARK));
    own.note(copy.folder.toString());
    if (!Files.isDirectory(source)) {
      return copy;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(source)) {
      for (Path file : files) {
        if (Files.isRegularFile(file)) {
          Files.copy(file, copy.folder.resolve(file.getFileName().toString()));
        }
      }
      return copy;
    } catch (IOException | RuntimeException e) {
      copy.close();
      throw e;
    }
  }

  Path path() {
    return folder;
  }

  /** Whoever reads it meanwhile finds the old one or the new one. */
  void write(String name, Content content) throws IOException {
    Path written = Files.createTempFile(folder, name, ".new");
    try (OutputStream out = Files.newOutputStream(written)) {
      content.writeTo(out);
    }
    Files.move(written, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void close() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
