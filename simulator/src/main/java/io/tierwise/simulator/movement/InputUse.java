package io.tierwise.simulator.movement;

import io.tierwise.policies.popularity.UseWindow;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.StoredFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the use of input files in the window that runs. Files are numbered in the order of their
 * first reads, which for a trace is when they come to be. One that had to make room keeps its
 * number, in case it is laid out anew.
 */
final class InputUse {
  private final Namespace namespace;
  private final Map<String, Integer> numbers = new LinkedHashMap<>();
  private final List<StoredFile> files = new ArrayList<>();
  private final List<Read> reads = new ArrayList<>();

  private record Read(int file, double seconds, int readers) {}

  InputUse(Namespace namespace) {
    this.namespace = namespace;
  }

  /** A job begins to read the file; those that read it now are counted with it. */
  void read(StoredFile file, double seconds) {
    int number = numbers.computeIfAbsent(key(file), path -> add(file));
    // The file may have made room since, and been laid out anew: another object of the same name.
    files.set(number, file);
    reads.add(new Read(number, seconds, file.readerCount()));
  }

  private int add(StoredFile file) {
    files.add(file);
    return files.size() - 1;
  }

  /** No path holds a NUL: a file without one is known by its id. */
  private static String key(StoredFile file) {
    return file.path().isEmpty() ? "\0" + file.id() : file.path();
  }

  /** The number of the file, or of one that had its path; -1 when none was read. */
  int number(StoredFile file) {
    return number(key(file));
  }

  /** The number of the file at a path; -1 when none was read there. */
  int number(String path) {
    return numbers.getOrDefault(path, -1);
  }

  int fileCount() {
    return files.size();
  }

  StoredFile file(int number) {
    return files.get(number);
  }

  /** Whether the file of that number was not deleted. */
  boolean exists(int number) {
    return namespace.holds(files.get(number));
  }

  /** The window that ends now; the next one begins. */
  UseWindow end(double startSeconds, double endSeconds) {
    UseWindow window = new UseWindow(files.size());
    window.begin(startSeconds, endSeconds);
    for (int file = 0; file < files.size(); file++) {
      if (exists(file)) {
        window.keep(file, files.get(file).blockCount());
      }
    }
    reads.forEach(read -> window.read(read.file(), read.seconds(), read.readers()));
    reads.clear();
    return window;
  }
}
