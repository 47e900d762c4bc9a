package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --conf} for one cluster in a shell whose HADOOP_CONF_DIR is another's, as a process. */
class OtherConfDirTest {
  private static final String SITE =
      """
      <configuration>
      <property><name>fs.defaultFS</name><value>%s</value><final>true</final></property>
      <property><name>hadoop.security.authentication</name><value>%s</value></property>
      </configuration>
      """;

  @TempDir private Path prod;
  @TempDir private Path test;

  /** What it said, after its exit code. */
  private String purge() throws Exception {
    Files.writeString(
        prod.resolve("core-site.xml"), SITE.formatted("hdfs://127.0.0.1:1", "kerberos"));
    List<String> line =
        TierwiseJvm.line(
            List.of(),
            List.of(prod),
            "policy",
            "purge",
            "/",
            "--yes",
            "--conf",
            test.toString(),
            "-D",
            "ipc.client.connect.max.retries=0");
    Path out = Files.createTempFile("purge", ".out");
    Process process =
        new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    try {
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
      return process.exitValue() + " " + Files.readString(out).strip();
    } finally {
      process.destroyForcibly();
      Files.delete(out);
    }
  }

  @Test
  void theOtherClusterIsNotAsked() throws Exception {
    Files.writeString(
        test.resolve("core-site.xml"), SITE.formatted("hdfs://127.0.0.1:2", "simple"));
    assertThat(purge())
        .startsWith("3 ")
        .containsPattern("tierwise policy purge: the NameNode \\S+:2 cannot be reached")
        .doesNotContain(":1 ");
  }

  @Test
  void aFolderThatNamesNoClusterIsRefused() throws Exception {
    assertThat(purge())
        .isEqualTo(
            "2 tierwise policy purge: --conf "
                + test
                + " has none of core-site.xml, hdfs-site.xml and tiers.yaml");
    Files.writeString(test.resolve("hdfs-site.xml"), "<configuration/>");
    assertThat(purge()).startsWith("2 tierwise policy purge: file:/// is not HDFS: ");
  }
}
