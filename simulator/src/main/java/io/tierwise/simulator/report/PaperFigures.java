package io.tierwise.simulator.report;

import static io.tierwise.simulator.report.Figure.figure;

import io.tierwise.simulator.measure.RunResult;
import java.util.ArrayList;
import java.util.List;

/** Numbers that reproductions of papers ask for and no report shows. */
public final class PaperFigures {
  private PaperFigures() {}

  /** All of them. Tiers are those of the run. */
  public static List<Figure> all(List<String> tierNames) {
    List<Figure> all = new ArrayList<>(networkOfTiers(tierNames));
    all.add(
        figure(
            "device_buffered_bytes",
            "  in buffers at the end",
            Format.BYTES,
            false,
            (r, s) -> r.cost().bufferedBytes()));
    all.add(rate("read_bytes_per_second_local", "  rate on the same node", 0));
    all.add(rate("read_bytes_per_second_rack", "  rate in the same rack", 1));
    all.add(rate("read_bytes_per_second_remote", "  rate from other racks", 2));
    all.add(
        figure(
            "block_access_deviation",
            "accesses to a replica, deviation",
            Format.COUNT,
            false,
            (r, s) -> r.reads().accessDeviation()));
    all.add(
        figure(
            "nodes_of_file_mean",
            "nodes that hold a file",
            Format.COUNT,
            false,
            (r, s) -> r.atEnd().nodesOfFile()));
    all.add(
        Figure.share(
            "fullest_rack_of_file_share",
            "  in its fullest rack",
            (r, s) -> r.atEnd().fullestRackShare()));
    return all;
  }

  /**
   * Bytes that readers on other nodes got from the replicas of each tier, as {@code
   * read_network_bytes_of_tier_hdd}.
   */
  private static List<Figure> networkOfTiers(List<String> tierNames) {
    List<Figure> all = new ArrayList<>();
    for (int i = 0; i < tierNames.size(); i++) {
      int tier = i;
      all.add(
          figure(
              "read_network_bytes_of_tier_" + tierNames.get(i),
              "  from " + tierNames.get(i) + " to other nodes",
              Format.BYTES,
              false,
              (r, s) -> r.reads().sentBytesByTier()[tier]));
    }
    return all;
  }

  private static Figure rate(String name, String title, int distance) {
    return figure(name, title, Format.RATE, true, (r, s) -> rate(r.reads(), distance));
  }

  /** All bytes from that distance by the seconds that they took; not a number without any. */
  private static double rate(RunResult.Reads reads, int distance) {
    long[] bytes = {reads.localBytes(), reads.rackBytes(), reads.remoteBytes()};
    return bytes[distance] == 0
        ? Double.NaN
        : (double) bytes[distance] / reads.secondsByDistance()[distance];
  }
}
