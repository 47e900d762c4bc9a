package io.tierwise.hadoop.secondary;

/** Hears of each step of a file's way that is made; for tests that end a process behind one. */
@FunctionalInterface
interface Steps {
  Steps NONE = step -> {};

  void made(String step);
}
