package io.tierwise.benchmarks.movement;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/** Copies of files of a block's size, as plain as can be: the bytes of moves, and nothing else. */
final class FileCopies implements SteadyWork.Piece {
  private static final int SOURCES = 64;

  private final Path folder;

  /**
   * @param parent on the same memory as the DataNodes' volumes
   */
  FileCopies(Path parent, int bytes) throws IOException {
    folder = Files.createDirectories(parent.resolve("copies"));
    byte[] content = new byte[bytes];
    new Random(1).nextBytes(content);
    for (int i = 0; i < SOURCES; i++) {
      Files.write(folder.resolve("from" + i), content);
    }
  }

  @Override
  public void make(int number) throws IOException {
    Path from = folder.resolve("from" + number % SOURCES);
    Path to = folder.resolve("to" + number);
    try (FileChannel in = FileChannel.open(from, StandardOpenOption.READ);
        FileChannel out =
            FileChannel.open(to, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
      for (long at = 0; at < in.size(); ) {
        at += in.transferTo(at, in.size() - at, out);
      }
    }
    Files.delete(to);
  }
}
