package io.tierwise.hadoop.hdfs.audit;

import io.tierwise.core.data.IdHash;
import io.tierwise.core.use.AccessKind;
import io.tierwise.hadoop.hdfs.Versions;
import java.net.InetAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The feed of accesses inside a NameNode ({@code dfs.namenode.audit.loggers}). HDFS writes its own
 * audit log only when {@code default} stands in that list, too.
 *
 * <p>It is called by the threads that serve calls, some of them with the namesystem's lock: it only
 * notes the access. Whatever goes wrong here stays here.
 */
public final class TierwiseAuditLogger implements AuditLogger {
  private static final Logger LOG = LoggerFactory.getLogger(TierwiseAuditLogger.class);

  private volatile AccessFeed feed;

  @Override
  public void initialize(Configuration conf) {
    try {
      if (!Versions.allow("audit logger")) {
        return;
      }
      FeedSettings settings = FeedSettings.of(conf, LOG::warn);
      AccessFeed opened = new AccessFeed(settings);
      AccessFeedStatus.show(opened);
      opened.start(this);
      feed = opened;
      LOG.info("Tierwise counts accesses: {}", settings);
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("Tierwise does not count accesses: {}", e.getMessage(), e);
    }
  }

  @Override
  public void logAuditEvent(
      boolean succeeded,
      String userName,
      InetAddress address,
      String command,
      String source,
      String destination,
      FileStatus status) {
    AccessFeed to = feed;
    if (to == null || source == null || command == null) {
      return;
    }
    try {
      AccessKind called = AuditCommands.kind(command);
      AccessKind kind = succeeded ? called : AuditCommands.refused(called);
      if (kind == AccessKind.OTHER) {
        return;
      }
      String target = kind == AccessKind.RENAME && destination != null ? destination : "";
      to.note(Time.now(), kind, source, target, reader(userName, address));
    } catch (RuntimeException e) {
      to.failed(e);
    }
  }

  /** Behind a Router of a federation all clients have its address, and it tells theirs. */
  private static long reader(String userName, InetAddress address) {
    long user = userName == null ? 0 : userName.hashCode();
    CallerContext context = CallerContext.getCurrent();
    int client = RoutedClient.hash(context == null ? null : context.getContext());
    int from = (address == null ? 0 : address.hashCode()) ^ client;
    return IdHash.mix((user << Integer.SIZE) ^ (from & 0xffffffffL));
  }

  /**
   * Answers a question about what was counted.
   *
   * @throws IllegalStateException when it could not start
   */
  public HeatCalls.Answer answer(HeatCalls.Question question) {
    AccessFeed asked = feed;
    if (asked == null) {
      throw new IllegalStateException(
          "the NameNode's audit logger of Tierwise could not start: its log says why");
    }
    return asked.answer(question);
  }

  /** The feed; null when it could not start. */
  AccessFeed feed() {
    return feed;
  }
}
