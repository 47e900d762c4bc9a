package io.tierwise.hadoop.autotier.profiling;

import io.tierwise.core.message.Listener;
import java.util.Queue;

/** Keeps what is said, and shows no progress. */
record HeardLines(Queue<String> said) implements Listener {
  @Override
  public Step begin(String what, long toCome) {
    return Step.SILENT;
  }

  @Override
  public void say(String line) {
    said.add(line);
  }
}
