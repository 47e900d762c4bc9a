package io.tierwise.cli.output;

import java.io.PrintWriter;

/** A line of a terminal that is drawn over. Not safe for threads. */
public final class DrawnLine {
  private static final String REST_OF_LINE = "\033[K";

  private final PrintWriter out;
  private boolean drawn;

  public DrawnLine(PrintWriter out) {
    this.out = out;
  }

  public void draw(String text) {
    out.print("\r" + text + REST_OF_LINE);
    out.flush();
    drawn = true;
  }

  /** Clears the line, so that an answer can begin. */
  public void clear() {
    if (drawn) {
      draw("");
      drawn = false;
    }
  }
}
