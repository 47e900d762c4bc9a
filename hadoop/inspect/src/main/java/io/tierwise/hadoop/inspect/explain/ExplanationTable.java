package io.tierwise.hadoop.inspect.explain;

import io.tierwise.core.message.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The blocks and replicas of an explanation for people. */
final class ExplanationTable {
  private final Explanation file;

  private ExplanationTable(Explanation file) {
    this.file = file;
  }

  /** A line a replica; a block that has none has one, too. */
  static Table of(Explanation file) {
    return new ExplanationTable(file).table();
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

  private Table table() {
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
    Table table = new Table();
    for (Column column : columns) {
      if (column.name().equals("block") || column.name().equals("ask")) {
        table.number(column.name());
      } else {
        table.text(column.name());
      }
    }
    for (Line line : lines) {
      table.row(columns.stream().map(column -> column.cell().apply(line)).toArray());
    }
    return table;
  }
}
