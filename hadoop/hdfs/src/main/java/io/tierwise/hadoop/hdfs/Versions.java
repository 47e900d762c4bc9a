package io.tierwise.hadoop.hdfs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pairing of Tierwise and Hadoop: said once by each part of a process, and refused where the
 * jar was not built for Hadoop's line.
 */
public final class Versions {
  /** Written into the jar by the build. */
  static final String RESOURCE = "io/tierwise/hadoop/hdfs/version.properties";

  private static final Logger LOG = LoggerFactory.getLogger(Versions.class);
  private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

  private final String ours;
  private final List<String> lines;
  private final String hadoop;
  private final Set<String> copies;

  Versions(String ours, List<String> lines, String hadoop, Set<String> copies) {
    this.ours = ours;
    this.lines = lines;
    this.hadoop = hadoop;
    this.copies = copies;
  }

  /** Of this process. */
  public static Versions here() {
    Properties here = read(Versions.class.getClassLoader().getResource(RESOURCE));
    return new Versions(
        here.getProperty("version"),
        List.of(here.getProperty("hadoop-lines").split(" ")),
        VersionInfo.getVersion(),
        copiesOn(Versions.class.getClassLoader()));
  }

  /** Each copy on the class path, as "version at place"; the process runs the first one found. */
  static Set<String> copiesOn(ClassLoader loader) {
    try {
      Set<String> copies = new TreeSet<>();
      for (URL url : Collections.list(loader.getResources(RESOURCE))) {
        String place = url.toString().replaceFirst("^jar:", "").replaceFirst("!?/" + RESOURCE, "");
        copies.add(read(url).getProperty("version") + " at " + place);
      }
      return copies;
    } catch (IOException e) {
      throw new UncheckedIOException("the class path cannot be searched for " + RESOURCE, e);
    }
  }

  private static Properties read(URL url) {
    Properties properties = new Properties();
    try (InputStream in = url.openStream()) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(url + " cannot be read", e);
    }
    return properties;
  }

  /**
   * Says both versions in one line, once for each part; or in one line why that part stays off.
   *
   * @param part for the line, for example "NameNode plug-in"
   * @return whether the part may run
   */
  public static boolean allow(String part) {
    Versions versions;
    try {
      versions = here();
    } catch (RuntimeException e) {
      if (SAID.add(part)) {
        LOG.warn("Tierwise {} stays off: its version is unknown: {}", part, e.getMessage());
      }
      return false;
    }
    if (SAID.add(part)) {
      if (versions.isBuiltFor()) {
        LOG.info(versions.line(part));
      } else {
        LOG.warn(versions.line(part));
      }
      versions.warning().ifPresent(LOG::warn);
    }
    return versions.isBuiltFor();
  }

  boolean isBuiltFor() {
    return lines.stream().anyMatch(line -> hadoop.equals(line) || hadoop.startsWith(line + "."));
  }

  String line(String part) {
    return isBuiltFor()
        ? "Tierwise " + ours + " " + part + " on Hadoop " + hadoop
        : "Tierwise "
            + ours
            + " "
            + part
            + " stays off, and stock HDFS decides: it was built for Hadoop "
            + String.join(" and ", lines)
            + ", this is "
            + hadoop;
  }

  /** A second copy on the class path: after an upgrade, the old jar may be the one that runs. */
  Optional<String> warning() {
    return copies.size() < 2
        ? Optional.empty()
        : Optional.of(
            "Tierwise is on the class path "
                + copies.size()
                + " times, and classes come from whichever is first; keep one: "
                + String.join(", ", copies));
  }
}
