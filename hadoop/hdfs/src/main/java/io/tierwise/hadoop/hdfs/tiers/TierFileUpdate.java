package io.tierwise.hadoop.hdfs.tiers;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/**
 * Puts measured device classes into a tier table and writes it. All else of the old file stays as
 * it is, comments too; the old file is kept beside the new one.
 */
public final class TierFileUpdate {
  private static final String VOLUMES = "volumes";
  private static final String LINKS = "links";

  private String yaml;

  private TierFileUpdate(String yaml) {
    this.yaml = yaml;
  }

  /**
   * Starts from the text of an existing table.
   *
   * @throws TierFileException when the text is no tier table
   */
  public static TierFileUpdate of(String yaml, String source) {
    TierConfiguration.parse(yaml, source);
    return new TierFileUpdate(yaml);
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
    DumpSettings settings =
        DumpSettings.builder().setDefaultFlowStyle(FlowStyle.BLOCK).setWidth(120).build();
    return new TierFileUpdate(new Dump(settings).dumpToString(Map.of("tiers", tiers)));
  }

  /**
   * Replaces the class of a tier; figures that are unknown keep what the file said.
   *
   * @throws TierFileException when the tier is unknown, or its place in the file is shared
   */
  public TierFileUpdate setClass(String tierName, DeviceClass measured) {
    Map<String, String> figures = new LinkedHashMap<>();
    put(figures, "read-megabytes-per-second", megabytes(measured.readBytesPerSecond()));
    put(figures, "write-megabytes-per-second", megabytes(measured.writeBytesPerSecond()));
    put(figures, "random-reads-per-second", measured.randomReadsPerSecond());
    put(figures, "peak-read-megabytes-per-second", megabytes(measured.peakReadBytesPerSecond()));
    if (measured.readersAtPeak() > 0) {
      figures.put("readers-at-peak", String.valueOf(measured.readersAtPeak()));
    }
    String changed = TierFileText.withClass(yaml, tierName, figures);
    if (!withoutFigures(changed, tierName, figures).equals(withoutFigures(yaml, tierName, figures))
        || !figuresOf(changed, tierName, figures.keySet()).equals(figures)) {
      throw new TierFileException(
          "the class of tier \""
              + tierName
              + "\" cannot be changed without changing more: write it without anchors and aliases");
    }
    yaml = changed;
    return this;
  }

  /**
   * Says what single volumes give; those that are not named keep what the file said of them.
   * Comments among the file's volumes are lost.
   *
   * @param readBytesPerSecond by storage id
   */
  public TierFileUpdate setVolumes(Map<String, Double> readBytesPerSecond) {
    List<String> entries = new ArrayList<>();
    readBytesPerSecond.forEach((id, speed) -> entries.add(volume(List.of(id), speed)));
    for (VolumeTable.Volume old : TierConfiguration.parse(yaml, "").volumes().volumes()) {
      List<String> left =
          old.storageIds().stream().filter(id -> !readBytesPerSecond.containsKey(id)).toList();
      if (!left.isEmpty()) {
        entries.add(volume(left, old.readBytesPerSecond()));
      }
    }
    setList(VOLUMES, entries);
    return this;
  }

  /**
   * Says what nodes' links carry; what the file said of other nodes stays, behind these. Comments
   * among the file's links are lost.
   *
   * @param bytesPerSecond by host name
   */
  public TierFileUpdate setLinks(Map<String, Double> bytesPerSecond) {
    List<String> entries = new ArrayList<>();
    bytesPerSecond.forEach((host, speed) -> entries.add(link(List.of(), List.of(host), speed)));
    for (LinkTable.Link old : TierConfiguration.parse(yaml, "").links().nodes()) {
      List<String> left =
          old.hosts().stream().filter(host -> !bytesPerSecond.containsKey(host)).toList();
      if (old.hosts().isEmpty() || !left.isEmpty()) {
        entries.add(link(old.racks(), left, old.bytesPerSecond()));
      }
    }
    setList(LINKS, entries);
    return this;
  }

  private void setList(String key, List<String> entries) {
    if (entries.isEmpty()) {
      return;
    }
    String changed = TierFileText.withList(yaml, key, entries);
    if (!without(key, changed).equals(without(key, yaml))) {
      throw new TierFileException(
          "the list of "
              + key
              + " cannot be changed without changing more: write it without anchors and aliases");
    }
    yaml = changed;
  }

  private static String volume(List<String> storageIds, double bytesPerSecond) {
    String speed = speed("read-megabytes-per-second", bytesPerSecond);
    return "{storage-ids: " + quoted(storageIds) + ", " + speed + "}";
  }

