package io.tierwise.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import io.tierwise.cli.ManagedHdfs;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The doctor on a NameNode whose class for files under no policy cannot be used. */
class DoctorUnmanagedClassIT {
  private static final String KEY = "tierwise.placement.unmanaged.classname";

  @TempDir private Path folder;

  @Test
  void aClassThatIsGoneIsAFailureWithItsKey() throws IOException {
    Configuration conf = ManagedHdfs.configuration();
    conf.set(KEY, "com.example.GoneAfterAnUpgrade");
    ManagedHdfs hdfs = ManagedHdfs.start(folder, null, conf, nodes -> nodes.numDataNodes(1));
    try {
      CommandRun doctor = hdfs.run("doctor", "-D", hdfs.webKey());

      assertThat(doctor.exitCode()).isEqualTo(3);
      assertThat(doctor.unfolded())
          .contains(
              KEY + " is com.example.GoneAfterAnUpgrade, and files under no policy are placed by");
    } finally {
      hdfs.cluster().shutdown(true);
    }
  }
}
