package io.tierwise.policies.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ReadView;
import io.tierwise.policies.DecisionMemory;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The promises of every access strategy; a test class for each inherits this. */
public abstract class AccessStrategyContract {
  private static final int UNTOUCHED = -7;

  /** The strategy with its default settings first, then with others. */
  protected abstract List<AccessStrategy> strategies();

  @Property(tries = 300)
  void ordersEveryReplicaExactlyOnceAndLeavesTheRestAlone(
      @ForAll("views") ArrayReadView view, @ForAll("requests") AccessRequest request) {
    for (AccessStrategy strategy : strategies()) {
      int[] order = filled(view.replicaCount() + 2);
      AccessReason reason = strategy.order(request, view, new SplittableRandom(7), order);

      int count = view.replicaCount();
      int[] sorted = Arrays.copyOf(order, count);
      Arrays.sort(sorted);
      for (int i = 0; i < count; i++) {
        assertThat(sorted[i]).as("replica %s by %s", i, strategy.name()).isEqualTo(i);
      }
      assertThat(order[count]).isEqualTo(UNTOUCHED);
      assertThat(order[count + 1]).isEqualTo(UNTOUCHED);
      assertThat(reason == AccessReason.ONLY_REPLICA).isEqualTo(count <= 1);
    }
  }

  @Property(tries = 100)
  void sameRequestViewAndSeedGiveTheSameOrder(
      @ForAll("views") ArrayReadView view,
      @ForAll("requests") AccessRequest request,
      @ForAll long seed) {
    for (AccessStrategy strategy : strategies()) {
      AccessStrategy twin = AccessStrategies.parse(strategy.name());
      int[] first = filled(view.replicaCount());
      int[] second = filled(view.replicaCount());
      AccessReason firstReason = strategy.order(request, view, new SplittableRandom(seed), first);
      AccessReason secondReason = twin.order(request, view, new SplittableRandom(seed), second);

      assertThat(second).as(strategy.name()).isEqualTo(first);
      assertThat(secondReason).isEqualTo(firstReason);
    }
  }

  /** Users may make 512 replicas, and a NameNode may order those of a thousand blocks at once. */
  @Example
  void lookUpsDoNotGrowWithThePairsOfReplicas() {
    for (AccessStrategy strategy : strategies()) {
      long ofFew = lookUps(strategy, 64);
      long ofMany = lookUps(strategy, 512);
      // Eight times the replicas, and half as many steps more for each in a binary search.
      assertThat(ofMany).as(strategy.name()).isLessThanOrEqualTo(16 * ofFew);
      assertThat(ofMany).as(strategy.name()).isLessThanOrEqualTo(128L * 512);
    }
  }

  private static long lookUps(AccessStrategy strategy, int replicas) {
    SplittableRandom random = new SplittableRandom(1);
    int[] tierOf = random.ints(replicas, 0, 3).toArray();
    int[] distances = random.ints(replicas, 1, 4).map(hops -> 2 * hops).toArray();
    ReadView view = ArrayReadView.of(ArrayReadView.HATS, tierOf, distances);
    long[] asked = {0};
    ReadView counting =
        (ReadView)
            Proxy.newProxyInstance(
                ReadView.class.getClassLoader(),
                new Class<?>[] {ReadView.class},
                (proxy, method, arguments) -> {
                  asked[0]++;
                  return method.invoke(view, arguments);
                });
    strategy.order(new AccessRequest(7, 3, 1, 5), counting, random, new int[replicas]);
    return asked[0];
  }

  @Example
  void nameIsCanonicalAndReadsBackAsTheSameStrategy() {
    for (AccessStrategy strategy : strategies()) {
      AccessStrategy read = AccessStrategies.parse(strategy.name());
      assertThat(read).isEqualTo(strategy);
      assertThat(read.name()).isEqualTo(strategy.name());
    }
    String name = strategies().get(0).name().split(":")[0];
    assertThat(AccessStrategies.names()).contains(name);
    assertThat(AccessStrategies.parse(name)).isEqualTo(strategies().get(0));
  }

  @Example
  void unknownSettingIsRefusedInOneLineThatNamesIt() {
    String name = strategies().get(0).name().split(":")[0];
    assertThatThrownBy(() -> AccessStrategies.parse(name + ":colour=red"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"colour\"")
        .hasMessageContaining("allowed")
        .hasMessageNotContaining("\n");
  }

  @Example
  void orderingAllocatesNothing() {
    ArrayReadView view =
        ArrayReadView.replicas(2, 0, 1, 2, 0, 4)
            .withTransfers(1, 9, 9)
            .withCapacities(500, 300, 100);
    int[] order = new int[3];
    SplittableRandom random = new SplittableRandom(1);
    AccessRequest request = new AccessRequest(42, 3, 128 << 20, 5);
    for (AccessStrategy strategy : strategies()) {
      // Less than one byte a call: what the JVM itself allocates meanwhile, not the strategy.
      assertThat(
              DecisionMemory.allocatedBytes(
                  20_000, i -> strategy.order(request, view, random, order)))
          .as("bytes allocated by %s", strategy.name())
          .isLessThan(1);
    }
  }

  @Provide
  Arbitrary<AccessRequest> requests() {
    Arbitrary<Long> taskIndexes = Arbitraries.longs().between(-1, Long.MAX_VALUE);
    return Combinators.combine(
            Arbitraries.longs(), Arbitraries.longs().greaterOrEqual(0), taskIndexes)
        .as((file, block, task) -> new AccessRequest(file, block, 128 << 20, task));
  }

  /** Any views a host may show: no replica to many, unknown tiers, unmeasured classes. */
  @Provide
  Arbitrary<ArrayReadView> views() {
    Arbitrary<TierTable> tables = Arbitraries.of(ArrayReadView.HATS, ArrayReadView.UNMEASURED);
    return Arbitraries.integers()
        .between(0, 12)
        .flatMap(
            count ->
                Combinators.combine(
                        tables,
                        Arbitraries.integers().between(-1, 3).array(int[].class).ofSize(count),
                        Arbitraries.of(0, 2, 4, 6, Integer.MAX_VALUE)
                            .array(int[].class)
                            .ofSize(count),
                        Arbitraries.integers().greaterOrEqual(0).array(int[].class).ofSize(count),
                        Arbitraries.longs().greaterOrEqual(0).array(long[].class).ofSize(count))
                    .as(ArrayReadView::new));
  }

  /** The order in which the strategy asks the replicas of {@code view}. */
  static int[] orderOf(AccessStrategy strategy, ArrayReadView view) {
    int[] order = new int[view.replicaCount()];
    strategy.order(new AccessRequest(1, 0, 1, 0), view, new SplittableRandom(3), order);
    return order;
  }

  static AccessReason reasonOf(AccessStrategy strategy, ArrayReadView view) {
    return strategy.order(
        new AccessRequest(1, 0, 1, 0), view, new SplittableRandom(3), new int[view.replicaCount()]);
  }

  private static int[] filled(int length) {
    int[] order = new int[length];
    Arrays.fill(order, UNTOUCHED);
    return order;
  }
}
