package io.tierwise.cli.cluster;

import io.tierwise.cli.output.Fold;
import io.tierwise.cli.output.TextTable;
import io.tierwise.hadoop.inspect.explain.Explanation;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** An explanation for people. */
final class ExplanationText {
  private final Explanation file;
  private final PrintWriter out;

  private ExplanationText(Explanation file, PrintWriter out) {
    this.file = file;
    this.out = out;
  }

  static void print(Explanation file, PrintWriter out) {
    ExplanationText text = new ExplanationText(file, out);
    file.sentences().forEach(line -> out.println(Fold.text(line)));
    if (file.blocks().isEmpty()) {
      out.println("no block: the file is empty");
    } else {
      text.printBlocks();
    }
  }

  /** A replica's line; {@code replica} is null for a block that has none. */
  private record Line(Explanation.Block block, int turn, Explanation.Replica replica) {
    boolean first() {
      return turn == 1;
    }

    String state() {
      return block.stateText(replica);
    }
  }

  private record Column(String name, Function<Line, Object> cell) {}

  /** Leaves out what is the same in every line and what one expects. */
  private List<Column> columns(List<Line> lines) {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("block", line -> line.first() ? line.block().index() : ""));
    columns.add(new Column("ask", line -> line.replica() == null ? "" : line.turn()));
    columns.add(ofReplica("tier", Explanation.Replica::tier));
    if (file.replicasOnTier() != null) {
      columns.add(ofReplica("wanted", Explanation.Replica::wantedText));
    }
    if (differ(lines, line -> line.block().written())) {
      columns.add(new Column("written", line -> line.first() ? line.block().writtenText() : ""));
    }
    columns.add(ofReplica("node", Explanation.Replica::node));
    columns.add(ofReplica("rack", Explanation.Replica::rack));
    if (differ(lines, line -> line.replica() == null ? "" : line.replica().region())) {
      columns.add(ofReplica("region", Explanation.Replica::region));
    }
    if (lines.stream().anyMatch(line -> !line.state().equals(Explanation.IN_SERVICE))) {
      columns.add(new Column("state", Line::state));
    }
    columns.add(ofReplica("distance", Explanation.Replica::distanceText));
    columns.add(new Column("why first", line -> line.first() ? line.block().reason() : ""));
    return columns;
  }

  private static Column ofReplica(String name, Function<Explanation.Replica, Object> cell) {
    return new Column(name, line -> line.replica() == null ? "-" : cell.apply(line.replica()));
  }

  private static boolean differ(List<Line> lines, Function<Line, Object> property) {
    return lines.stream().map(property).distinct().count() > 1;
  }

  private void printBlocks() {
    List<Line> lines = new ArrayList<>();
    for (Explanation.Block block : file.blocks()) {
      for (int i = 0; i < block.replicas().size(); i++) {
        lines.add(new Line(block, i + 1, block.replicas().get(i)));
      }
      if (block.replicas().isEmpty()) {
        lines.add(new Line(block, 1, null));
      }
    }
    List<Column> columns = columns(lines);
    TextTable table = new TextTable();
    for (Column column : columns) {
      if (column.name().equals("block") || column.name().equals("ask")) {
        table.right(column.name());
      } else {
        table.left(column.name());
      }
    }
    for (Line line : lines) {
      table.row(columns.stream().map(column -> column.cell().apply(line)).toArray());
    }
    table.print(out);
  }
}
