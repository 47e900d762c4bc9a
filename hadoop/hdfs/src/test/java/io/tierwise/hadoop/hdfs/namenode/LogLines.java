package io.tierwise.hadoop.hdfs.namenode;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** The log lines of a class, as an administrator would read them; until closed. */
public final class LogLines extends AppenderSkeleton implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;

  public LogLines(Class<?> of) {
    logger = Logger.getLogger(of);
    logger.addAppender(this);
  }

  @Override
  protected void append(LoggingEvent event) {
    lines.add(
        event.getRenderedMessage()
            + (event.getThrowableInformation() == null ? "" : "\n(a trace)"));
  }

  public List<String> with(String part) {
    return lines.stream().filter(line -> line.contains(part)).toList();
  }

  @Override
  public boolean requiresLayout() {
    return false;
  }

  @Override
  public void close() {
    logger.removeAppender(this);
  }
}
