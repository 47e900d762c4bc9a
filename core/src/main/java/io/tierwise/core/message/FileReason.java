package io.tierwise.core.message;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Why a local file could not be made, read or written: Java's message is often its name alone. */
public final class FileReason {
  private FileReason() {}

  /** The file and the reason, such as {@code /build: no permission}. */
  public static String of(IOException cause) {
    String name = cause instanceof FileSystemException file ? file.getFile() : null;
    return name == null ? alone(cause) : name + ": " + alone(cause);
  }

  /** The reason without the file, for a sentence that names it. */
  public static String alone(IOException cause) {
    if (cause instanceof FileSystemException file) {
      return why(file);
    }
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }

  private static String why(FileSystemException cause) {
    if (cause instanceof AccessDeniedException) {
      return "no permission";
    }
    if (cause instanceof NoSuchFileException) {
      return "it is not there";
    }
    if (cause instanceof FileAlreadyExistsException) {
      return "a file of that name is there";
    }
    if (cause instanceof NotDirectoryException) {
      return "it is no directory";
    }
    return cause.getReason() == null ? cause.getClass().getSimpleName() : cause.getReason();
  }
}
