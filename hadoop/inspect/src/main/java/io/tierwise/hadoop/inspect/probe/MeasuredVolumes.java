package io.tierwise.hadoop.inspect.probe;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.Tier;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Table;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.tiers.TierFileUpdate;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.conf.Configuration;

/** Volumes of this machine with what was measured of each, by tier. */
public final class MeasuredVolumes {
  private final TierConfiguration tiers;
  private final String tierName;
  private final Map<LocalVolume, VolumeProbe.Result> results = new LinkedHashMap<>();

  /**
   * @param tiers the table that says which tier a volume belongs to
   * @param tierName the tier of all volumes, whatever the table says; null: as the table says
   */
  private MeasuredVolumes(TierConfiguration tiers, String tierName) {
    this.tiers = tiers;
    this.tierName = tierName;
  }

  /**
   * Volumes of which nothing is measured yet, by the tier table to write when it exists, else by
   * the configured one.
   *
   * @param writeTo null when none is written
   * @throws OperatorException when nothing could be written: told before minutes of measuring
   */
  public static MeasuredVolumes in(
      Configuration conf, List<LocalVolume> volumes, Path writeTo, String tierName)
      throws IOException {
    if (writeTo != null && !Files.isRegularFile(writeTo) && !canBeMade(writeTo)) {
      throw OperatorException.badInput(
          "--write " + writeTo + " can be no tier table: name a file in a folder that is there");
    }
    TierConfiguration tiers =
        writeTo != null && Files.isRegularFile(writeTo)
            ? TierConfiguration.parse(text(writeTo), writeTo.toString())
            : TierConfiguration.load(conf);
    if (tierName != null) {
      tiers.table().require(tierName);
    }
    MeasuredVolumes measured = new MeasuredVolumes(tiers, tierName);
    if (writeTo != null) {
      if (volumes.stream().allMatch(volume -> measured.tierOf(volume) == null)) {
        throw measured.ofNoTier(volumes);
      }
      TierFileUpdate.requireWritable(writeTo, "--write");
    }
    return measured;
  }

  private OperatorException ofNoTier(Collection<LocalVolume> volumes) {
    return OperatorException.badInput(
        volumes.stream()
            .flatMap(volume -> undecided(volume).stream())
            .findFirst()
            .orElse(
                "no directory that is measured belongs to a tier of "
                    + tiers.source()
                    + ": give --tier NAME"));
  }

  private static String text(Path file) throws IOException {
    try {
      return Files.readString(file);
    } catch (CharacterCodingException e) {
      throw OperatorException.badInput(
          "--write " + file + " is no text in UTF-8: name a tier table");
    }
  }

  private static boolean canBeMade(Path file) {
    return !Files.exists(file) && Files.isDirectory(file.toAbsolutePath().getParent());
  }

  /** Measures the volumes; returns remarks about the figures, a line each. */
  public List<String> measure(VolumeProbe probe, List<LocalVolume> volumes) throws IOException {
    List<String> remarks = new ArrayList<>();
    for (LocalVolume volume : volumes) {
      VolumeProbe.Result result = probe.measure(volume.directory());
      if (!result.direct()) {
        remarks.add(
            volume.directory() + " cannot be read past the page cache: its figures may flatter it");
      }
      results.put(volume, result);
      undecided(volume).ifPresent(remarks::add);
    }
    return remarks;
  }

  /** In the order of measurement. */
  public Map<LocalVolume, VolumeProbe.Result> results() {
    return Collections.unmodifiableMap(results);
  }

  /** The volume's tier; null when it belongs to none. */
  public String tierOf(LocalVolume volume) {
    if (tierName != null) {
      return tierName;
    }
    int tier = tiers.matcher().tierOfPartlyKnown(volume.asVolume());
    return tier < 0 ? null : tiers.table().tier(tier).name();
  }

  /** Whether a tier is matched by what this machine does not know of the volume. */
  private Optional<String> undecided(LocalVolume volume) {
    int tier = tierName == null ? tiers.matcher().undecided(volume.asVolume()) : -1;
    return tier < 0
        ? Optional.empty()
        : Optional.of(
            volume.directory()
                + " is counted to no tier: "
                + tiers.table().tier(tier).name()
                + " is matched by what only the NameNode knows of it ("
                + tiers.matcher().match(tier)
                + "); give --tier NAME");
  }

  /** One class a tier: the median of its volumes' figures. */
  public Map<String, DeviceClass> classes() {
    Map<String, List<DeviceClass>> byTier = new LinkedHashMap<>();
    results.forEach(
        (volume, result) -> {
          String tier = tierOf(volume);
          if (tier != null) {
            byTier.computeIfAbsent(tier, t -> new ArrayList<>()).add(result.deviceClass(tier));
          }
        });
    Map<String, DeviceClass> classes = new LinkedHashMap<>();
    byTier.forEach((tier, all) -> classes.put(tier, median(tier, all)));
    return classes;
  }

