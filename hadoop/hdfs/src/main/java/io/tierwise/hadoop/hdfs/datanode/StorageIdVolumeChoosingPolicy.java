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

/**
 * Puts a block on the volume that the NameNode chose, when that one has room; else a stock policy
 * decides. Needed where one node has several tiers of one storage type.
 *
 * @param <V> the dataset's volumes
 */
public class StorageIdVolumeChoosingPolicy<V extends FsVolumeSpi>
    implements VolumeChoosingPolicy<V>, Configurable {
  private Configuration conf;
  private VolumeChoosingPolicy<V> fallback = new RoundRobinVolumeChoosingPolicy<>();
  private final OnceLog failures =
      new OnceLog("the chosen volume could not be asked for its space, stock decides");

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
    if (conf != null) {
      fallback = fallback(conf);
    }
  }

  @SuppressWarnings("unchecked")
  private static <V extends FsVolumeSpi> VolumeChoosingPolicy<V> fallback(Configuration conf) {
    Class<?> named =
        conf.getClass(DataNodeKeys.VOLUME_CHOICE_FALLBACK, RoundRobinVolumeChoosingPolicy.class);
    if (named == StorageIdVolumeChoosingPolicy.class
        || !VolumeChoosingPolicy.class.isAssignableFrom(named)) {
      throw new IllegalArgumentException(
          DataNodeKeys.VOLUME_CHOICE_FALLBACK
              + " is "
              + named.getName()
              + ": must be another volume choosing policy");
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
