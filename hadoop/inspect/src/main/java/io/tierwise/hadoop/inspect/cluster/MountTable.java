package io.tierwise.hadoop.inspect.cluster;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.viewfs.Constants;
import org.apache.hadoop.fs.viewfs.HCFSMountTableConfigLoader;
import org.apache.hadoop.fs.viewfs.MountTableConfigLoader;
import org.apache.hadoop.fs.viewfs.ViewFileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.ViewDistributedFileSystem;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * A client's mount table: of {@code viewfs:}, or of a scheme that one was put over ({@code
 * fs.hdfs.impl} is a view, and the links stand in core-site.xml or in a file that {@code
 * fs.viewfs.mounttable.path} names for all clients).
 */
public final class MountTable {
  private static final String VIEW = "viewfs";
  private static final String HDFS_CLIENT = "fs.hdfs.impl";
  private static final String CLIENT_BELOW = "fs.viewfs.overload.scheme.target.hdfs.impl";

  private MountTable() {}

  /** Whether paths of that file system go through a mount table. */
  public static boolean covers(URI uri, Configuration conf) {
    return VIEW.equals(uri.getScheme()) || ("hdfs".equals(uri.getScheme()) && isOverHdfs(conf));
  }

  /** The key that names the class of clients of HDFS itself. */
  public static String clientKey(Configuration conf) {
    return isOverHdfs(conf) ? CLIENT_BELOW : HDFS_CLIENT;
  }

  private static boolean isOverHdfs(Configuration conf) {
    Class<?> client = conf.getClass(HDFS_CLIENT, DistributedFileSystem.class);
    return ViewFileSystem.class.isAssignableFrom(client)
        || ViewDistributedFileSystem.class.isAssignableFrom(client);
  }

  /** Makes clients of this configuration go to HDFS itself, with the class that the view would. */
  public static void remove(Configuration conf) {
    if (isOverHdfs(conf)) {
      conf.set(HDFS_CLIENT, conf.get(CLIENT_BELOW, DistributedFileSystem.class.getName()));
    }
  }

  /**
   * The HDFS file systems that the table of {@code uri} links to.
   *
   * @throws OperatorException when there is none, or when the table cannot be read
   */
  public static List<URI> fileSystems(URI uri, Configuration conf) {
    boolean view = VIEW.equals(uri.getScheme());
    String name = view ? uri.getAuthority() : uri.getHost();
    String key = Constants.CONFIG_VIEWFS_PREFIX + "." + (name == null ? "default" : name) + ".link";
    Set<URI> found = new LinkedHashSet<>();
    (view ? conf : withSharedTable(conf))
        .getPropsWithPrefix(key)
        .forEach(
            (link, targets) -> {
              for (String target : targets.split(",", -1)) {
                URI targetUri = URI.create(target.strip());
                if ("hdfs".equals(targetUri.getScheme())) {
                  found.add(URI.create("hdfs://" + targetUri.getAuthority()));
                }
              }
            });
    if (found.isEmpty() && view) {
      throw OperatorException.badInput(
          uri + ": its mount table links to no HDFS: set " + key + ".*");
    }
    // A view over HDFS without links is that HDFS.
    return found.isEmpty() ? List.of(uri) : List.copyOf(found);
  }

  private static Configuration withSharedTable(Configuration conf) {
    String path = conf.getTrimmed(Constants.CONFIG_VIEWFS_MOUNTTABLE_PATH);
    if (path == null) {
      return conf;
    }
    Configuration all = new Configuration(conf);
    MountTableConfigLoader loader =
        ReflectionUtils.newInstance(
            conf.getClass(
                Constants.CONFIG_VIEWFS_MOUNTTABLE_LOADER_IMPL,
                HCFSMountTableConfigLoader.class,
                MountTableConfigLoader.class),
            conf);
    try {
      loader.load(path, all);
    } catch (IOException e) {
      throw OperatorException.badInput(
          Constants.CONFIG_VIEWFS_MOUNTTABLE_PATH
              + " cannot be read: "
              + path
              + ": "
              + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
    return all;
  }
}
