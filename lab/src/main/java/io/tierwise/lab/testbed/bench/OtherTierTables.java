package io.tierwise.lab.testbed.bench;

import io.tierwise.lab.testbed.plan.HadoopConfiguration;
import io.tierwise.lab.testbed.plan.NodePlan;
import io.tierwise.lab.testbed.plan.TestbedPlan;
import io.tierwise.lab.testbed.plan.VolumePlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;

/** The tier tables that a NameNode of some rows has in the place of the testbed's. */
final class OtherTierTables {
  private final TestbedPlan plan;
  private final HadoopConfiguration configuration;
  private final DistributedFileSystem admin;

  OtherTierTables(TestbedPlan plan, Path folder, DistributedFileSystem admin) {
    this.plan = plan;
    this.configuration = new HadoopConfiguration(plan, folder);
    this.admin = admin;
  }

  /** Writes all of them beside the NameNode's own. */
  void write() throws IOException {
    writeToldDevice();
    writeUntoldUplinks();
  }

  /** The tier table with the speed that the slow device has while it is slow. */
  private void writeToldDevice() throws IOException {
    NodePlan node = FaultInForce.fastNode(plan);
    VolumePlan device = node.volumes().get(0);
    Path site = configuration.of(plan.nameNode());
    String volumes =
        String.format(
            Locale.ROOT,
            "volumes:%n  - {storage-ids: [%s], read-megabytes-per-second: %s}%n",
            storageId(node, device),
            BenchFault.SLOW_DEVICE_SHARE
                * device.kind().readBytesPerSecond(plan.scaleDown())
                / 1e6);
    Files.writeString(
        site.resolve(ReadsPhases.TOLD_DEVICE_FILE),
        Files.readString(site.resolve("tiers.yaml")) + volumes);
  }

  private void writeUntoldUplinks() throws IOException {
    Files.writeString(
        configuration.of(plan.nameNode()).resolve(ReadsPhases.UNTOLD_UPLINKS_FILE),
        configuration.tiersWithoutUplinksYaml());
  }

  private String storageId(NodePlan node, VolumePlan device) throws IOException {
    for (DatanodeStorageReport report :
        admin.getClient().getDatanodeStorageReport(HdfsConstants.DatanodeReportType.LIVE)) {
      if (report.getDatanodeInfo().getHostName().equals(node.name())) {
        for (StorageReport storage : report.getStorageReports()) {
          if (storage.getStorage().getStorageType().name().equals(device.kind().storageType())) {
            return storage.getStorage().getStorageID();
          }
        }
      }
    }
    throw new IOException(node.name() + " reports no volume " + device.name());
  }
}
