package io.tierwise.hadoop.autotier.profiling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientFolderTest {
  @TempDir private Path source;

  @TempDir private Path journal;

  private OwnFolders folders() {
    return OwnFolders.of(new Journal(journal));
  }

  private static Configuration read(Path folder) {
    Configuration conf = new Configuration(false);
    conf.addResource(new org.apache.hadoop.fs.Path(folder.resolve("mapred-site.xml").toUri()));
    return conf;
  }

  @Test
  void jobsAskForTheTierAndAllElseIsTheUsersOwn() throws IOException {
    Files.writeString(source.resolve("core-site.xml"), "<configuration/>");
    Files.writeString(
        source.resolve("mapred-site.xml"),
        "<configuration><property><name>mapreduce.job.tags</name><value>nightly</value></property>"
            + "<property><name>mapreduce.map.env.A</name><value>${user.home}</value></property>"
            + "</configuration>");
    String before = Files.readString(source.resolve("mapred-site.xml"));
    Path written;
    try (ClientFolder folder = ClientFolder.copyOf(source, folders())) {
      folder.environment("disk", "mark-1");
      Map<String, String> environment = folder.environment("ssd", "mark-2");
      written = Path.of(environment.get("HADOOP_CONF_DIR"));
      assertThat(environment).containsEntry("YARN_CONF_DIR", written.toString());

      Configuration site = read(written);
      assertThat(site.get("mapreduce.map.env.TIERWISE_INTERMEDIATE")).isEqualTo("ssd");
      assertThat(site.get("mapreduce.reduce.env.TIERWISE_INTERMEDIATE")).isEqualTo("ssd");
      assertThat(site.get("mapreduce.job.tags")).isEqualTo("nightly,mark-2");
      assertThat(site.getRaw("mapreduce.map.env.A")).isEqualTo("${user.home}");
      assertThat(written.resolve("core-site.xml")).hasContent("<configuration/>");
    }
    assertThat(written).doesNotExist();
    assertThat(Files.readString(source.resolve("mapred-site.xml"))).isEqualTo(before);
  }

  /**
   * Hadoop demands that nobody but root reads {@code container-executor.cfg}. Root reads all, so
   * that another file stands in for it here: one that can be opened and not read.
   */
  @Test
  void whatThisUserCannotReadAndFoldersAreThereAsTheyAreForTheUser() throws IOException {
    Files.createSymbolicLink(source.resolve("container-executor.cfg"), Path.of("/proc/self/mem"));
    Path refused = Files.writeString(source.resolve("ssl-server.xml"), "<configuration/>");
    Files.setPosixFilePermissions(refused, Set.of());
    Path profile = Files.createDirectory(source.resolve("shellprofile.d")).resolve("own.sh");
    Files.writeString(profile, "export A=b");
    try (ClientFolder folder = ClientFolder.copyOf(source, folders())) {
      Path written = Path.of(folder.environment("ssd", "mark").get("HADOOP_CONF_DIR"));
      assertThat(written.resolve("shellprofile.d/own.sh")).hasContent("export A=b");
      assertThat(written.resolve("ssl-server.xml")).exists();
    }
    assertThat(profile).as("nothing of the user's own is deleted").hasContent("export A=b");
    assertThat(refused).exists();
  }

  @Test
  void oneIsMadeWhereTheUserHasNone() throws IOException {
    try (ClientFolder folder = ClientFolder.copyOf(source, folders())) {
      Path written = Path.of(folder.environment("ssd", "mark").get("HADOOP_CONF_DIR"));
      assertThat(read(written).get("mapreduce.job.tags")).isEqualTo("mark");
    }
    assertThatThrownBy(() -> ClientFolder.copyOf(source.resolve("gone"), folders()))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("gone is no directory");
  }

  /** A dry run asks, too: nothing has moved by then. */
  @Test
  void whatCouldNotBeAddedToIsRefused() throws IOException {
    ClientFolder.require(source);
    Path site = Files.writeString(source.resolve("mapred-site.xml"), "<configuration>");
    assertThatThrownBy(() -> ClientFolder.require(source))
        .isInstanceOf(OperatorException.class)
        .hasMessageStartingWith(
            "the run adds to the command's configuration, and cannot read " + site + ": ");
    Files.delete(site);
    Files.createSymbolicLink(site, Path.of("/proc/self/mem"));
    assertThatThrownBy(() -> ClientFolder.require(source))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("cannot read " + site + ": ");
  }
}
