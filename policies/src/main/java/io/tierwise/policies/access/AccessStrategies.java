package io.tierwise.policies.access;

import io.tierwise.policies.text.SpecReader;
import java.util.List;

/**
 * The registry of access strategies: their names, settings and one-line descriptions.
 *
 * <p>A specification is {@code name}, {@code name:value} or {@code name:key=value,key=value}, for
 * example {@code balanced:50} or {@code nbd:threshold=4,client-side=true}. Settings that are left
 * out have their defaults.
 */
public final class AccessStrategies {
  /**
   * A strategy as people see it.
   *
   * @param name what its specification starts with
   * @param settings what may follow, with the defaults; empty when nothing may
   * @param description one line
   */
  public record Listing(String name, String settings, String description) {}

  private static final List<Listing> LISTINGS =
      List.of(
          new Listing(NetworkAwareAccess.NAME, "", "nearest replica first, as stock HDFS"),
          new Listing(RandomAccess.NAME, "", "any replica with equal chance (hatS's baseline)"),
          new Listing(
              TierAwareAccess.NAME,
              "figure=throughput|iops,capacity=ignored|multiplied|divided",
              "weighted draw by the tier's measured speed (hatS)"),
          new Listing(
              HybridAccess.NAME,
              "link-megabytes-per-second=1250",
              "weighted draw by tier speed and network transfer cost (hatS)"),
          new Listing(
              PipelinedHybridAccess.NAME,
              "link-megabytes-per-second=1250",
              "weighted draw by the slower of device and link: hybrid, corrected"),
          new Listing(GreedyAccess.NAME, "", "fastest tier first, nearest within it"),
          new Listing(
              BalancedAccess.NAME,
              "50",
              "that percentage of the tasks reads remote fast storage, the others what is near"),
          new Listing(
              NetworkBandwidthDrivenAccess.NAME,
              "threshold=4,client-side=false",
              "fast node first; local when it refuses with T_c reads in progress"),
          new Listing(
              StorageBandwidthDrivenAccess.NAME,
              "threshold=<measured>",
              "fast node first; local when its device refuses with T_r readers"),
          new Listing(
              DataLocalityDrivenAccess.NAME, "", "local replica first, else the fastest tier"),
          new Listing(
              AdaptiveAccess.NAME,
              "exploration=0.05,memory-reads=100,files=1024",
              "learns for each file which strategy reads fastest, with bounded exploration"),
          new Listing(
              AutoAccess.NAME,
              "link-megabytes-per-second=1250",
              "soonest expected: devices and links, shared as earlier answers say"));

  private AccessStrategies() {}

  /**
   * The strategy of that specification; {@code parse(s.name())} equals {@code s}.
   *
   * @throws IllegalArgumentException one line that names the bad value and what is allowed
   */
  public static AccessStrategy parse(String spec) {
    SpecReader reader = new SpecReader("access strategy", spec);
    AccessStrategy strategy =
        switch (reader.name()) {
          case NetworkAwareAccess.NAME -> new NetworkAwareAccess();
          case RandomAccess.NAME -> new RandomAccess();
          case TierAwareAccess.NAME -> tierAware(reader);
          case HybridAccess.NAME -> hybrid(reader);
          case PipelinedHybridAccess.NAME ->
              new PipelinedHybridAccess(
                  link(reader, PipelinedHybridAccess.DEFAULT.linkMegabytesPerSecond()));
          case GreedyAccess.NAME -> new GreedyAccess();
          case BalancedAccess.NAME -> balanced(reader);
          case NetworkBandwidthDrivenAccess.NAME -> networkBandwidthDriven(reader);
          case StorageBandwidthDrivenAccess.NAME -> storageBandwidthDriven(reader);
          case DataLocalityDrivenAccess.NAME -> new DataLocalityDrivenAccess();
          case AdaptiveAccess.NAME -> adaptive(reader);
          case AutoAccess.NAME ->
              new AutoAccess(link(reader, AutoAccess.DEFAULT.linkMegabytesPerSecond()));
          default ->
              throw new IllegalArgumentException(
                  "unknown access strategy "
                      + SpecReader.quoted(reader.name())
                      + "; known: "
                      + String.join(", ", names()));
        };
    return reader.finish(strategy);
  }

  /** All strategies, baselines first. */
  public static List<Listing> list() {
    return LISTINGS;
  }

  /** The names of all strategies, baselines first. */
  public static List<String> names() {
    return LISTINGS.stream().map(Listing::name).toList();
  }

  private static AccessStrategy tierAware(SpecReader spec) {
    return new TierAwareAccess(
        spec.choice("figure", TierAwareAccess.DEFAULT.figure()),
        spec.choice("capacity", TierAwareAccess.DEFAULT.capacity()));
  }

  private static AccessStrategy hybrid(SpecReader spec) {
    return new HybridAccess(link(spec, HybridAccess.DEFAULT.linkMegabytesPerSecond()));
  }

  private static int link(SpecReader spec, int byDefault) {
    return spec.integer(HybridAccess.LINK, byDefault, 1, HybridAccess.LINK_MAX);
  }

  private static AccessStrategy balanced(SpecReader spec) {
    return new BalancedAccess(
        spec.bareDecimal("remote percentage", BalancedAccess.WHOLE / 2, 2, BalancedAccess.WHOLE));
  }

  private static AccessStrategy networkBandwidthDriven(SpecReader spec) {
    NetworkBandwidthDrivenAccess defaults = NetworkBandwidthDrivenAccess.DEFAULT;
    return new NetworkBandwidthDrivenAccess(
        spec.integer("threshold", defaults.threshold(), 1, Admission.THRESHOLD_MAX),
        spec.flag("client-side", defaults.clientSide()));
  }

  private static AccessStrategy storageBandwidthDriven(SpecReader spec) {
    return new StorageBandwidthDrivenAccess(
        spec.integer("threshold", Admission.MEASURED, 1, Admission.THRESHOLD_MAX));
  }

  private static AccessStrategy adaptive(SpecReader spec) {
    AdaptiveAccess defaults = AdaptiveAccess.DEFAULT;
    return new AdaptiveAccess(
        spec.decimal("exploration", defaults.explorationMillionths(), 6, 500_000),
        spec.integer("memory-reads", defaults.memoryReads(), 10, 1_000_000),
        spec.integer("files", defaults.fileCountMax(), 8, 1 << 20));
  }
}
