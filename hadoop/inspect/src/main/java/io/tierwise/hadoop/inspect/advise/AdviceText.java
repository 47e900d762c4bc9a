package io.tierwise.hadoop.inspect.advise;

import io.tierwise.core.message.Section;
import io.tierwise.core.message.Table;
import io.tierwise.core.message.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An advice for people: sentences and tables, for a terminal or a page. */
public final class AdviceText {
  private AdviceText() {}

  /** The log and image that were read, in a sentence. */
  public static String summary(Advice advice) {
    Advice.LogPart log = advice.log();
    return String.format(
        Locale.ROOT,
        "%s in %s until %s, of %s; the image has %s with %s, and %,d of the files that were read",
        Words.count(log.counted().reads(), "read"),
        Words.duration(log.observedSeconds()),
        log.until(),
        Words.count(log.filesRead(), "file"),
        Words.count(advice.image().files(), "file"),
        Words.bytes(advice.image().bytes()),
        log.filesInImage());
  }

  /** All sections, in the order in which they are read. */
  public static List<Section> sections(Advice advice) {
    List<Section> sections = new ArrayList<>();
    sections.add(heats(advice));
    sections.add(tiers(advice));
    sections.add(unused(advice));
    sections.add(misplaced(advice));
    sections.add(files(advice));
    sections.add(directories(advice));
    if (advice.traces() != null) {
      sections.add(TracesText.section(advice.traces()));
    }
    if (advice.jobs() != null) {
      sections.add(JobsText.section(advice.jobs(), advice.hottestFiles().size()));
    }
    return sections;
  }

  private static Section heats(Advice advice) {
    Table table = new Table().text("heat").number("files", "bytes", "stored", "reads", "read");
    for (Advice.HeatRow row : advice.heats()) {
      table.row(
          Words.word(row.heat().name()),
          count(row.files()),
          Words.bytes(row.bytes()),
          Words.bytes(row.storedBytes()),
          count(row.reads()),
          Words.bytes(row.readBytes()));
    }
    return new Section(
        "Heat",
        table.keys(1),
        String.format(
            Locale.ROOT,
            "hot: two reads and more, and at least %s a day; cold: not read. \"read\" is %s",
            Double.toString(advice.hotReadsPerDay()).replaceFirst("\\.0$", ""),
            advice.traces() == null
                ? "reads times size: a log has no bytes"
                : "by client traces, as far as there are any"));
  }

  private static Section tiers(Advice advice) {
    Table table = new Table().text("tier").number("hot", "warm", "cold");
    for (Advice.TierRow row : advice.tiers()) {
      table.row(
          row.tier() == null ? "not told" : row.tier(),
          Words.bytes(row.hotBytes()),
          Words.bytes(row.warmBytes()),
          Words.bytes(row.coldBytes()));
    }
    return new Section(
        "Where policies want the stored bytes",
        table.keys(1),
        "an image says what policies want, not where blocks are");
  }

  private static Section unused(Advice advice) {
    Table table = new Table().number("days unused").number("files", "bytes", "stored");
    for (Advice.UnusedRow row : advice.unused()) {
      table.row(
          row.days(), count(row.files()), Words.bytes(row.bytes()), Words.bytes(row.storedBytes()));
    }
    return new Section("Cold for how long, by the image's times of use", table);
  }

  private static Section misplaced(Advice advice) {
    Table table = new Table().text("misplaced").number("files", "bytes").text("mending it");
    for (Advice.MisplacedRow row : advice.misplaced()) {
      table.row(
          row.kind().text(),
          count(row.files()),
          Words.bytes(row.bytes()),
          row.files() == 0 ? "" : row.kind().cure(row.cureBytes()));
    }
    return new Section("Misplaced", table.keys(1));
  }

  private static Section files(Advice advice) {
    Table table =
        new Table()
            .text("hottest files")
            .number("reads", "at once", "bytes", "read", "replicas")
            .text("tiers");
    for (Advice.HotFile row : advice.hottestFiles()) {
      table.row(
          row.path(),
          count(row.reads()),
          row.readersMax(),
          Words.bytes(row.bytes()),
          Words.bytes(row.readBytes()),
          row.replicas() == null ? "coded" : row.replicas(),
          row.tiers().isEmpty() ? null : String.join(", ", row.tiers()));
    }
    return new Section(
        "Hottest files, by bytes read", table.keys(1), "at once: reads that began within a minute");
  }

  private static Section directories(Advice advice) {
    Table table = new Table().text("hottest directories").number("files", "reads", "bytes", "read");
    for (Advice.HotDirectory row : advice.hottestDirectories()) {
      table.row(
          row.path(),
          count(row.files()),
          count(row.reads()),
          Words.bytes(row.bytes()),
          Words.bytes(row.readBytes()));
    }
    return new Section("Hottest directories, by bytes read", table.keys(1));
  }

  private static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }
}
