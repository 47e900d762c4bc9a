package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.tierwise.hadoop.hdfs.Versions;
import io.tierwise.hadoop.hdfs.datanode.CountedStreams;
import io.tierwise.hadoop.hdfs.datanode.ReadAdmission;
import io.tierwise.hadoop.hdfs.datanode.ReaderMetrics;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes Hadoop's own dataset, with client reads counted where the configuration limits them;
 * configured as {@code dfs.datanode.fsdataset.factory}. Without a limit the dataset is Hadoop's.
 */
public class TierwiseDatasetFactory extends FsDatasetSpi.Factory<FsDatasetImpl> {
  private static final Logger LOG = LoggerFactory.getLogger(TierwiseDatasetFactory.class);

  @Override
  public FsDatasetImpl newInstance(DataNode datanode, DataStorage storage, Configuration conf)
      throws IOException {
    if (!Versions.allow("DataNode plug-in")) {
      return new FsDatasetImpl(datanode, storage, conf);
    }
    ReadAdmission admission = null;
    String problem = "";
    try {
      admission = ReadAdmission.of(conf, datanode::getDatanodeId);
    } catch (RuntimeException e) {
      LOG.error("Client reads are not limited: {}", e.getMessage());
      problem = e.getMessage();
    }
    ReaderMetrics metrics = ReaderMetrics.register(admission, problem, datanode.getDisplayName());
    return admission == null
        ? new FsDatasetImpl(datanode, storage, conf)
        : new CountingDataset(datanode, storage, conf, admission, metrics);
  }

  /** Hadoop's dataset, which asks before it opens a replica. */
  static class CountingDataset extends FsDatasetImpl {
    private final ReadAdmission admission;
    private final ReaderMetrics metrics;

    CountingDataset(
        DataNode datanode,
        DataStorage storage,
        Configuration conf,
        ReadAdmission admission,
        ReaderMetrics metrics)
        throws IOException {
      super(datanode, storage, conf);
      this.admission = admission;
      this.metrics = metrics;
    }

    ReadAdmission admission() {
      return admission;
    }

    @Override
    public InputStream getBlockInputStream(ExtendedBlock block, long offset) throws IOException {
      Closeable admitted = admission.enter(block, getVolume(block));
      return CountedStreams.open(admitted, () -> super.getBlockInputStream(block, offset));
    }

    @Override
    public void shutdown() {
      metrics.unregister();
      super.shutdown();
    }
  }
}
