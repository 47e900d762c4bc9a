package io.tierwise.hadoop.inspect.advise;

import io.tierwise.core.message.Section;
import io.tierwise.core.message.Table;
import io.tierwise.core.message.Words;
import java.util.Locale;

/** Says for people what client traces told. */
final class TracesText {
  private TracesText() {}

  static Section section(Advice.Traces traces) {
    Table table = new Table().text("bytes read").number("files", "bytes");
    row(table, "by client traces", traces.traced());
    row(table, "of these, no open in the log", traces.unopened());
    row(table, "reads times size: no trace of it", traces.estimated());
    table.row("reads times size: of other times", null, Words.bytes(traces.otherTimeBytes()));
    table.row(
        "not mapped: " + Words.count(traces.unmappedBlocks(), "block"),
        null,
        Words.bytes(traces.unmappedBytes()));
    return new Section(
        "Bytes read, by client traces",
        table.keys(1),
        String.format(
            Locale.ROOT,
            "%s by %s from %s to %s sent %s, checksums included. Not mapped: the"
                + " image has no file with the block. Blocks of %s were handed out"
                + " short-circuit: what is read so leaves no bytes.",
            Words.count(traces.lines().reads(), "trace"),
            Words.count(traces.dataNodes(), "DataNode"),
            traces.since(),
            traces.until(),
            Words.bytes(traces.lines().sentBytes()),
            Words.count(traces.shortCircuitFiles(), "file")));
  }

  private static void row(Table table, String what, Advice.TracePart part) {
    table.row(what, String.format(Locale.ROOT, "%,d", part.files()), Words.bytes(part.bytes()));
  }
}
