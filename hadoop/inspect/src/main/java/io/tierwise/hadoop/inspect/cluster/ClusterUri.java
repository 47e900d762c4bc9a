package io.tierwise.hadoop.inspect.cluster;

import java.net.URI;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.net.NetUtils;

/**
 * The URI of a cluster, which may be written in several ways: case does not count, HDFS's own port
 * may be left out, and a host may have several names.
 *
 * <p>Compared as Hadoop's client compares them, by its own methods: {@code FileSystem.checkPath}
 * refuses a path of another file system. A name service is the same one by its name alone; its
 * NameNodes' addresses are other clusters.
 */
public final class ClusterUri {
  private static final String HDFS = "hdfs";

  private final URI uri;
  private final Configuration conf;

  /** Hosts are looked up: each text once. */
  private final Map<String, Boolean> known = new ConcurrentHashMap<>();

  /**
   * @param conf that knows the name services
   */
  public ClusterUri(URI uri, Configuration conf) {
    this.uri = uri;
    this.conf = conf;
  }

  /** That of a connection. */
  public static ClusterUri of(FileSystem fs) {
    return new ClusterUri(fs.getUri(), fs.getConf());
  }

  /** Whether a text names this cluster; its path does not count. */
  public boolean is(String text) {
    return known.computeIfAbsent(
        text, other -> parsed(other).filter(parsed -> is(parsed)).isPresent());
  }

  /** Likewise. */
  public boolean is(URI other) {
    return isSame(uri.getScheme(), other.getScheme())
        && (Objects.equals(uri.getAuthority(), other.getAuthority())
            || (port(uri) == port(other)
                && isSame(canonical(uri).getAuthority(), canonical(other).getAuthority())));
  }

  private static Optional<URI> parsed(String text) {
    try {
      return Optional.of(URI.create(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static boolean isSame(String one, String other) {
    return one == null ? other == null : one.equalsIgnoreCase(other);
  }

  private boolean hasPort(URI each) {
    return HDFS.equalsIgnoreCase(each.getScheme())
        && each.getHost() != null
        && !HAUtilClient.isLogicalUri(conf, each);
  }

  private int port(URI each) {
    return each.getPort() < 0 && hasPort(each)
        ? HdfsClientConfigKeys.DFS_NAMENODE_RPC_PORT_DEFAULT
        : each.getPort();
  }

  private URI canonical(URI each) {
    return hasPort(each) ? NetUtils.getCanonicalUri(each, port(each)) : each;
  }

  @Override
  public String toString() {
    return uri.toString();
  }
}
