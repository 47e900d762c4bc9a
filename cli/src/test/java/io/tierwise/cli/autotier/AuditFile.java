package io.tierwise.cli.autotier;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.log4j.Appender;
import org.apache.log4j.FileAppender;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;

/** The audit log of the NameNodes in this process, as they are shipped to write it. */
public final class AuditFile implements AutoCloseable {
  private final FileAppender appender;
  private final Logger audit =
      Logger.getLogger("org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit");
  private final Level before = audit.getLevel();

  public AuditFile(Path file) throws IOException {
    appender = new FileAppender(new PatternLayout("%d{ISO8601} %p %c{2}: %m%n"), file.toString());
    audit.addAppender(appender);
    audit.setLevel(Level.INFO);
  }

  /** Hears each call that NameNodes write down. */
  void hear(Appender other) {
    audit.addAppender(other);
  }

  /** Nothing is written until {@link #goOn}. */
  void rest() {
    audit.removeAppender(appender);
  }

  void goOn() {
    audit.addAppender(appender);
  }

  @Override
  public void close() {
    audit.removeAppender(appender);
    audit.setLevel(before);
    appender.close();
  }
}
