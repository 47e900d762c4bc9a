package io.tierwise.lab;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Says what stays when Ctrl-C or a kill ends a command in the middle of its work; for work that may
 * be cut anywhere, and is found in a state that somebody can go on from.
 */
public final class EndedEarly implements AutoCloseable {
  private final Thread hook;

  private EndedEarly(Runnable says) {
    hook = new Thread(says, "ended-early");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Until it is closed.
   *
   * @param says prints a line for people
   * @param stays what stays and what to do, asked for at the end
   */
  public static EndedEarly saying(Consumer<String> says, Supplier<String> stays) {
    return new EndedEarly(() -> says.accept("interrupted: " + stays.get()));
  }

  /** The work is done. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException alreadyShuttingDown) {
      // It is what is running.
      return;
    }
  }
}
