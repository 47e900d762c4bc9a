package io.tierwise.hadoop.inspect.explain;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.client.ClientKeys;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/** The files that a path or a pattern names, explained one after the other. */
public final class FilesToExplain {
  private final ClusterConnection.Place place;
  private final FileExplainer explainer;

  /**
   * The wish of a user.
   *
   * @param path as the user wrote it
   * @param access the strategy to explain; null for the one that a client would use
   * @param reader where the reader stands; null for this machine
   */
  public record Wish(String path, String access, String reader) {}

  /** Told what is found, as it is found. */
  public interface Reader {
    /** The file that the path names. */
    void file(Explanation explanation);

    /** One of the files that a pattern matches. */
    void match(Explanation explanation);

    /** A file that went away while others were explained. */
    void gone(String path);
  }

  private FilesToExplain(ClusterConnection.Place place, FileExplainer explainer) {
    this.place = place;
    this.explainer = explainer;
  }

  /**
   * Explains them.
   *
   * @param asClient the configuration that a client here has
   * @throws OperatorException when the wish names no file
   */
  public static void read(Configuration asClient, Wish wish, Reader reader) throws IOException {
    Configuration conf = new Configuration(asClient);
    // The strategy is applied here, where its reason is seen.
    ClusterConnection.keepNameNodesOrder(conf);
    try (ClusterConnection.Place place = ClusterConnection.connect(conf, wish.path())) {
      if (wish.reader() != null) {
        conf.set(ClientKeys.LOCATION, ReaderNode.location(place.fs(), wish.reader()));
      }
      NameNodePlugin.InForce force = NameNodePlugin.inForce(place.fs(), conf);
      AccessOfClient access = new AccessOfClient(asClient, force.own());
      new FilesToExplain(place, new FileExplainer(place.fs(), conf, force, access, wish))
          .read(wish.path(), reader);
    }
  }

  private void read(String path, Reader reader) throws IOException {
    DistributedFileSystem fs = place.fs();
    HdfsFileStatus exact = fs.getClient().getFileLinkInfo(place.plain());
    FileStatus[] matches = exact == null ? fs.globStatus(place.path()) : null;
    if (matches == null || matches.length == 0) {
      reader.file(explainer.explain(place.path(), file(path, exact, place.plain())));
      return;
    }
    List<Path> files =
        Arrays.stream(matches).filter(FileStatus::isFile).map(FileStatus::getPath).toList();
    if (files.isEmpty()) {
      throw OperatorException.badInput(path + " matches directories only: name files");
    }
    for (Path match : files) {
      // Looked up anew, each when its turn comes: a pattern may match many.
      String plain = match.toUri().getPath();
      HdfsFileStatus status = fs.getClient().getFileLinkInfo(plain);
      if (status == null) {
        reader.gone(plain);
      } else {
        reader.match(explainer.explain(match, status));
      }
    }
  }

  private static HdfsFileStatus file(String path, HdfsFileStatus status, String plain)
      throws IOException {
    if (status == null) {
      throw OperatorException.badInput("no such path: " + plain);
    }
    if (status.isSymlink()) {
      throw OperatorException.badInput(
          plain + " is a symbolic link to " + status.getSymlink() + ": name that");
    }
    if (status.isDirectory()) {
      throw OperatorException.badInput(
          path + " is a directory: name a file, or use 'tierwise policy get " + path + "'");
    }
    return status;
  }
}
