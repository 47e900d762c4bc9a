package io.tierwise.cli.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A daemon sends files to a bucket, by S3A, and brings back what is read there. */
@Tag("long")
class ObjectStoreDaemonIT {
  private static final String READ = "/data/cold-0";
  private static final String UNREAD = "/data/cold-1";

  @TempDir private Path folder;

  @Test
  @Timeout(900)
  void filesGoToABucketAndWhatIsReadThereComesBack() throws Exception {
    try (StoreProcess store = StoreProcess.start(StoreProcess.Kind.OBJECTS, folder);
        ColdFiles cold = new ColdFiles(folder, 2)) {
      StoredFiles files = new StoredFiles(cold.hdfs().fs(), store.with(new HdfsConfiguration()));
      try (DaemonProcess daemon = cold.daemon(store.options())) {
        cold.awaitReading(daemon, "both go", () -> cold.stored(files) == 2);
        assertThat(store.names()).as("of each a copy, and what it is of").hasSize(4);
        cold.hdfs().unheard(() -> cold.assertReadable(files));

        cold.awaitReading(
            daemon,
            "one comes back",
            () -> {
              files.read(READ, ColdFiles.READERS);
              return !files.isStored(READ);
            });
        assertThat(files.isStored(UNREAD)).as("nobody reads the other one").isTrue();
        assertThat(cold.inHdfs(READ)).isEqualTo(cold.written());
        assertThat(cold.hdfs().replicas(READ)).isEqualTo(3);
        cold.assertReadable(files);
        assertThat(daemon.said()).as("nothing stood in the way").isEmpty();
      }
    }
  }
}
