package io.tierwise.policies.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.data.Ratio;
import io.tierwise.policies.placement.ZoneRatioPlacement.Zone;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** HDFS_H Eq. 9 at every moment of a data set's writing. */
class ZoneSharesTest {
  @Property(tries = 300)
  void fastZoneHoldsTheCeilingOfItsShareAtEveryLength(
      @ForAll @IntRange(max = 1000) int thousandths) {
    BigDecimal share = BigDecimal.valueOf(thousandths, 3);
    ZoneRatioPlacement policy = policy(List.of(Ratio.parse(share.toPlainString())));
    long fast = 0;
    for (int n = 1; n <= 2500; n++) {
      fast += policy.zoneOfBlock(n - 1) == 0 ? 1 : 0;
      BigDecimal exact = share.multiply(BigDecimal.valueOf(n)).setScale(0, RoundingMode.CEILING);
      assertThat(fast).as("of %s blocks at %s", n, share).isEqualTo(exact.longValueExact());
    }
  }

  @Property(tries = 300)
  void eachZoneTakesTheCeilingOfItsShareOfWhatTheEarlierOnesLeft(
      @ForAll @IntRange(min = 1, max = 6) int zoneCount, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] parts = random.ints(zoneCount, 0, 50).toArray();
    int whole = 0;
    for (int part : parts) {
      whole += part;
    }
    List<Ratio> shares = new ArrayList<>();
    for (int zone = 0; zone < zoneCount - 1 && whole > 0; zone++) {
      shares.add(new Ratio(parts[zone], whole));
    }
    ZoneRatioPlacement policy = policy(shares);
    long[] counts = new long[policy.zoneCount()];
    for (int n = 1; n <= 400; n++) {
      counts[policy.zoneOfBlock(n - 1)]++;
      long left = n;
      long leftParts = whole;
      for (int zone = 0; zone < policy.zoneCount() - 1; zone++) {
        long part = parts[zone];
        long taken = leftParts == 0 ? 0 : (part * left + leftParts - 1) / leftParts;
        assertThat(counts[zone]).as("zone %s of %s blocks", zone, n).isEqualTo(taken);
        left -= taken;
        leftParts -= part;
      }
      assertThat(counts[policy.zoneCount() - 1]).isEqualTo(left);
    }
  }

  @Example
  void holdsForDataSetsOfBillionsOfBlocks() {
    ZoneRatioPlacement policy = policy(List.of(Ratio.parse("0.123456789")));
    long start = 1L << 40;
    long fast = 0;
    for (long i = start; i < start + 1_000_000; i++) {
      fast += policy.zoneOfBlock(i) == 0 ? 1 : 0;
    }
    assertThat(fast).isBetween(123_456L, 123_457L);
  }

  /** Zones of one tier each; the last takes what the shares leave. */
  private static ZoneRatioPlacement policy(List<Ratio> shares) {
    List<Zone> zones = new ArrayList<>();
    Ratio rest = Ratio.ONE;
    for (Ratio share : shares) {
      zones.add(new Zone(Wish.bit(zones.size()), share));
      rest = rest.minus(share);
    }
    zones.add(new Zone(Wish.bit(zones.size()), rest));
    return new ZoneRatioPlacement("zones", zones, false);
  }
}
