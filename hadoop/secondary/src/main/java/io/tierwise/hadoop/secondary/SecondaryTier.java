package io.tierwise.hadoop.secondary;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.secondary.SecondaryKeys;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStores;
import io.tierwise.hadoop.inspect.cluster.ClusterUri;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.hadoop.mover.MoverCluster;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** A cluster and its secondary stores, for those who move files between them. */
public final class SecondaryTier implements Closeable {
  private final DistributedFileSystem fs;
  private final SecondaryStores stores;
  private FullQuotas quotas = new FullQuotas();

  private SecondaryTier(DistributedFileSystem fs, SecondaryStores stores) {
    this.fs = fs;
    this.stores = stores;
  }

  /**
   * Lets a connection see placeholders as they are, and ask for checksums that do not depend on
   * blocks. To be called before it is made.
   */
  public static void prepare(Configuration conf) {
    MoverCluster.prepare(conf);
    conf.set("dfs.checksum.combine.mode", "COMPOSITE_CRC");
  }

  /**
   * The stores that the configuration names; none is contacted.
   *
   * @param fs of a {@link #prepare prepared} configuration; it stays the caller's
   * @throws OperatorException when it names none, or a wrong one, or when a Router answers
   */
  public static SecondaryTier of(DistributedFileSystem fs, Configuration conf) throws IOException {
    new NameNodePlugin(fs, conf).ofActive().requireNameNode();
    return ofNameNode(fs, conf);
  }

  /** The same where it is known that no Router answers. */
  public static SecondaryTier ofNameNode(DistributedFileSystem fs, Configuration conf)
      throws IOException {
    SecondaryStores stores;
    try {
      stores = SecondaryStores.of(conf);
    } catch (IllegalArgumentException e) {
      throw OperatorException.badInput(e.getMessage());
    }
    if (stores.all().isEmpty()) {
      throw OperatorException.badInput(
          SecondaryKeys.STORES
              + " names no secondary store: set it in HADOOP_CONF_DIR, or give -D "
              + SecondaryKeys.STORES
              + "=hdfs://archive:8020/tierwise (or file:///mnt/nas/tierwise)");
    }
    return new SecondaryTier(fs, stores);
  }

  /** Goes by what earlier runs met, and notes there what this one meets. */
  public void heed(FullQuotas known) {
    quotas = known;
  }

  FullQuotas quotas() {
    return quotas;
  }

  DistributedFileSystem fs() {
    return fs;
  }

  SecondaryStores stores() {
    return stores;
  }

  /** The store that takes new copies. */
  public SecondaryStore target() {
    return stores.all().get(0);
  }

  /**
   * Whether a path of the cluster is in a store's own directory: copies are there, and no files.
   */
  public boolean holds(String path) {
    ClusterUri cluster = ClusterUri.of(fs);
    return stores.all().stream()
        .map(store -> store.root().toUri())
        .anyMatch(root -> cluster.is(root) && (path + "/").startsWith(root.getPath() + "/"));
  }

  /**
   * Refuses a store whose directory is not there: a share that is not mounted leaves an empty
   * folder, and copies must not land below it.
   */
  public void requireReachable() {
    stores.all().forEach(SecondaryTier::requireReachable);
  }

  /** The same of one store. */
  static void requireReachable(SecondaryStore store) {
    try {
      FileStatus root = store.fs().getFileStatus(store.root());
      if (!root.isDirectory()) {
        throw OperatorException.cluster(
            "the secondary store " + store + " is no directory: make it one", null);
      }
    } catch (FileNotFoundException e) {
      throw OperatorException.cluster(
          "the secondary store " + store + " is not there: mount it, or make the directory", e);
    } catch (IOException e) {
      throw OperatorException.cluster(
          new StoreException(store, "cannot be reached", e).getMessage(), e);
    }
  }

  /**
   * Refuses to write to a store where anybody could take copies away. Of one that keeps no rights,
   * as a bucket, only its keys say who could, so that it cannot be asked.
   */
  void requireClosed() throws IOException {
    boolean open;
    try {
      Path root = target().root();
      open =
          StoreFolders.isOpen(target().fs().getFileStatus(root))
              && KeptRights.keeps(target(), new Path(root, Attempt.begin() + ".part"));
    } catch (StoreException e) {
      throw OperatorException.cluster(e.getMessage(), e);
    }
    if (open) {
      throw OperatorException.cluster(
          "everybody may write to the secondary store "
              + target()
              + ", and so take away other users' copies: 'chmod o-w' its directory, and let one"
              + " operator offload for all",
          null);
    }
  }

  @Override
  public void close() throws IOException {
    stores.close();
  }
}
