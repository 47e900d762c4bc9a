package io.tierwise.simulator.report;

import io.tierwise.simulator.measure.RunResult;
import java.util.List;
import java.util.stream.LongStream;

/** Numbers that only a cluster of several regions has; not a number elsewhere. */
final class RegionFigures {
  private RegionFigures() {}

  static List<Figure> all() {
    return List.of(
        Figure.share(
            "read_share_other_region",
            "read from other regions",
            (r, s) -> ofRegions(r, Figure.ratio(r.reads().otherRegionBytes(), r.reads().bytes()))),
        Figure.share("single_region_block_share", "blocks in one region", (r, s) -> share(r, 1)),
        Figure.share("two_region_block_share", "  in two regions", (r, s) -> share(r, 2)),
        Figure.share("three_region_block_share", "  in three regions", (r, s) -> share(r, 3)),
        Figure.share(
            "fullest_region_share",
            "written to the fullest region",
            (r, s) -> ofRegions(r, fullest(r.writes().bytesByRegion()))),
        Figure.figure(
            "cross_region_bytes",
            "network between regions",
            Format.BYTES,
            true,
            (r, s) -> ofRegions(r, (double) r.network().crossRegionBytes())));
  }

  private static double share(RunResult run, int regions) {
    long[] blocks = run.writes().blocksByRegionCount();
    return blocks.length < Math.max(2, regions)
        ? Double.NaN
        : Figure.ratio(blocks[regions - 1], LongStream.of(blocks).sum());
  }

  private static double fullest(long[] bytes) {
    return Figure.ratio(LongStream.of(bytes).max().orElse(0), LongStream.of(bytes).sum());
  }

  private static double ofRegions(RunResult run, double value) {
    return run.writes().bytesByRegion().length < 2 ? Double.NaN : value;
  }
}
