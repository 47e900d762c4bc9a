package io.tierwise.hadoop.inspect.advise;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.image.FsImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where HDFS wants files of an image. */
class WantedTiersTest {
  private static final Path IMAGE =
      Path.of(System.getProperty("tierwise.root"), "examples/advise/fsimage");

  @TempDir private Path folder;

  private static Map<String, List<String>> of(SiteConf site) throws IOException {
    WantedTiers wanted =
        new WantedTiers(TierConfiguration.byStorageType(), site.types(), site.storagePolicy());
    Map<String, List<String>> tiers = new HashMap<>();
    FsImage.read(
        IMAGE,
        file ->
            tiers.put(
                file.path().toString(),
                Arrays.stream(wanted.of(file)).mapToObj(wanted::name).toList()));
    return tiers;
  }

  /** {@code dfs.storage.default.policy} of the site files holds for it. */
  @Test
  void aFileWithoutAStoragePolicyIsWhereThatOfItsClusterWantsIt() throws IOException {
    String sales = "/warehouse/shop.db/sales/day=60/part-0";
    Files.writeString(folder.resolve("hdfs-site.xml"), "<configuration/>");
    Configuration conf = new Configuration(false);
    conf.set("dfs.storage.default.policy", "ONE_SSD");

    Map<String, List<String>> tiers = of(SiteConf.of(folder, conf));

    assertThat(tiers.get(sales)).containsExactly("ssd", "disk", "disk");
    assertThat(tiers.get("/archive/2024/sales-9")).containsOnly("archive");
    assertThat(of(SiteConf.NONE).get(sales)).containsOnly("disk");
  }
}
