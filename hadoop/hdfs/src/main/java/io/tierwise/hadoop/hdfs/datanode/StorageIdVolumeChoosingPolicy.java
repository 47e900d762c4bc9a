package io.tierwise.hadoop.hdfs.datanode;

import io.tierwise.hadoop.hdfs.OnceLog;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.apache.hadoop.util.ReflectionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a block on the volume that the NameNode chose, when that one has room; else a stock policy
 * decides. Needed where one node has several tiers of one storage type.
 *
 * @param <V> the dataset's volumes
 */
public class StorageIdVolumeChoosingPolicy<V extends FsVolumeSpi>
    implements VolumeChoosingPolicy<V>, Configurable {
  private static final Logger LOG = LoggerFactory.getLogger(StorageIdVolumeChoosingPolicy.class);

  private Configuration conf;
  private VolumeChoosingPolicy<V> fallback = new RoundRobinVolumeChoosingPolicy<>();
  private final OnceLog failures =
      new OnceLog("the chosen volume could not be asked for its space, stock decides");

  /** Never throws: Hadoop asks for this policy while a DataNode starts, and would end it. */
  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
    if (conf != null) {
      try {
        fallback = fallback(conf);
      } catch (RuntimeException | LinkageError e) {
        LOG.error(
            "{} cannot be used, {} chooses where the NameNode's volume has no room: {}",
            DataNodeKeys.VOLUME_CHOICE_FALLBACK,
            fallback.getClass().getName(),
            e.getMessage());
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static <V extends FsVolumeSpi> VolumeChoosingPolicy<V> fallback(Configuration conf) {
    Class<?> named =
        conf.getClass(DataNodeKeys.VOLUME_CHOICE_FALLBACK, RoundRobinVolumeChoosingPolicy.class);
    if (named == StorageIdVolumeChoosingPolicy.class
        || !VolumeChoosingPolicy.class.isAssignableFrom(named)) {
      throw new IllegalArgumentException(named.getName() + " is no other volume choosing policy");
    }
    return (VolumeChoosingPolicy<V>) ReflectionUtils.newInstance(named, conf);
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public V chooseVolume(List<V> volumes, long replicaBytes, String storageId) throws IOException {
    if (storageId != null && !storageId.isEmpty()) {
      for (V volume : volumes) {
        if (storageId.equals(volume.getStorageID()) && hasRoom(volume, replicaBytes)) {
          return volume;
        }
      }
    }
    return fallback.chooseVolume(volumes, replicaBytes, storageId);
  }

  private boolean hasRoom(V volume, long replicaBytes) {
    try {
      return volume.getAvailable() > replicaBytes;
    } catch (IOException e) {
      failures.failed(volume.getStorageID(), e);
      return false;
    }
  }
}
