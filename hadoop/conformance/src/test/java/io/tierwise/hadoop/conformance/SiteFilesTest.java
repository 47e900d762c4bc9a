package io.tierwise.hadoop.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteFilesTest {

  private static final Path TEMPLATES =
      Path.of(System.getProperty("tierwise.root"), "hadoop", "conformance", "sites");

  private static final String POLICY = "dfs.block.replicator.classname";
  private static final String FILE_SYSTEM = "fs.hdfs.impl";
  private static final String TOPOLOGY = "dfs.net.topology.impl";
  private static final String MIN_BLOCK = "dfs.namenode.fs-limits.min-block-size";

  @Test
  void stockGetsWhatHadoopsBuildGivesAndNothingOfOurs(@TempDir Path folder) throws Exception {
    Configuration site = written(Side.STOCK, folder);
    assertThat(site.get(MIN_BLOCK)).isEqualTo("0");
    assertThat(site.get(POLICY)).isNull();
    assertThat(site.get(FILE_SYSTEM)).isNull();
  }

  @Test
  void oursGetsTheSamePlusThePlugins(@TempDir Path folder) throws Exception {
    Configuration site = written(Side.INSTALLED, folder);
    assertThat(site.get(MIN_BLOCK)).isEqualTo("0");
    assertThat(site.get(POLICY)).startsWith("io.tierwise.");
    assertThat(site.get(FILE_SYSTEM)).startsWith("io.tierwise.");
  }

  @Test
  void optInPluginsComeOnDemandOnly(@TempDir Path plain, @TempDir Path optIn) throws Exception {
    assertThat(written(Side.INSTALLED, plain).get(TOPOLOGY)).isNull();
    SiteFiles.write(TEMPLATES, Side.INSTALLED, true, optIn);
    assertThat(read(optIn).get(TOPOLOGY)).startsWith("io.tierwise.");
    assertThat(SiteFiles.pluginClasses(TEMPLATES, Side.INSTALLED, true))
        .containsAll(SiteFiles.pluginClasses(TEMPLATES, Side.INSTALLED, false))
        .contains(read(optIn).get(TOPOLOGY));
  }

  @Test
  void whereOurCodeDecidesEveryPathIsUnderARule(@TempDir Path folder) throws Exception {
    Configuration site = written(Side.DECIDING, folder);
    assertThat(site.get(TOPOLOGY)).startsWith("io.tierwise.");
    assertThat(site.get("tierwise.access.strategy")).isNotEmpty();
    assertThat(Files.readString(folder.resolve("tiers.yaml")))
        .contains("path: /, placement: hybrid");
    assertThat(Files.readString(folder.resolve("log4j.properties")))
        .contains("log4j.rootLogger", DecisionCounter.class.getName());
  }

  @Test
  void everyPluginOfTheTemplateIsWatched() throws Exception {
    assertThat(SiteFiles.pluginClasses(TEMPLATES, Side.INSTALLED, false))
        .hasSizeGreaterThanOrEqualTo(5)
        .allSatisfy(name -> assertThat(name).contains("Tierwise"));
  }

  private static Configuration written(Side side, Path folder) throws Exception {
    SiteFiles.write(TEMPLATES, side, false, folder);
    return read(folder);
  }

  private static Configuration read(Path folder) throws Exception {
    Configuration site = new Configuration(false);
    site.addResource(folder.resolve("core-site.xml").toUri().toURL());
    site.addResource(folder.resolve("hdfs-site.xml").toUri().toURL());
    return site;
  }
}
