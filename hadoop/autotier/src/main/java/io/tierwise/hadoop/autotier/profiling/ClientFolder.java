package io.tierwise.hadoop.autotier.profiling;

import io.tierwise.core.message.OperatorException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * A stand-in for the directory of a client's configuration, in which MapReduce jobs ask for a tier
 * and bear a tag. So the application need not know of either.
 */
final class ClientFolder implements Closeable {
  /** What our container executor obeys. */
  static final String VARIABLE = "TIERWISE_INTERMEDIATE";

  private static final String MAPRED_SITE = "mapred-site.xml";
  private static final String TAGS = "mapreduce.job.tags";

  private final Path source;
  private final FolderCopy copy;

  private ClientFolder(Path source, FolderCopy copy) {
    this.source = source;
    this.copy = copy;
  }

  /** Refuses a directory of which there can be no copy. */
  static void require(Path source) {
    if (!Files.isDirectory(source)) {
      throw OperatorException.badInput("the configuration " + source + " is no directory");
    }
    site(source);
  }

  private static Configuration site(Path source) {
    return FolderCopy.read(
        source,
        MAPRED_SITE,
        new Configuration(false),
        file -> {
          // Of a file that cannot be opened Hadoop says nothing that helps.
          try (InputStream in = Files.newInputStream(file)) {
            in.available();
          }
          Configuration site = new Configuration(false);
          site.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
          site.get(TAGS); // Reads it.
          return site;
        });
  }

  static ClientFolder copyOf(Path source, OwnFolders own) throws IOException {
    require(source);
    return new ClientFolder(source, FolderCopy.of(source, own::note));
  }

  /**
   * What a command finds in its environment so that its jobs ask for that tier, and bear that tag.
   */
  Map<String, String> environment(String tier, String tag) throws IOException {
    Configuration site = site(source);
    // The last one is for jobs so small that their application master runs the tasks.
    for (String key :
        new String[] {
          "mapreduce.map.env.", "mapreduce.reduce.env.", "yarn.app.mapreduce.am.env."
        }) {
      site.set(key + VARIABLE, tier);
    }
    site.set(TAGS, allTags(site.get(TAGS, ""), tag));
    copy.write(MAPRED_SITE, site::writeXml);
    String folder = copy.path().toString();
    return Map.of("HADOOP_CONF_DIR", folder, "YARN_CONF_DIR", folder);
  }

  /** YARN's frameworks take a list of tags. */
  static String allTags(String tags, String tag) {
    return tags.isBlank() ? tag : tags + "," + tag;
  }

  @Override
  public void close() throws IOException {
    copy.close();
  }
}
