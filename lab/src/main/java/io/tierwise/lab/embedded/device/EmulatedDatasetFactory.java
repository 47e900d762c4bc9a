package io.tierwise.lab.embedded.device;

import java.io.IOException;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsDatasetFactory;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * Gives a DataNode emulated devices, then lets another factory make its dataset: the stock one or a
 * plug-in's, which is none the wiser.
 */
public final class EmulatedDatasetFactory extends FsDatasetSpi.Factory<FsDatasetSpi<?>> {
  /** The factory that makes the dataset. */
  public static final String DATASET_FACTORY_KEY = "tierwise.embedded.dataset.factory";

  /**
   * Devices of the node: prefix, then a storage type; the value is read and written by this class.
   */
  private static final String DEVICE_PREFIX = "tierwise.embedded.device.";

  private static final Map<String, String> LATER_KEYS = new ConcurrentHashMap<>();

  /**
   * Keys for the datasets of DataNodes that start from now on, on top of what they started with
   * before: a mini cluster restarts a DataNode with its first configuration.
   */
  public static void setKeys(Map<String, String> keys) {
    LATER_KEYS.clear();
    LATER_KEYS.putAll(keys);
  }

  /** Writes into a DataNode's configuration that its volumes of {@code type} are such devices. */
  public static void setDevice(Configuration conf, StorageType type, DeviceModel model) {
    conf.set(
        DEVICE_PREFIX + type,
        String.join(
            ",",
            model.name(),
            Double.toString(model.readBytesPerSecond()),
            Double.toString(model.writeBytesPerSecond()),
            Double.toString(model.positioningSeconds()),
            Double.toString(model.runBytes()),
            Integer.toString(model.readersAtPeak())));
  }

  private static Map<StorageType, EmulatedDevice> devices(Configuration conf) {
    Map<StorageType, EmulatedDevice> devices = new EnumMap<>(StorageType.class);
    for (StorageType type : StorageType.values()) {
      String[] figures = conf.getStrings(DEVICE_PREFIX + type);
      if (figures != null) {
        devices.put(
            type,
            new EmulatedDevice(
                new DeviceModel(
                    figures[0],
                    Double.parseDouble(figures[1]),
                    Double.parseDouble(figures[2]),
                    Double.parseDouble(figures[3]),
                    Double.parseDouble(figures[4]),
                    Integer.parseInt(figures[5]))));
      }
    }
    return devices;
  }

  @Override
  public FsDatasetSpi<?> newInstance(DataNode node, DataStorage storage, Configuration conf)
      throws IOException {
    putFileIo(node, new EmulatedFileIo(conf, node, devices(conf), address(conf)));
    FsDatasetSpi.Factory<?> factory =
        ReflectionUtils.newInstance(
            conf.getClass(DATASET_FACTORY_KEY, FsDatasetFactory.class, FsDatasetSpi.Factory.class),
            conf);
    Configuration datasetConf = new Configuration(conf);
    LATER_KEYS.forEach(datasetConf::set);
    return factory.newInstance(node, storage, datasetConf);
  }

  private static InetAddress address(Configuration conf) {
    return conf.getSocketAddr(
            DFSConfigKeys.DFS_DATANODE_ADDRESS_KEY,
            DFSConfigKeys.DFS_DATANODE_ADDRESS_DEFAULT,
            DFSConfigKeys.DFS_DATANODE_DEFAULT_PORT)
        .getAddress();
  }

  /**
   * A DataNode makes its file operations itself and offers no key to choose them. Every volume
   * takes them from the DataNode when the dataset is made, that is after this.
   */
  private static void putFileIo(DataNode node, EmulatedFileIo fileIo) throws IOException {
    try {
      Field field = DataNode.class.getDeclaredField("fileIoProvider");
      field.setAccessible(true);
      field.set(node, fileIo);
    } catch (ReflectiveOperationException e) {
      throw new IOException("this DataNode takes no emulated devices: " + e.getMessage(), e);
    }
  }
}
