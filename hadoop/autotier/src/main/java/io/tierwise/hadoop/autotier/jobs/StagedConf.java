package io.tierwise.hadoop.autotier.jobs;

import io.tierwise.hadoop.autotier.jobs.StagedSplits.Unusable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * The archive of settings that a client of Spark leaves in its staging directory before it submits
 * an application. Spark knows no input before it runs, so the application says it by a key. Anybody
 * may have written the archive: one file of it is read, and all lengths are bounded.
 *
 * <p>Source: Apache Spark 4.2.0, {@code yarn.Client.createConfArchive}: the properties of the
 * application, one among other files.
 */
final class StagedConf {
  static final String NAME = "__spark_conf__.zip";

  /** Paths of files and directories, separated by commas. */
  static final String INPUT_KEY = "spark.tierwise.input";

  private static final String PROPERTIES = "__spark_conf__.properties";

  /** Own: of all files before the properties, which are the client's configuration of Hadoop. */
  private static final long UNPACKED_BYTES_MAX = 64L << 20;

  private static final int PROPERTIES_BYTES_MAX = 4 << 20;

  private StagedConf() {}

  /** What the application says that it reads. */
  static List<String> input(byte[] archive) throws Unusable {
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
      long left = UNPACKED_BYTES_MAX;
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (entry.getName().equals(PROPERTIES)) {
          return paths(zip.readNBytes(PROPERTIES_BYTES_MAX + 1));
        }
        left -= pass(zip, left);
      }
    } catch (IOException | IllegalArgumentException e) {
      throw damaged();
    }
    throw damaged();
  }

  private static Unusable damaged() {
    return new Unusable("its archive of settings is damaged");
  }

  /** Unpacks what nobody reads, and says how many bytes that were. */
  private static long pass(ZipInputStream zip, long bytesMax) throws IOException, Unusable {
    byte[] buffer = new byte[1 << 16];
    long bytes = 0;
    for (int count = zip.read(buffer); count >= 0; count = zip.read(buffer)) {
      bytes += count;
      if (bytes > bytesMax) {
        throw new Unusable("its archive of settings is larger than anybody reads");
      }
    }
    return bytes;
  }

  private static List<String> paths(byte[] text) throws IOException, Unusable {
    if (text.length > PROPERTIES_BYTES_MAX) {
      throw new Unusable("its settings are larger than anybody reads");
    }
    Properties settings = new Properties();
    settings.load(new StringReader(new String(text, StandardCharsets.UTF_8)));
    List<String> paths =
        Arrays.stream(settings.getProperty(INPUT_KEY, "").split(","))
            .map(String::strip)
            .filter(path -> !path.isEmpty())
            .toList();
    if (paths.isEmpty()) {
      throw new Unusable("it does not say what it reads: by --conf " + INPUT_KEY + "=PATH,...");
    }
    return paths;
  }
}
