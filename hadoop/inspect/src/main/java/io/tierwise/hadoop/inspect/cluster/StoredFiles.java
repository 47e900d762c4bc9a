package io.tierwise.hadoop.inspect.cluster;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * The paths that somebody names, all on one cluster; patterns as HDFS's shell knows them.
 *
 * @param plainPaths as the NameNode knows them
 */
public record StoredFiles(ClusterConnection.Place place, List<String> plainPaths)
    implements AutoCloseable {

  /**
   * Connects and looks whether each path is there.
   *
   * @throws OperatorException when one is not, or is on another cluster
   */
  public static StoredFiles find(Configuration conf, List<String> paths) throws IOException {
    ClusterConnection.Place place = ClusterConnection.connect(conf, paths.get(0));
    try {
      List<String> plain = new ArrayList<>();
      for (String text : paths) {
        Path path = text.equals(paths.get(0)) ? place.path() : qualified(place, text);
        FileStatus[] found = place.fs().globStatus(path);
        if (found == null || found.length == 0) {
          throw OperatorException.badInput("no such path: " + text);
        }
        for (FileStatus one : found) {
          plain.add(one.getPath().toUri().getPath());
        }
      }
      return new StoredFiles(place, plain);
    } catch (IOException | RuntimeException e) {
      place.close();
      throw e;
    }
  }

  private static Path qualified(ClusterConnection.Place place, String text) {
    try {
      return place.fs().makeQualified(new Path(text));
    } catch (IllegalArgumentException e) {
      throw OperatorException.badInput(
          text + " is not on the cluster of the first path: give one command for each cluster");
    }
  }

  /**
   * For what gives each path a layout.
   *
   * @throws OperatorException when the root is one of them
   */
  public void requireNoRoot() {
    if (plainPaths.contains("/")) {
      throw OperatorException.badInput("/ stands for every file of the cluster: name directories");
    }
  }

  public DistributedFileSystem fs() {
    return place.fs();
  }

  @Override
  public void close() throws IOException {
    place.close();
  }
}