  private static String link(List<String> racks, List<String> hosts, double bytesPerSecond) {
    List<String> all = new ArrayList<>();
    if (!racks.isEmpty()) {
      all.add("racks: " + quoted(racks));
    }
    if (!hosts.isEmpty()) {
      all.add("hosts: " + quoted(hosts));
    }
    all.add(speed("megabytes-per-second", bytesPerSecond));
    return "{" + String.join(", ", all) + "}";
  }

  /** Quoted: a pattern may begin with a star, which YAML takes for an alias. */
  private static String quoted(List<String> patterns) {
    return patterns.stream()
        .map(each -> '"' + each + '"')
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static String speed(String key, double bytesPerSecond) {
    Map<String, String> figures = new LinkedHashMap<>();
    put(figures, key, megabytes(bytesPerSecond));
    return key + ": " + figures.get(key);
  }

  private static Map<String, Object> without(String key, String text) {
    Map<String, Object> root = load(text);
    root.remove(key);
    return root;
  }

  private static double megabytes(double bytes) {
    return bytes / TierFile.BYTES_PER_MEGABYTE;
  }

  private static void put(Map<String, String> figures, String key, double value) {
    if (!Double.isNaN(value)) {
      // Three significant digits: a probe is not more exact than that.
      figures.put(key, plain(new BigDecimal(value).round(new MathContext(3))));
    }
  }

  private static String plain(BigDecimal value) {
    return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
  }

  /** A text without the figures of a tier's class, to compare two texts. */
  private static Map<String, Object> withoutFigures(
      String text, String tierName, Map<String, String> figures) {
    Map<String, Object> root = load(text);
    Map<String, Object> tier = tier(root, tierName);
    Map<String, Object> kept = classOf(tier);
    kept.keySet().removeAll(figures.keySet());
    tier.put("class", kept);
    return root;
  }

  private static Map<String, String> figuresOf(String text, String tierName, Set<String> keys) {
    Map<String, String> figures = new LinkedHashMap<>();
    classOf(tier(load(text), tierName))
        .forEach(
            (key, value) -> {
              if (keys.contains(key)) {
                figures.put(key, plain(new BigDecimal(String.valueOf(value))));
              }
            });
    return figures;
  }

  private static Map<String, Object> classOf(Map<String, Object> tier) {
    Object figures = tier.get("class");
    return figures == null ? new LinkedHashMap<>() : new LinkedHashMap<>(asMap(figures));
  }

  private static Map<String, Object> load(String text) {
    return asMap(new Load(LoadSettings.builder().build()).loadFromString(text));
  }

  private static Map<String, Object> tier(Map<String, Object> root, String name) {
    for (Object entry : (List<?>) root.get("tiers")) {
      Map<String, Object> tier = asMap(entry);
      if (name.equals(String.valueOf(tier.get("name")))) {
        return tier;
      }
    }
    throw new TierFileException("unknown tier \"" + name + "\"");
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> asMap(Object value) {
    return (Map<String, Object>) value;
  }

  /** The table as YAML text. */
  public String yaml() {
    return yaml;
  }

  /**
   * Refuses a table that cannot be written, before what is to stand in it is measured: makes a file
   * beside it for a moment, since permissions alone do not tell of a file system that takes none.
   *
   * @param option that names it
   */
  public static void requireWritable(Path file, String option) {
    try {
      Files.delete(Files.createTempFile(target(file).getParent(), ".tiers", ".yaml"));
    } catch (IOException e) {
      throw OperatorException.cluster(
          option + " " + file + " cannot be written: no file can be made beside it (" + e + ")", e);
    }
  }

  /** The file that a link leads to is replaced, not the link. */
  private static Path target(Path file) throws IOException {
    return Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
  }

  /**
   * Writes the table atomically; an existing file is kept as {@code NAME.bak}. Of a symbolic link
   * that is the file it leads to, beside which both stand.
   *
   * @throws TierFileException when the result would not be a valid table; nothing was written
   */
  public void write(Path file) throws IOException {
    TierConfiguration.parse(yaml, file.toString());
    Path target = target(file);
    Path temporary = Files.createTempFile(target.getParent(), ".tiers", ".yaml");
    try {
      Files.writeString(temporary, yaml);
      if (Files.exists(target)) {
        Files.copy(
            target,
            target.resolveSibling(target.getFileName() + ".bak"),
            StandardCopyOption.REPLACE_EXISTING);
        keepOwner(target, temporary);
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

  private static void keepOwner(Path from, Path to) throws IOException {
    PosixFileAttributes kept = Files.readAttributes(from, PosixFileAttributes.class);
    PosixFileAttributeView made = Files.getFileAttributeView(to, PosixFileAttributeView.class);
    try {
      made.setOwner(kept.owner());
      made.setGroup(kept.group());
    } catch (FileSystemException e) {
      // Only root gives files away: another user who may write here owns what he writes.
      if (made.readAttributes().owner().getName().equals("root")) {
        throw e;
      }
    }
  }
}
