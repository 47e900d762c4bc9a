package io.tierwise.policies.recorded;

import io.tierwise.core.cluster.Tier;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.Refusal;
import io.tierwise.core.view.RefusalCounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A cluster as a policy saw it at one instant, for blocks of one size: what was live is now fixed.
 * Of several reasons why volumes of a tier stand in no cell it keeps the commonest.
 *
 * @param blockBytes for which stores and volumes were asked
 * @param rackStarts first rack of each region, and the end
 * @param cellStarts by tier, then by rack, with the end of each tier
 */
public record RecordedCluster(
    long blockBytes,
    List<Tier> tierList,
    List<String> regionNames,
    int[] rackStarts,
    List<String> rackNames,
    List<RecordedNode> nodes,
    List<RecordedStore> stores,
    List<RecordedVolume> volumes,
    int[][] cellStarts,
    List<Refusal> commonestAbsences,
    int domainsMin)
    implements ClusterView {

  /** A node; {@code domain} is the first node that shares a failure domain with it. */
  public record RecordedNode(String name, int rack, int domain) {}

  /** A store; {@code picks} are the volumes that it names for the draws 0, 1, ... */
  public record RecordedStore(int node, int tier, Refusal refusal, int[] picks) {}

  /** A volume. */
  public record RecordedVolume(String name, int node, int tier) {}

  /** Records the view as it is now. */
  public static RecordedCluster of(ClusterView view, long blockBytes) {
    int racks = view.rackCount();
    int[][] cells = new int[view.tiers().count()][racks + 1];
    for (int tier = 0; tier < cells.length; tier++) {
      int of = tier;
      Arrays.setAll(cells[tier], rack -> view.cellStart(of, rack));
    }
    return new RecordedCluster(
        blockBytes,
        view.tiers().tiers(),
        IntStream.range(0, view.regionCount()).mapToObj(view::regionName).toList(),
        IntStream.rangeClosed(0, view.regionCount())
            .map(region -> region == view.regionCount() ? racks : view.rackStart(region))
            .toArray(),
        IntStream.range(0, racks).mapToObj(view::rackName).toList(),
        IntStream.range(0, view.nodeCount()).mapToObj(node -> node(view, node)).toList(),
        IntStream.range(0, view.storeCount())
            .mapToObj(store -> store(view, store, blockBytes))
            .toList(),
        IntStream.range(0, view.volumeCount())
            .mapToObj(
                volume ->
                    new RecordedVolume(
                        view.volumeName(volume),
                        view.nodeOfVolume(volume),
                        view.tierOfVolume(volume)))
            .toList(),
        cells,
        IntStream.range(0, cells.length)
            .mapToObj(tier -> view.absences(tier).commonestWith(new RefusalCounts()))
            .toList(),
        view.domainsMin());
  }

  private static RecordedNode node(ClusterView view, int node) {
    int domain = 0;
    while (!view.shareDomain(node, domain)) {
      domain++;
    }
    return new RecordedNode(view.nodeName(node), view.rackOfNode(node), domain);
  }

  private static RecordedStore store(ClusterView view, int store, long bytes) {
    int node = view.nodeOfStore(store);
    int tier = view.tierOfStore(store);
    int most =
        (int)
            IntStream.range(0, view.volumeCount())
                .filter(v -> view.nodeOfVolume(v) == node && view.tierOfVolume(v) == tier)
                .count();
    List<Integer> picks = new ArrayList<>();
    for (int draw = 0; draw <= most * most; draw++) {
      picks.add(view.volumeIn(store, bytes, draw));
    }
    int period = 1;
    while (!repeats(picks, period)) {
      period++;
    }
    return new RecordedStore(
        node,
        tier,
        view.check(store, bytes),
        picks.subList(0, period).stream().mapToInt(Integer::intValue).toArray());
  }

  private static boolean repeats(List<Integer> picks, int period) {
    return IntStream.range(0, picks.size())
        .allMatch(draw -> picks.get(draw).equals(picks.get(draw % period)));
  }

  @Override
  public TierTable tiers() {
    return TierTable.ofTiers(tierList);
  }

  @Override
  public int regionCount() {
    return regionNames.size();
  }

  @Override
  public int rackCount() {
    return rackNames.size();
  }

  @Override
  public int nodeCount() {
    return nodes.size();
  }

  @Override
  public int storeCount() {
    return stores.size();
  }

  @Override
  public int volumeCount() {
    return volumes.size();
  }

  @Override
  public int rackStart(int region) {
    return rackStarts[region];
  }

  @Override
  public int regionOfRack(int rack) {
    int region = 0;
    while (rackStarts[region + 1] <= rack) {
      region++;
    }
    return region;
  }

  @Override
  public int rackOfNode(int node) {
    return nodes.get(node).rack();
  }

  @Override
  public int cellStart(int tier, int rack) {
    return cellStarts[tier][rack];
  }

  @Override
  public int nodeOfStore(int store) {
    return stores.get(store).node();
  }

  @Override
  public int tierOfStore(int store) {
    return stores.get(store).tier();
  }

  @Override
  public int storeOfNode(int node, int tier) {
    return IntStream.range(0, stores.size())
        .filter(store -> nodeOfStore(store) == node && tierOfStore(store) == tier)
        .findFirst()
        .orElse(NONE);
  }

  @Override
  public int volumeIn(int store, long bytes, int draw) {
    int[] picks = stores.get(store).picks();
    return picks[draw % picks.length];
  }

  @Override
  public int nodeOfVolume(int volume) {
    return volumes.get(volume).node();
  }

  @Override
  public int tierOfVolume(int volume) {
    return volumes.get(volume).tier();
  }

  @Override
  public Refusal check(int store, long bytes) {
    return stores.get(store).refusal();
  }

  @Override
  public RefusalCounts absences(int tier) {
    RefusalCounts counts = new RefusalCounts();
    if (commonestAbsences.get(tier) != Refusal.NONE) {
      counts.note(commonestAbsences.get(tier));
    }
    return counts;
  }

  @Override
  public boolean shareDomain(int node, int other) {
    return nodes.get(node).domain() == nodes.get(other).domain();
  }

  @Override
  public String nodeName(int node) {
    return nodes.get(node).name();
  }

  @Override
  public String rackName(int rack) {
    return rackNames.get(rack);
  }

  @Override
  public String regionName(int region) {
    return regionNames.get(region);
  }

  @Override
  public String volumeName(int volume) {
    return volumes.get(volume).name();
  }
}
