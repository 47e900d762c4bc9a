package io.tierwise.hadoop.inspect.advise;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.hadoop.inspect.image.ImageFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** Sums over the files of an image, by heat, tier and misplacement. */
final class Tally {
  private static final Comparator<Advice.HotFile> HOTTEST_FIRST =
      Comparator.comparingLong(Advice.HotFile::readBytes)
          .reversed()
          .thenComparing(Advice.HotFile::path);

  /** Own: as many as MapReduce gives the files that all nodes of a job read. */
  private static final int REPLICAS_MAX = 10;

  private static final int REPLICAS_MANY = 3;

  /** Bytes that a byte takes under RS-6-3, and the least file that fills its six cells of 1 MiB. */
  private static final double CODED_RATIO = 1.5;

  private static final long CODED_BYTES_MIN = 6L << 20;

  private static final int[] UNUSED_DAYS = {30, 90, 365};
  private static final long DAY_MILLIS = 86_400_000;

  /**
   * One file as log and traces know it.
   *
   * @param readBytes that were read of it
   */
  record Use(Heat heat, long reads, int readersMax, double readBytes) {}

  private static final class Sum {
    long files;
    long bytes;
    long stored;
    long reads;
    double readBytes;

    void add(long length, long storedBytes) {
      files++;
      bytes += length;
      stored += storedBytes;
    }

    void add(ImageFile file, Use use) {
      add(file.bytes(), file.storedBytes());
      reads += use.reads();
      readBytes += use.readBytes();
    }
  }

  private final WantedTiers wanted;
  private final long untilMillis;
  private final int rowsMax;
  private final Map<Heat, Sum> heats = sums(Heat.class);
  private final Sum[] unused = {new Sum(), new Sum(), new Sum()};
  private final Map<Misplaced, Sum> misplaced = sums(Misplaced.class);
  private final Map<Heat, long[]> tierBytes = new EnumMap<>(Heat.class);
  private final PriorityQueue<Advice.HotFile> hottest =
      new PriorityQueue<>(HOTTEST_FIRST.reversed());
  private final Map<String, Sum> directories = new LinkedHashMap<>();
  private long codedDiskBytes;

  /**
   * @param untilMillis the end of the log
   * @param rowsMax of the hottest files and directories
   */
  Tally(WantedTiers wanted, long untilMillis, int rowsMax) {
    this.wanted = wanted;
    this.untilMillis = untilMillis;
    this.rowsMax = rowsMax;
    for (Heat heat : Heat.values()) {
      tierBytes.put(heat, new long[wanted.count() + 1]);
    }
  }

  private static <K extends Enum<K>> Map<K, Sum> sums(Class<K> keys) {
    Map<K, Sum> sums = new EnumMap<>(keys);
    for (K key : keys.getEnumConstants()) {
      sums.put(key, new Sum());
    }
    return sums;
  }

  void add(ImageFile file, Use use) {
    long stored = file.storedBytes();
    heats.get(use.heat()).add(file, use);
    int[] tiers = wanted.of(file);
    for (int tier : tiers) {
      tierBytes.get(use.heat())[tier == TierTable.NONE ? wanted.count() : tier] +=
          stored / tiers.length;
    }
    if (use.heat() == Heat.COLD) {
      addCold(file, tiers);
    } else if (use.heat() == Heat.HOT) {
      addHot(file, use, tiers);
    }
    if (use.reads() > 0 || use.readBytes() > 0) {
      keep(file, use, tiers);
    }
  }

  private void addCold(ImageFile file, int[] tiers) {
    for (int i = 0; i < UNUSED_DAYS.length; i++) {
      if (untilMillis - file.usedMillis() >= UNUSED_DAYS[i] * DAY_MILLIS) {
        unused[i].add(file.bytes(), file.storedBytes());
      }
    }
    int fast = wanted.faster(tiers);
    if (fast > 0) {
      add(Misplaced.COLD_ON_FAST, file, file.storedBytes() / tiers.length * fast);
    }
    if (file.replicas() >= REPLICAS_MANY && file.bytes() >= CODED_BYTES_MIN) {
      long freed = file.storedBytes() - (long) (CODED_RATIO * file.bytes());
      add(Misplaced.COLD_REPLICATED, file, freed);
      codedDiskBytes += wanted.onDisks(tiers) ? freed : 0;
    }
  }

