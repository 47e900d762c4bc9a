package io.tierwise.lab.embedded;

import io.tierwise.lab.embedded.device.DeviceModel;
import java.net.InetAddress;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;

/**
 * One node of an embedded cluster: a DataNode, and the place of the readers and writers on it.
 *
 * @param index from 0, in the order of racks
 * @param hostName as HDFS shows it
 * @param rack network location, for example {@code /rack1}
 * @param address loopback address of its own
 * @param devices its volumes, one a storage type
 */
public record EmbeddedNode(
    int index,
    String hostName,
    String rack,
    InetAddress address,
    Map<StorageType, DeviceModel> devices) {
  public EmbeddedNode {
    devices = Map.copyOf(devices);
  }

  /** Its place and the types of its volumes, for people. */
  public String text() {
    return rack + "/" + hostName + "  " + devices.keySet();
  }
}