  private static DeviceClass median(String name, List<DeviceClass> all) {
    return new DeviceClass(
        name,
        median(all, DeviceClass::readBytesPerSecond),
        median(all, DeviceClass::writeBytesPerSecond),
        median(all, DeviceClass::randomReadsPerSecond),
        (int) median(all, DeviceClass::readersAtPeak),
        median(all, DeviceClass::peakReadBytesPerSecond));
  }

  private static double median(List<DeviceClass> all, ToDoubleFunction<DeviceClass> figure) {
    double[] sorted = all.stream().mapToDouble(figure).toArray();
    Arrays.sort(sorted);
    return sorted[(sorted.length - 1) / 2];
  }

  /** By storage id; without volumes that no DataNode has used. */
  private Map<String, Double> readSpeeds() {
    Map<String, Double> speeds = new LinkedHashMap<>();
    results.forEach(
        (volume, result) -> {
          if (volume.storageId() != null) {
            speeds.put(volume.storageId(), result.readBytesPerSecond());
          }
        });
    return speeds;
  }

  /**
   * Writes the classes into a tier table; keeps the old one as .bak.
   *
   * @param eachVolume whether also what each of the volumes gives
   * @throws OperatorException when no measured volume belongs to a tier
   */
  public void write(Path file, boolean eachVolume) throws IOException {
    Map<String, DeviceClass> classes = classes();
    if (classes.isEmpty()) {
      throw ofNoTier(results.keySet());
    }
    TierFileUpdate update;
    if (Files.isRegularFile(file)) {
      update = TierFileUpdate.of(Files.readString(file), file.toString());
    } else {
      Map<String, org.apache.hadoop.fs.StorageType> types = new LinkedHashMap<>();
      for (Tier tier : tiers.table().tiers()) {
        if (classes.containsKey(tier.name())) {
          tiers.matcher().match(tier.index()).storageTypes().stream()
              .findFirst()
              .ifPresent(type -> types.put(tier.name(), type));
        }
      }
      update = TierFileUpdate.ofTypes(types);
    }
    classes.forEach(update::setClass);
    if (eachVolume) {
      update.setVolumes(readSpeeds());
    }
    update.write(file);
  }

  /** The measurements. */
  public record Measured(
      boolean direct,
      double writeBytesPerSecond,
      double readBytesPerSecond,
      double randomReadsPerSecond,
      List<VolumeProbe.Readers> curve) {}

  /**
   * A volume.
   *
   * @param tier null when no tier matches it
   * @param storageId null before a DataNode used it
   * @param measured null when nothing was
   */
  public record VolumeRow(
      String tier, String directory, String storageType, String storageId, Measured measured) {}

  /** A class by its measured figures; a probe measures no power. */
  public record MeasuredClass(
      String name,
      double readBytesPerSecond,
      double writeBytesPerSecond,
      double randomReadsPerSecond,
      int readersAtPeak,
      double peakReadBytesPerSecond) {
    static MeasuredClass of(DeviceClass of) {
      return new MeasuredClass(
          of.name(),
          of.readBytesPerSecond(),
          of.writeBytesPerSecond(),
          of.randomReadsPerSecond(),
          of.readersAtPeak(),
          of.peakReadBytesPerSecond());
    }
  }

  /**
   * All of it as data.
   *
   * @param classes by tier
   */
  public record Answer(List<VolumeRow> volumes, Map<String, MeasuredClass> classes) {}

  /** The measurements for people. */
  public Table table() {
    Table table =
        new Table()
            .text("directory", "type", "tier")
            .number("write MB/s", "read MB/s", "random reads/s", "readers at peak", "peak MB/s");
    results.forEach(
        (volume, result) ->
            table.row(
                volume.directory(),
                volume.type(),
                tierOf(volume),
                megabytes(result.writeBytesPerSecond()),
                megabytes(result.readBytesPerSecond()),
                String.format(Locale.ROOT, "%.0f", result.randomReadsPerSecond()),
                result.peak().readerCount(),
                megabytes(result.peak().bytesPerSecond())));
    return table;
  }

  private static String megabytes(double bytesPerSecond) {
    return String.format(Locale.ROOT, "%.1f", bytesPerSecond / 1e6);
  }

  /** The measurements, and the classes that follow from them. */
  public Answer answer() {
    List<VolumeRow> rows = new ArrayList<>();
    results.forEach((volume, result) -> rows.add(row(volume, result)));
    Map<String, MeasuredClass> measured = new LinkedHashMap<>();
    classes().forEach((tier, each) -> measured.put(tier, MeasuredClass.of(each)));
    return new Answer(rows, measured);
  }

  /** The measurements that would be made of these volumes. */
  public Answer wouldBe(List<LocalVolume> volumes) {
    return new Answer(volumes.stream().map(volume -> row(volume, null)).toList(), Map.of());
  }

  private VolumeRow row(LocalVolume volume, VolumeProbe.Result result) {
    return new VolumeRow(
        tierOf(volume),
        volume.directory().toString(),
        volume.type(),
        volume.storageId(),
        result == null
            ? null
            : new Measured(
                result.direct(),
                result.writeBytesPerSecond(),
                result.readBytesPerSecond(),
                result.randomReadsPerSecond(),
                result.curve()));
  }
}
