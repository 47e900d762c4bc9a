package io.tierwise.hadoop.inspect.cluster;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.UnresolvedPathException;
import org.apache.hadoop.security.AccessControlException;

/**
 * Visits a path and all below it, with the extended attributes of each, in the order of names.
 *
 * <p>A directory is listed page by page ({@code dfs.ls.limit} entries), and one is entered when its
 * turn comes: memory holds one page for each level of the tree, however many files there are. HDFS
 * gives attributes for one path a call, so those of a page are asked for by several threads, and of
 * files only where the visitor wants them. Files that are created or deleted meanwhile may be seen
 * or not. Symbolic links are left out.
 */
public final class NamespaceWalk implements AutoCloseable {
  private static final int THREADS = 16;

  private final DistributedFileSystem fs;
  private final boolean withLocations;
  private final boolean withAttributes;
  private final Visitor visitor;
  private final ExecutorService pool;

  /** Told what is found; by one thread. */
  public interface Visitor {
    /** A directory, before what is in it. */
    void enter(String path, Map<String, byte[]> attributes) throws IOException;

    /** A file. Its status has locations when the walk was asked for them. */
    public void file(String path, HdfsFileStatus status, Map<String, byte[]> attributes)
        throws IOException;

    /** A directory, after what is in it. */
    void leave(String path) throws IOException;

    /** Whether a file is worth the call for its attributes; one that is not comes with none. */
    default boolean wantsAttributesOf(HdfsFileStatus file) {
      return true;
    }

    /** A path that this user may not read: a file's attributes, or a directory and all below it. */
    void unreadable(String path, boolean directory);
  }

  /**
   * @param withLocations whether files are to come with the locations of their blocks
   */
  public NamespaceWalk(DistributedFileSystem fs, boolean withLocations, Visitor visitor) {
    this(fs, withLocations, true, visitor);
  }

  /**
   * A walk whose files come with the locations of their blocks, and nothing with attributes: no
   * call for each path, and a file that this user may not read is told of like any other.
   */
  public static NamespaceWalk ofLocations(DistributedFileSystem fs, Visitor visitor) {
    return new NamespaceWalk(fs, true, false, visitor);
  }

  private NamespaceWalk(
      DistributedFileSystem fs, boolean withLocations, boolean withAttributes, Visitor visitor) {
    this.fs = fs;
    this.withLocations = withLocations;
    this.withAttributes = withAttributes;
    this.visitor = visitor;
    this.pool =
        Executors.newFixedThreadPool(
            THREADS,
            task -> {
              Thread thread = new Thread(task, "attributes");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** The error where so many paths could not be read: sums do not stand for all. */
  public static OperatorException incomplete(long unreadable) {
    return OperatorException.cluster(
        Words.count(unreadable, "path")
            + " could not be read, and nothing of it is counted: run as HDFS's superuser",
        null);
  }

  /** The paths without those that are reached from another one of them already. */
  public static List<String> outermost(Collection<String> paths) {
    Set<String> distinct = new LinkedHashSet<>(paths);
    return distinct.stream().filter(path -> !isBelowAny(path, distinct)).toList();
  }

  /** A walk does not come from a directory to its snapshots: these are not below it. */
  private static boolean isBelowAny(String path, Set<String> others) {
    for (int end = path.lastIndexOf('/'); end >= 0; end = path.lastIndexOf('/', end - 1)) {
      String withSlash = path.substring(0, end + 1);
      boolean named =
          others.contains(path.substring(0, end))
              || (others.contains(withSlash) && !withSlash.equals(path));
      if (named && !isInSnapshots(path.substring(end))) {
        return true;
      }
    }
    return false;
  }

  /** Whether the path leads to a snapshot, or to a directory's folder of them. */
  public static boolean isInSnapshots(String path) {
    return (path + "/").contains("/" + HdfsConstants.DOT_SNAPSHOT_DIR + "/");
  }

  /**
   * Walks from {@code path}.
   *
   * @throws FileNotFoundException when there is no such path
   * @throws OperatorException when it is or goes through a symbolic link
   */
  public void walk(String path) throws IOException {
    HdfsFileStatus status = statusOf(path);
    if (status == null) {
      throw new FileNotFoundException(path);
    }
    visit(new Entry(path, status, attributesOf(path, status)));
  }

  private HdfsFileStatus statusOf(String path) throws IOException {
    DFSClient client = fs.getClient();
    try {
      return withLocations ? client.getLocatedFileInfo(path, false) : client.getFileInfo(path);
    } catch (UnresolvedPathException e) {
      // A client follows links only where its process was told to.
      throw OperatorException.badInput(
          path + " leads through a symbolic link to " + e.getMessage() + ": name that");
    }
  }

  private record Entry(String path, HdfsFileStatus status, Future<Map<String, byte[]>> future) {}

  private Future<Map<String, byte[]>> attributesOf(String path, HdfsFileStatus status) {
    boolean wanted = withAttributes && (!status.isFile() || visitor.wantsAttributesOf(status));
    if (!wanted || path.endsWith("/.snapshot")) {
      // The latter is the folder of a directory's snapshots: HDFS knows no attributes of it.
      return CompletableFuture.completedFuture(Map.of());
    }
    Callable<Map<String, byte[]>> call = () -> fs.getClient().getXAttrs(path);
    return pool.submit(call);
  }

  private void visit(Entry entry) throws IOException {
    if (entry.status().isSymlink()) {
      return;
    }
    Map<String, byte[]> attributes;
    try {
      attributes = await(entry.future());
    } catch (AccessControlException e) {
      visitor.unreadable(entry.path(), entry.status().isDirectory());
      return;
    } catch (FileNotFoundException e) {
      return;
    }
    if (entry.status().isDirectory()) {
      visitor.enter(entry.path(), attributes);
      list(entry.path());
      visitor.leave(entry.path());
    } else {
      visitor.file(entry.path(), entry.status(), attributes);
    }
  }

  private void list(String directory) throws IOException {
    byte[] after = HdfsFileStatus.EMPTY_NAME;
    boolean more = true;
    while (more) {
      DirectoryListing page;
      try {
        page = fs.getClient().listPaths(directory, after, withLocations);
      } catch (AccessControlException e) {
        visitor.unreadable(directory, true);
        return;
      }
      if (page == null) {
        return;
      }
      List<Entry> entries = new ArrayList<>();
      for (HdfsFileStatus status : page.getPartialListing()) {
        if (status.isEmptyLocalName()) {
          // A file has taken the directory's place meanwhile, and lists itself.
          return;
        }
        String path = status.getFullName(directory);
        entries.add(new Entry(path, status, attributesOf(path, status)));
      }
      for (Entry entry : entries) {
        visit(entry);
      }
      more = page.hasMore();
      after = page.getLastName();
    }
  }

  private static Map<String, byte[]> await(Future<Map<String, byte[]>> future) throws IOException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }
}
