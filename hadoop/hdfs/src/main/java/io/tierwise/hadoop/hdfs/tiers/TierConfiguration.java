package io.tierwise.hadoop.hdfs.tiers;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.Tier;
import io.tierwise.core.cluster.TierTable;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;

/**
 * All that {@code tiers.yaml} says.
 *
 * @param source where it was read from, for messages
 * @param table the tiers, fastest first
 * @param matcher which volume belongs to which tier
 * @param layouts named layouts: name to layout text
 * @param rules path rules, the first match holds
 * @param limits who may use which tiers, the first match holds
 * @param byteLimits how much of a tier what stands below a directory may use; all hold
 * @param links what links carry
 * @param volumes what single volumes give that are not as their tier's class says
 * @param yaml the text that all of it was read from; empty when there is none
 */
public record TierConfiguration(
    String source,
    TierTable table,
    TierMatcher matcher,
    Map<String, String> layouts,
    List<PathRule> rules,
    List<TierLimit> limits,
    List<ByteLimit> byteLimits,
    LinkTable links,
    VolumeTable volumes,
    String yaml) {
  /** Path or class path name of the tier table. */
  public static final String FILE_KEY = "tierwise.tiers.file";

  public static final String FILE_DEFAULT = "tiers.yaml";

  private static final int DIGEST_BYTES = 8;

  private static final List<StorageType> TYPES_FASTEST_FIRST =
      List.of(
          StorageType.RAM_DISK,
          StorageType.NVDIMM,
          StorageType.SSD,
          StorageType.DISK,
          StorageType.ARCHIVE);

  public TierConfiguration {
    layouts = Map.copyOf(layouts);
    rules = List.copyOf(rules);
    limits = List.copyOf(limits);
    byteLimits = List.copyOf(byteLimits);
  }

  /**
   * Reads the file that {@link #FILE_KEY} names: as a path, else as a class path resource. Without
   * the key it is {@link #FILE_DEFAULT} of the class path, which the configuration directory is on,
   * and never a file of that name in the working directory: each process would have its own.
   * Without such a file, and without the key, the tiers are HDFS's storage types.
   *
   * @throws TierFileException when the file is named but missing, or says something wrong
   */
  public static TierConfiguration load(Configuration conf) {
    String named = conf.getTrimmed(FILE_KEY);
    if (named != null && Files.isRegularFile(Path.of(named))) {
      return read(Path.of(named));
    }
    String name = named == null ? FILE_DEFAULT : named;
    URL resource = conf.getResource(name);
    if (resource != null) {
      return read(resource);
    }
    if (named != null) {
      throw new TierFileException(
          FILE_KEY + " names " + name + ", which is neither a file nor on the class path");
    }
    return byStorageType();
  }

  private static TierConfiguration read(URL resource) {
    if ("file".equals(resource.getProtocol())) {
      return read(Path.of(URI.create(resource.toString())));
    }
    try (InputStream stream = resource.openStream()) {
      return parse(new String(stream.readAllBytes(), StandardCharsets.UTF_8), resource.toString());
    } catch (IOException e) {
      throw unreadable(resource.toString(), e);
    }
  }

  private static TierConfiguration read(Path path) {
    String source = path.toAbsolutePath().normalize().toString();
    try {
      return parse(new String(Files.readAllBytes(path), StandardCharsets.UTF_8), source);
    } catch (IOException e) {
      throw unreadable(source, e);
    }
  }

  /** With the exception's name: the text of Java's says no more than the path again. */
  private static TierFileException unreadable(String source, IOException e) {
    return new TierFileException(source + ": cannot be read: " + e, e);
  }

  /**
   * Parses the text of a tier table.
   *
   * @throws TierFileException naming the place and the bad value
   */
  public static TierConfiguration parse(String yaml, String source) {
    return new TierFile(source).read(yaml);
  }

  /** One tier for each of HDFS's storage types, unmeasured. */
  public static TierConfiguration byStorageType() {
    List<DeviceClass> classes =
        TYPES_FASTEST_FIRST.stream().map(type -> DeviceClass.unmeasured(tierName(type))).toList();
    return new TierConfiguration(
        "storage types",
        TierTable.of(classes),
        new TierMatcher(TYPES_FASTEST_FIRST.stream().map(TierMatch::ofType).toList()),
        Map.of(),
        List.of(),
        List.of(),
        List.of(),
        LinkTable.EMPTY,
        VolumeTable.EMPTY,
        "");
  }

  private static String tierName(StorageType type) {
    return switch (type) {
      case RAM_DISK -> "ram";
      case NVDIMM -> "nvdimm";
      case SSD -> "ssd";
      case ARCHIVE -> "archive";
      default -> "disk";
    };
  }

  /** Whether nobody named the tiers: they are HDFS's storage types. */
  public boolean isByStorageType() {
    return yaml.isEmpty();
  }

  /**
   * The same, in which policies that name no tier count these alone where nobody named the tiers. A
   * tier of a written table counts in any case: its author says what the cluster has.
   *
   * @param set bit t for tier t
   */
  public TierConfiguration counting(long set) {
    return !isByStorageType() || table.counting(set).countedSet() == table.countedSet()
        ? this
        : new TierConfiguration(
            source,
            table.counting(set),
            matcher,
            layouts,
            rules,
            limits,
            byteLimits,
            links,
            volumes,
            yaml);
  }

  /** As {@link #counting(long)}, of the tiers with these names; others of them are passed over. */
  public TierConfiguration counting(Collection<String> names) {
    return counting(
        table.tiers().stream()
            .filter(tier -> names.contains(tier.name()))
            .mapToLong(tier -> 1L << tier.index())
            .sum());
  }

  /** Names of the tiers that policies count which name none, fastest first. */
  public List<String> countedNames() {
    return IntStream.range(0, table.countedCount())
        .mapToObj(place -> table.tier(table.counted(place)).name())
        .toList();
  }

  /** Tells two texts apart; the same for every process that read the same text. */
  public String digest() {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(yaml.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new LinkageError("every Java has SHA-256", e);
    }
  }

  /** The first rule with a placement whose pattern matches. */
  public Optional<PathRule> placementRule(String path) {
    return rules.stream().filter(r -> r.placement() != null && r.matches(path)).findFirst();
  }

  /** The first rule with an access strategy whose pattern matches. */
  public Optional<PathRule> accessRule(String path) {
    return rules.stream().filter(r -> r.access() != null && r.matches(path)).findFirst();
  }

  /** Indexes of the tiers that a placement names; all that count when it names none. */
  public Set<Integer> tiersNamed(String specification) {
    int colon = specification.indexOf(':');
    String settings = colon < 0 ? "" : specification.substring(colon + 1);
    String text = layouts.getOrDefault(settings, settings);
    Set<String> words = new HashSet<>(Arrays.asList(text.split("[^A-Za-z0-9_-]+")));
    Set<Integer> named =
        table.tiers().stream()
            .filter(tier -> words.contains(tier.name()))
            .map(Tier::index)
            .collect(Collectors.toSet());
    return named.isEmpty() || words.contains("any")
        ? IntStream.range(0, table.countedCount())
            .mapToObj(table::counted)
            .collect(Collectors.toSet())
        : named;
  }

  /** Whether files of that user at that path may use the tier. */
  public boolean allows(String user, Collection<String> groups, String path, int tier) {
    return allowedTiers(user, groups, path).map(tiers -> tiers.contains(tier)).orElse(true);
  }

  /** The tiers that files of that user at that path may use; empty when nothing limits them. */
  public Optional<Set<Integer>> allowedTiers(String user, Collection<String> groups, String path) {
    return limits.stream()
        .filter(limit -> limit.appliesTo(user, groups, path))
        .findFirst()
        .map(TierLimit::tiers);
  }

  /**
   * The tiers that files of a user may use whose groups nobody knows: those that every limit allows
   * which may hold for him, as if he were in all groups.
   */
  public Optional<Set<Integer>> allowedTiersOfUnknownGroups(String user, String path) {
    Set<Integer> allowed = null;
    for (TierLimit limit : limits) {
      if (!limit.mayApplyTo(user, path)) {
        continue;
      }
      if (allowed == null) {
        allowed = new HashSet<>(limit.tiers());
      } else {
        allowed.retainAll(limit.tiers());
      }
      if (limit.appliesTo(user, List.of(), path)) {
        break; // It holds at the latest, and none after it.
      }
    }
    return Optional.ofNullable(allowed);
  }
}