  private void addHot(ImageFile file, Use use, int[] tiers) {
    int fast = wanted.faster(tiers);
    boolean told = Arrays.stream(tiers).noneMatch(tier -> tier == TierTable.NONE);
    if (told && wanted.hasFaster() && fast == 0) {
      add(Misplaced.HOT_NOT_ON_FAST, file, file.bytes());
    }
    if (wanted.slower(tiers) == tiers.length) {
      add(Misplaced.HOT_ON_SLOW, file, file.storedBytes());
    }
    int replicas = Math.min(REPLICAS_MAX, use.readersMax());
    if (!file.striped() && replicas > file.replicas()) {
      add(Misplaced.HOT_FEW_REPLICAS, file, (replicas - file.replicas()) * file.bytes());
    }
  }

  private void add(Misplaced kind, ImageFile file, long cureBytes) {
    misplaced.get(kind).add(file.bytes(), cureBytes);
  }

  private void keep(ImageFile file, Use use, int[] tiers) {
    String path = file.path().toString();
    String directory = path.substring(0, Math.max(1, path.lastIndexOf('/')));
    directories.computeIfAbsent(directory, none -> new Sum()).add(file, use);
    hottest.add(
        new Advice.HotFile(
            path,
            use.reads(),
            use.readersMax(),
            file.bytes(),
            file.striped() ? null : file.replicas(),
            tierNames(tiers),
            (long) use.readBytes()));
    if (hottest.size() > rowsMax) {
      hottest.poll();
    }
  }

  private List<String> tierNames(int[] tiers) {
    List<String> names = new ArrayList<>();
    for (int tier : tiers) {
      if (tier != TierTable.NONE && !names.contains(wanted.name(tier))) {
        names.add(wanted.name(tier));
      }
    }
    return names;
  }

  List<Advice.HeatRow> heats() {
    List<Advice.HeatRow> rows = new ArrayList<>();
    heats.forEach(
        (heat, sum) ->
            rows.add(
                new Advice.HeatRow(
                    heat, sum.files, sum.bytes, sum.stored, sum.reads, (long) sum.readBytes)));
    return rows;
  }

  /** Tiers that something is wanted on, fastest first; then what no policy tells. */
  List<Advice.TierRow> tiers() {
    List<Advice.TierRow> rows = new ArrayList<>();
    for (int tier = 0; tier <= wanted.count(); tier++) {
      long hot = tierBytes.get(Heat.HOT)[tier];
      long warm = tierBytes.get(Heat.WARM)[tier];
      long cold = tierBytes.get(Heat.COLD)[tier];
      if (hot + warm + cold > 0) {
        String name = tier == wanted.count() ? null : wanted.name(tier);
        rows.add(new Advice.TierRow(name, hot, warm, cold));
      }
    }
    return rows;
  }

  List<Advice.MisplacedRow> misplaced() {
    List<Advice.MisplacedRow> rows = new ArrayList<>();
    misplaced.forEach(
        (kind, sum) -> rows.add(new Advice.MisplacedRow(kind, sum.files, sum.bytes, sum.stored)));
    return rows;
  }

  /** Bytes that erasure coding frees of cold files that are wanted on plain disks alone. */
  long codedDiskBytes() {
    return codedDiskBytes;
  }

  List<Advice.UnusedRow> unused() {
    List<Advice.UnusedRow> rows = new ArrayList<>();
    for (int i = 0; i < UNUSED_DAYS.length; i++) {
      Sum sum = unused[i];
      rows.add(new Advice.UnusedRow(UNUSED_DAYS[i], sum.files, sum.bytes, sum.stored));
    }
    return rows;
  }

  List<Advice.HotFile> hottestFiles() {
    return hottest.stream().sorted(HOTTEST_FIRST).toList();
  }

  List<Advice.HotDirectory> hottestDirectories() {
    return directories.entrySet().stream()
        .sorted(
            Comparator.comparingDouble((Map.Entry<String, Sum> each) -> each.getValue().readBytes)
                .reversed()
                .thenComparing(Map.Entry::getKey))
        .limit(rowsMax)
        .map(
            each ->
                new Advice.HotDirectory(
                    each.getKey(),
                    each.getValue().files,
                    each.getValue().reads,
                    each.getValue().bytes,
                    (long) each.getValue().readBytes))
        .toList();
  }
}
