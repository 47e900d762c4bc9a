package io.tierwise.lab.dfsio;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tierwise.core.message.Csv;
import io.tierwise.simulator.bound.ReadBound;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * One line of a comparison: what a placement and an access strategy measured, each figure the
 * median of its repeats.
 *
 * @param placement name of the placement; stock ones begin with "stock"
 * @param access name of the strategy; stock ones begin with "stock"
 * @param writes one a repeat
 * @param reads one a repeat
 */
public record BenchRow(
    String placement, String access, List<DfsioFigures> writes, List<DfsioFigures> reads) {
  private static final double MEGABYTE = 1e6;

  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  /** Explains the share of the bound. */
  public static final String BOUND =
      "of bound: share of what these readers could have from these replicas with the best"
          + " fractional assignment, fairly shared; an estimate: an order that finishes some readers"
          + " early can pass it";

  private static final String CHOICES =
      "of choices: share of what the same choices of replicas have in the simulator's network; the"
          + " rest went to protocols, latencies and processors, not to the order";

  private static final String LIMIT =
      "of limit: share of what nothing can pass, given the devices' and links' nominal speeds";

  private static final List<String> LEGEND =
      List.of(
          "read, write MB/s: all bytes by the sum of all task times; median of the repeats",
          "mean, deviation: of the tasks' own rates in a repeat; median of the repeats",
          "x first: read MB/s against the first row; MB is 10^6 bytes",
          "tiers, local, rack, remote: where the bytes came from; network: from another node");

  public BenchRow {
    writes = List.copyOf(writes);
    reads = List.copyOf(reads);
  }

  /** The terms of a table of rows, a line each. */
  public static List<String> legend(boolean bounded) {
    return bounded
        ? Stream.concat(Stream.of(BOUND, CHOICES, LIMIT), LEGEND.stream()).toList()
        : LEGEND;
  }

  public double readBytesPerSecond() {
    return median(reads, DfsioFigures::throughputBytesPerSecond);
  }

  public double writeBytesPerSecond() {
    return median(writes, DfsioFigures::throughputBytesPerSecond);
  }

  /** Bytes that a run reads from other nodes. */
  public double networkBytes() {
    return median(reads, figures -> (double) figures.networkBytes());
  }

  /** The reads as a share of what they could reach ({@link ReadBound}); null where not known. */
  public Double shareOfBound() {
    return shareOf(DfsioFigures::bound, ReadBound::bytesPerSecond);
  }

  /** The reads as a share of what these choices have in the simulator; null where not known. */
  public Double shareOfChoices() {
    return shareOf(DfsioFigures::chosenBytesPerSecond, Double::doubleValue);
  }

  private <T> Double shareOf(Function<DfsioFigures, T> known, ToDoubleFunction<T> bytesPerSecond) {
    return reads.isEmpty() || reads.stream().anyMatch(figures -> known.apply(figures) == null)
        ? null
        : rounded(
            median(
                reads,
                f -> f.throughputBytesPerSecond() / bytesPerSecond.applyAsDouble(known.apply(f))),
            4);
  }

  /** The slowest repeat, in bytes per second of a task. */
  public double lowest(List<DfsioFigures> repeats) {
    return extreme(repeats, true);
  }

  /** The fastest repeat, in bytes per second of a task. */
  public double highest(List<DfsioFigures> repeats) {
    return extreme(repeats, false);
  }

  /**
   * The row as JSON and CSV have it: megabytes of 10^6 bytes, shares from 0 to 1, null for what was
   * not measured.
   */
  public Map<String, Object> columns(List<String> tiers) {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("placement", placement);
    columns.put("access", access);
    speeds(columns, "read", reads);
    speeds(columns, "write", writes);
    columns.put("share_of_bound", shareOfBound());
    columns.put("share_of_choices", shareOfChoices());
    columns.put("share_of_limit", shareOf(DfsioFigures::bound, ReadBound::limitBytesPerSecond));
    for (String tier : tiers) {
      columns.put(
          "share_" + tier.replace('-', '_'), rounded(median(reads, f -> f.tierShare(tier)), 4));
    }
    for (BenchPlace.Distance distance : BenchPlace.Distance.values()) {
      columns.put(
          "share_" + distance.name().toLowerCase(Locale.ROOT),
          rounded(median(reads, f -> f.distanceShare(distance)), 4));
    }
    columns.put("refusals", Math.round(median(reads, f -> (double) f.refusals())));
    columns.put("network_bytes", Math.round(median(reads, f -> (double) f.networkBytes())));
    columns.put("processor_share", rounded(median(reads, DfsioFigures::processorShare), 3));
    columns.put("repeats", reads.size());
    return columns;
  }

  private static void speeds(
      Map<String, Object> columns, String phase, List<DfsioFigures> repeats) {
    String unit = "_megabytes_per_second";
    columns.put(phase + unit, speed(repeats, DfsioFigures::throughputBytesPerSecond));
    columns.put(phase + "_average" + unit, speed(repeats, DfsioFigures::averageBytesPerSecond));
    columns.put(phase + "_deviation" + unit, speed(repeats, DfsioFigures::deviationBytesPerSecond));
    columns.put(phase + "_aggregate" + unit, speed(repeats, DfsioFigures::aggregateBytesPerSecond));
    columns.put(phase + "_lowest" + unit, range(repeats, true));
    columns.put(phase + "_highest" + unit, range(repeats, false));
  }

  private static double extreme(List<DfsioFigures> repeats, boolean lowest) {
    var values = repeats.stream().mapToDouble(DfsioFigures::throughputBytesPerSecond);
    return (lowest ? values.min() : values.max()).orElse(Double.NaN);
  }

  private static Double range(List<DfsioFigures> repeats, boolean lowest) {
    return repeats.isEmpty() ? null : rounded(extreme(repeats, lowest) / MEGABYTE, 3);
  }

  private static Double speed(List<DfsioFigures> repeats, ToDoubleFunction<DfsioFigures> figure) {
    return repeats.isEmpty() ? null : rounded(median(repeats, figure) / MEGABYTE, 3);
  }

  private static double rounded(double value, int digits) {
    double scale = Math.pow(10, digits);
    return Math.round(value * scale) / scale;
  }

  public static double median(List<DfsioFigures> repeats, ToDoubleFunction<DfsioFigures> figure) {
    return median(repeats.stream().mapToDouble(figure).toArray());
  }

  /** The median of some figures, 0 of none; sorts them. */
  public static double median(double[] values) {
    if (values.length == 0) {
      return 0;
    }
    Arrays.sort(values);
    int middle = values.length / 2;
    return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  }

  /** A share for people; null for what was not measured. */
  public static String percent(Double share) {
    return share == null ? null : String.format(Locale.ROOT, "%.0f%%", 100 * share);
  }

  /** Columns of rows as JSON, in an object. */
  public static String json(List<Map<String, Object>> columns) throws IOException {
    return MAPPER.writeValueAsString(Map.of("rows", columns)) + "\n";
  }

  /** Columns of rows as comma-separated values, with a line of names. */
  public static String csv(List<Map<String, Object>> columns) {
    StringBuilder csv = new StringBuilder();
    for (Map<String, Object> row : columns) {
      if (csv.isEmpty()) {
        csv.append(Csv.line(List.copyOf(row.keySet()))).append('\n');
      }
      csv.append(Csv.line(new ArrayList<>(row.values()))).append('\n');
    }
    return csv.toString();
  }
}
