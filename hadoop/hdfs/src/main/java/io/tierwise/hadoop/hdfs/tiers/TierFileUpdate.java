package io.tierwise.hadoop.hdfs.tiers;

import io.tierwise.core.cluster.DeviceClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/**
 * Puts measured device classes into a tier table and writes it. Comments of the old file are lost;
 * the old file is kept beside the new one.
 */
public final class TierFileUpdate {
  private final Map<String, Object> root;

  private TierFileUpdate(Map<String, Object> root) {
    this.root = root;
  }

  /**
   * Starts from the text of an existing table.
   *
   * @throws TierFileException when the text is no tier table
   */
  public static TierFileUpdate of(String yaml, String source) {
    TierConfiguration.parse(yaml, source);
    Object value = new Load(LoadSettings.builder().setLabel(source).build()).loadFromString(yaml);
    return new TierFileUpdate(asMap(value));
  }

  /** Starts a table whose tiers are storage types, in the given order: fastest first. */
  public static TierFileUpdate ofTypes(Map<String, StorageType> tiersFastestFirst) {
    List<Object> tiers = new ArrayList<>();
    tiersFastestFirst.forEach(
        (name, type) -> {
          Map<String, Object> tier = new LinkedHashMap<>();
          tier.put("name", name);
          tier.put("match", new LinkedHashMap<>(Map.of("storage-type", type.name())));
          tiers.add(tier);
        });
    return new TierFileUpdate(new LinkedHashMap<>(Map.of("tiers", tiers)));
  }

  /** Replaces the class of a tier; figures that are unknown keep what the file said. */
  public TierFileUpdate setClass(String tierName, DeviceClass measured) {
    for (Object entry : (List<?>) root.get("tiers")) {
      Map<String, Object> tier = asMap(entry);
      if (tierName.equals(String.valueOf(tier.get("name")))) {
        Object old = tier.get("class");
        Map<String, Object> figures = old == null ? new LinkedHashMap<>() : asMap(old);
        put(figures, "read-megabytes-per-second", megabytes(measured.readBytesPerSecond()));
        put(figures, "write-megabytes-per-second", megabytes(measured.writeBytesPerSecond()));
        put(figures, "random-reads-per-second", measured.randomReadsPerSecond());
        put(
            figures,
            "peak-read-megabytes-per-second",
            megabytes(measured.peakReadBytesPerSecond()));
        if (measured.readersAtPeak() > 0) {
          figures.put("readers-at-peak", measured.readersAtPeak());
        }
        tier.put("class", figures);
        return this;
      }
    }
    throw new TierFileException("unknown tier \"" + tierName + "\"");
  }

  private static double megabytes(double bytes) {
    return bytes / TierFile.BYTES_PER_MEGABYTE;
  }

  private static void put(Map<String, Object> figures, String key, double value) {
    if (!Double.isNaN(value)) {
      // Three significant digits: a probe is not more exact than that.
      figures.put(key, Double.parseDouble(String.format(Locale.ROOT, "%.3g", value)));
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> asMap(Object value) {
    return (Map<String, Object>) value;
  }

  /** The table as YAML text. */
  public String yaml() {
    DumpSettings settings =
        DumpSettings.builder().setDefaultFlowStyle(FlowStyle.BLOCK).setWidth(120).build();
    return new Dump(settings).dumpToString(root);
  }

  /**
   * Writes the table atomically; an existing file is kept as {@code NAME.bak}.
   *
   * @throws TierFileException when the result would not be a valid table; nothing was written
   */
  public void write(Path file) throws IOException {
    String yaml = yaml();
    TierConfiguration.parse(yaml, file.toString());
    Path target = file.toAbsolutePath();
    Path temporary = Files.createTempFile(target.getParent(), ".tiers", ".yaml");
    try {
      Files.writeString(temporary, yaml);
      if (Files.exists(target)) {
        Files.copy(
            target,
            target.resolveSibling(target.getFileName() + ".bak"),
            StandardCopyOption.REPLACE_EXISTING);
        Files.setPosixFilePermissions(temporary, Files.getPosixFilePermissions(target));
      } else {
        // Every daemon and client reads the table; a temporary file is its maker's alone.
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rw-r--r--"));
      }
      Files.move(
          temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
