package io.tierwise.hadoop.autotier.profiling;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.cluster.FailureText;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A stand-in for a client's configuration directory, in which one file is written anew. All else
 * are links: what a command may not read stays unread, and what it may read is the user's own.
 */
final class FolderCopy implements Closeable {
  private final Path folder;

  /** Writes a file. */
  @FunctionalInterface
  interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Hears of a folder that is there from now on. */
  @FunctionalInterface
  interface Notes {
    void note(String folder) throws IOException;
  }

  private FolderCopy(Path folder) {
    this.folder = folder;
  }

  /** Reads the file that is written anew. */
  @FunctionalInterface
  interface Reading<T> {
    T read(Path file) throws IOException;
  }

  /**
   * Reads a file of the directory, which need not be there.
   *
   * @param absent stands for a file that is not there
   * @throws OperatorException when this user cannot read it, or what else is in the directory
   */
  static <T> T read(Path source, String name, T absent, Reading<T> reading) {
    Path needed = source;
    try {
      if (!Files.isDirectory(source)) {
        return absent;
      }
      try (DirectoryStream<Path> all = Files.newDirectoryStream(source)) {
        var unused = all.iterator(); // That it opens is all that matters.
      }
      needed = source.resolve(name);
      return Files.exists(needed) ? reading.read(needed) : absent;
    } catch (IOException | RuntimeException e) {
      throw OperatorException.cluster(
          "the run adds to the command's configuration, and cannot read "
              + needed
              + ": "
              + FailureText.line(FailureText.cause(e)),
          e);
    }
  }

  /**
   * Of a directory that is not there, an empty one.
   *
   * @param source null for an empty one
   * @param notes hears of it
   */
  static FolderCopy of(Path source, Notes notes) throws IOException {
    FolderCopy copy = new FolderCopy(Files.createTempDirectory(OwnFolders.MARK));
    notes.note(copy.folder.toString());
    if (source == null || !Files.isDirectory(source)) {
      return copy;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(source)) {
      for (Path each : files) {
        Files.createSymbolicLink(
            copy.folder.resolve(each.getFileName().toString()), each.toAbsolutePath());
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
