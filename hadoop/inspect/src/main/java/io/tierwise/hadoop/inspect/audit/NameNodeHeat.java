package io.tierwise.hadoop.inspect.audit;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.audit.HeatCalls;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * The heat of files by what the active NameNode has counted since it started. Reads that observers
 * serve are not in it, and the answer names those.
 */
public final class NameNodeHeat {
  private static final long POLL_MILLIS = 500;

  private final NameNodePlugin plugin;

  public NameNodeHeat(DistributedFileSystem fs, Configuration conf) {
    plugin = new NameNodePlugin(fs, conf);
  }

  /**
   * Asks once.
   *
   * @throws OperatorException when the NameNode does not count, or the caller may not ask
   */
  public HeatAnswer ask(HeatCalls.Question question) throws IOException {
    NameNodePlugin.Answer active = plugin.ofActive();
    if (!active.runs()) {
      throw OperatorException.cluster(
          active.whyNot()
              + (active.state() == NameNodePlugin.State.MISSING
                  ? ": it passes the question on to the audit logger that counts; start both"
                      + " there, or give --audit-log"
                  : ""),
          null);
    }
    try {
      HeatCalls.Answer answer = HeatCalls.Answer.parse(plugin.answer(active, question.format()));
      if (answer.feed().events() == 0) {
        throw OperatorException.cluster(
            active.nameNode() + " has counted no access since it started: ask later", null);
      }
      return HeatAnswer.of(answer, plugin.observers(active));
    } catch (IOException e) {
      throw OperatorException.cluster(active.nameNode() + ": " + e.getMessage(), e);
    }
  }

  /**
   * Asks again and again.
   *
   * @param stopped asked twice a second
   */
  public void follow(
      HeatCalls.Question question,
      long everyMillis,
      Consumer<HeatAnswer> each,
      BooleanSupplier stopped)
      throws IOException, InterruptedException {
    long next = System.nanoTime();
    while (!stopped.getAsBoolean()) {
      if (System.nanoTime() - next >= 0) {
        each.accept(ask(question));
        next = System.nanoTime() + everyMillis * 1_000_000;
      }
      Thread.sleep(Math.min(POLL_MILLIS, everyMillis));
    }
  }
}
