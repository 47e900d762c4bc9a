package io.tierwise.hadoop.inspect.advise;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;

/**
 * Tells whether a URI names a file of the image's name service: by its scheme, and by its authority
 * where a configuration says which is the image's.
 *
 * <p>Hosts are compared by their first label: people write them with and without their domain. An
 * address in numbers says nothing here.
 *
 * @param hosts the first labels of the names of the name service and of its NameNodes; empty where
 *     nobody named a configuration, and any authority may be its own
 */
record ImageNames(Set<String> hosts) {
  /** Any authority may be the image's. */
  static final ImageNames UNKNOWN = new ImageNames(Set.of());

  private static final Set<String> SCHEMES =
      Set.of("hdfs", "webhdfs", "swebhdfs", "viewfs", "viewfshdfs");

  private static final Pattern NUMBERS = Pattern.compile("[0-9.]+|\\[.*");

  ImageNames {
    hosts = Set.copyOf(hosts);
  }

  /** Of the default file system of a configuration that people named. */
  static ImageNames of(Configuration conf) {
    URI uri = FileSystem.getDefaultUri(conf);
    String authority = uri.getAuthority();
    if (!"hdfs".equals(uri.getScheme()) || authority == null) {
      return UNKNOWN;
    }
    Set<String> hosts = new LinkedHashSet<>(Set.of(label(authority)));
    DFSUtilClient.getAddresses(conf, null, HdfsClientConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY)
        .getOrDefault(authority, Map.of())
        .values()
        .stream()
        .map(InetSocketAddress::getHostString)
        .forEach(host -> hosts.add(label(host)));
    return hosts.stream().allMatch(host -> NUMBERS.matcher(host).matches())
        ? UNKNOWN
        : new ImageNames(hosts);
  }

  /** Whether files of that scheme and authority may be the image's. */
  boolean mayHave(String scheme, String authority) {
    if (!SCHEMES.contains(scheme.toLowerCase(Locale.ROOT))) {
      return false;
    }
    return hosts.isEmpty()
        || authority.isEmpty()
        || scheme.toLowerCase(Locale.ROOT).startsWith("viewfs")
        || NUMBERS.matcher(authority.replaceFirst(":[0-9]*$", "")).matches()
        || hosts.contains(label(authority));
  }

  /** The host without its domain, its port and a user's name. */
  private static String label(String authority) {
    String host = authority.substring(authority.indexOf('@') + 1).replaceFirst(":[0-9]*$", "");
    return NUMBERS.matcher(host).matches()
        ? host
        : host.replaceFirst("[.].*", "").toLowerCase(Locale.ROOT);
  }
}
