package io.tierwise.benchmarks.popularity;

/** Heap in use, after collections. */
final class HeapUse {
  private static final int COLLECTIONS = 3;

  private HeapUse() {}

  static long bytes() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
