package io.tierwise.hadoop.inspect.explain;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/** Where the reader stands that {@code --reader} names. */
public final class ReaderNode {
  private ReaderNode() {}

  /**
   * Rack and host in one text: {@code /rack1/host1}.
   *
   * @param reader that text already, or a DataNode by host name or address, with or without the
   *     port of its data
   */
  public static String location(DistributedFileSystem fs, String reader) throws IOException {
    if (reader.startsWith("/")) {
      return reader;
    }
    List<String> places =
        nodes(fs, reader)
            .filter(node -> isNamed(node, reader))
            .map(node -> node.getNetworkLocation() + "/" + node.getHostName())
            .distinct()
            .toList();
    if (places.isEmpty()) {
      throw OperatorException.badInput(
          "--reader " + reader + ": no DataNode has this name or address; give RACK/HOST");
    }
    if (places.size() > 1) {
      throw OperatorException.badInput(
          "--reader " + reader + ": " + places.size() + " nodes have this address; give RACK/HOST");
    }
    return places.get(0);
  }

  private static boolean isNamed(DatanodeInfo node, String name) {
    return name.equals(node.getHostName())
        || name.equals(node.getIpAddr())
        || name.equals(node.getHostName() + ":" + node.getXferPort())
        || name.equals(node.getXferAddr());
  }

  private static Stream<DatanodeInfo> nodes(DistributedFileSystem fs, String reader)
      throws IOException {
    try {
      return Stream.of(fs.getClient().datanodeReport(DatanodeReportType.ALL));
    } catch (RemoteException e) {
      if (e.unwrapRemoteException() instanceof AccessControlException) {
        throw OperatorException.cluster(
            "--reader " + reader + ": only HDFS's superuser may look up nodes; give RACK/HOST", e);
      }
      throw e;
    }
  }
}
