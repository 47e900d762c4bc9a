package io.tierwise.policies.access;

import io.tierwise.policies.text.PolicyProvider;
import io.tierwise.policies.text.PolicyProvider.Nothing;
import io.tierwise.policies.text.PolicyRegistry;
import io.tierwise.policies.text.SpecReader;
import java.util.List;
import java.util.function.Function;

/**
 * The registry of access strategies: their names, settings and one-line descriptions.
 *
 * <p>A specification is {@code name}, {@code name:value} or {@code name:key=value,key=value}, for
 * example {@code balanced:50} or {@code nbd:threshold=4,client-side=true}. Settings that are left
 * out have their defaults.
 */
public final class AccessStrategies {
  /** Longer texts are refused unread. */
  public static final int TEXT_LENGTH_MAX = 200;

  private static final PolicyRegistry<AccessStrategy, Nothing> REGISTRY =
      PolicyRegistry.of(
          "access strategy",
          TEXT_LENGTH_MAX,
          AccessStrategy::name,
          AccessProvider.class,
          List.of(
              new Own(
                  NetworkAwareAccess.NAME,
                  "",
                  "nearest replica first, as stock HDFS",
                  settings -> new NetworkAwareAccess()),
              new Own(
                  RandomAccess.NAME,
                  "",
                  "any replica with equal chance (hatS's baseline)",
                  settings -> new RandomAccess()),
              new Own(
                  NetworkWeightedAccess.NAME,
                  "level-cost=1",
                  "weighted draw by nearness alone (hatS's network-aware, as measured)",
                  AccessStrategies::networkWeighted),
              new Own(
                  TierAwareAccess.NAME,
                  "[figure=throughput|iops][,capacity=ignored|multiplied|divided]",
                  "weighted draw by the tier's measured speed (hatS)",
                  AccessStrategies::tierAware),
              new Own(
                  HybridAccess.NAME,
                  "[link-megabytes-per-second=1250]",
                  "weighted draw by tier speed and network transfer cost (hatS)",
                  AccessStrategies::hybrid),
              new Own(
                  PipelinedHybridAccess.NAME,
                  "[link-megabytes-per-second=1250]",
                  "as hybrid, but by the slowest of device and link instead of their sum",
                  settings ->
                      new PipelinedHybridAccess(
                          link(settings, PipelinedHybridAccess.DEFAULT.linkMegabytesPerSecond()))),
              new Own(
                  GreedyAccess.NAME,
                  "",
                  "fastest tier first, nearest within it",
                  settings -> new GreedyAccess()),
              new Own(
                  BalancedAccess.NAME,
                  "PERCENT",
                  "that percentage of the tasks reads remote fast storage, the others what is near",
                  AccessStrategies::balanced),
              new Own(
                  NetworkBandwidthDrivenAccess.NAME,
                  "[threshold=4][,client-side=false]",
                  "fast node first; local when it refuses with T_c reads in progress",
                  AccessStrategies::networkBandwidthDriven),
              new Own(
                  StorageBandwidthDrivenAccess.NAME,
                  "[threshold=4]",
                  "fast node first; local when its device refuses with T_r readers",
                  AccessStrategies::storageBandwidthDriven),
              new Own(
                  DataLocalityDrivenAccess.NAME,
                  "",
                  "local replica first, else the fastest tier",
                  settings -> new DataLocalityDrivenAccess()),
              new Own(
                  AdaptiveAccess.NAME,
                  "[exploration=0.05][,memory-reads=100][,files=1024]",
                  "learns for each file which strategy reads fastest, with bounded exploration",
                  AccessStrategies::adaptive),
              new Own(
                  AutoAccess.NAME,
                  "[link-megabytes-per-second=1250][,without=PART][,reports=true]",
                  "soonest expected: devices and links, shared as earlier answers say",
                  settings ->
                      new AutoAccess(
                          link(settings, AutoAccess.DEFAULT.linkMegabytesPerSecond()),
                          settings.choice(AutoAccess.WITHOUT, AutoAccess.DEFAULT.without()),
                          settings.flag(AutoAccess.REPORTS, AutoAccess.DEFAULT.reports())))));

  private AccessStrategies() {}

  /** A strategy of this package. */
  private record Own(
      String name, String settings, String summary, Function<SpecReader, AccessStrategy> maker)
      implements AccessProvider {
    @Override
    public String usage() {
      return settings.isEmpty() ? name : name + ":" + settings;
    }

    @Override
    public AccessStrategy make(SpecReader text, Nothing nothing) {
      return maker.apply(text);
    }
  }

  /**
   * The strategy of that specification; {@code parse(s.name())} equals {@code s}.
   *
   * @throws IllegalArgumentException one line that names the bad value and what is allowed
   */
  public static AccessStrategy parse(String spec) {
    return REGISTRY.parse(spec, Nothing.NOTHING);
  }

  /**
   * The canonical text of that specification's strategy, which clients can read back.
   *
   * @throws IllegalArgumentException as {@link #parse}, also when the text cannot be read back
   */
  public static String canonical(String spec) {
    return REGISTRY.canonical(spec, AccessStrategies::parse);
  }

  /** All strategies, baselines first. */
  public static List<PolicyProvider<AccessStrategy, Nothing>> all() {
    return REGISTRY.providers();
  }

  /** As {@link PolicyRegistry#problems}. */
  public static List<String> problems() {
    return REGISTRY.problems();
  }

  /** The names of all strategies, baselines first. */
  public static List<String> names() {
    return REGISTRY.providers().stream().map(PolicyProvider::name).toList();
  }

  private static AccessStrategy networkWeighted(SpecReader spec) {
    return new NetworkWeightedAccess(
        spec.integer(
            NetworkWeightedAccess.LEVEL_COST,
            NetworkWeightedAccess.DEFAULT.levelCost(),
            1,
            NetworkWeightedAccess.LEVEL_COST_MAX));
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
