package io.tierwise.lab.dfsio;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Real text: the licences, notices and settings that lie in the running JDK's folder, one after the
 * other, again and again, each file of a bench from another place on.
 */
final class JdkText implements BenchContent {
  private static final int CORPUS_BYTES_MAX = 8 << 20;

  private static final class Corpus {
    static final byte[] BYTES = read(Path.of(System.getProperty("java.home")));
  }

  private int position;

  JdkText(long seed) {
    position = (int) Math.floorMod(seed * 1_000_003, (long) Corpus.BYTES.length);
  }

  @Override
  public void fill(byte[] buffer) {
    int filled = 0;
    while (filled < buffer.length) {
      int count = Math.min(Corpus.BYTES.length - position, buffer.length - filled);
      System.arraycopy(Corpus.BYTES, position, buffer, filled, count);
      filled += count;
      position = (position + count) % Corpus.BYTES.length;
    }
  }

  private static byte[] read(Path home) {
    ByteArrayOutputStream corpus = new ByteArrayOutputStream();
    for (String folder : List.of("legal", "conf")) {
      try (Stream<Path> files = Files.walk(home.resolve(folder))) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          if (corpus.size() < CORPUS_BYTES_MAX && Files.isReadable(file)) {
            corpus.write(Files.readAllBytes(file));
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException("the JDK's text in " + home.resolve(folder), e);
      }
    }
    if (corpus.size() == 0) {
      throw new IllegalStateException("the JDK in " + home + " has no text to load");
    }
    return corpus.toByteArray();
  }
}
