package io.tierwise.lab.demo;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.log4j.FileAppender;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;

/** Where the daemons of an embedded cluster log: a file, so that the terminal keeps the answer. */
public final class DemoLog {
  private DemoLog() {}

  /** Sends everything from now on to that file, warnings and worse. */
  public static void to(Path file) throws IOException {
    Logger root = Logger.getRootLogger();
    root.removeAllAppenders();
    root.addAppender(
        new FileAppender(
            new PatternLayout("%d{ISO8601} %-5p %c{2}: %m%n"), file.toString(), false));
    root.setLevel(Level.WARN);
  }
}
