package io.tierwise.cli.explain;

import io.tierwise.cli.explain.Explanation.Written;
import io.tierwise.cli.output.Output;
import io.tierwise.cli.output.TextTable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

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
    text.printHead();
    if (file.blocks().isEmpty()) {
      out.println("no block: the file is empty");
    } else {
      text.printBlocks();
    }
  }

  private void printHead() {
    out.printf(
        Locale.ROOT,
        "%s: %s, replication %d, block size %s, storage policy %s%s%n",
        file.path(),
        Output.bytes(file.lengthBytes()),
        file.replication(),
        Output.bytes(file.blockBytes()),
        file.storagePolicy(),
        file.beingWritten() ? ", being written" : "");
    if (file.placement() != null) {
      out.println(
          "policy now: "
              + file.placement().specification()
              + " ("
              + file.placement().origin()
              + ")");
    }
    out.println("new blocks placed by: " + file.placedBy() + " (" + file.placedByReason() + ")");
    out.println("tiers by: " + file.tierTable());
    if (file.replicasOnTier() != null) {
      printCompliance();
    }
    out.println("read by: " + file.access().specification() + " (" + file.access().origin() + ")");
    out.println("reader: " + file.reader());
    if (file.moverWouldMove() > 0 && file.placement() != null) {
      out.println(
          "note: HDFS's Mover obeys the storage policy "
              + file.storagePolicy()
              + " and would move "
              + file.moverWouldMove()
              + " of these replicas: keep it off this path");
    }
  }

  private void printCompliance() {
    int all = file.replicasOnTier() + file.replicasOffTier();
    String marked = file.replicasOffTier() > 0 ? "; the others are marked with !" : "";
    out.println(
        "replicas where the policy wants them: " + file.replicasOnTier() + " of " + all + marked);
    if (file.policySince() == null) {
      out.println(
          "written before the policy: not known (nobody kept when the policy came into force)");
      return;
    }
    long unknown = file.count(Written.NOT_KNOWN);
    out.println(
        "written before the policy: "
            + file.count(Written.BEFORE_THE_POLICY)
            + " of "
            + file.blocks().size()
            + " blocks"
            + (unknown > 0 ? ", not known of " + unknown : "")
            + " (set "
            + file.policySince()
            + ")");
  }

  private void printBlocks() {
    boolean judged = file.replicasOnTier() != null;
    boolean regions =
        file.blocks().stream()
                .flatMap(block -> block.replicas().stream())
                .map(Explanation.Replica::region)
                .distinct()
                .count()
            > 1;
    TextTable table = new TextTable().right("block").right("ask").left("tier");
    if (judged) {
      table.left("wanted").left("written");
    }
    table.left("node").left("rack");
    if (regions) {
      table.left("region");
    }
    table.left("state").left("distance").left("why first");
    for (Explanation.Block block : file.blocks()) {
      int turn = 1;
      for (Explanation.Replica replica : block.replicas()) {
        table.row(cells(block, replica, turn, judged, regions));
        turn++;
      }
      if (block.replicas().isEmpty()) {
        table.row(missing(block, judged, regions));
      }
    }
    table.print(out);
  }

  private static Object[] cells(
      Explanation.Block block,
      Explanation.Replica replica,
      int turn,
      boolean judged,
      boolean regions) {
    boolean first = turn == 1;
    List<Object> cells = new ArrayList<>();
    cells.add(first ? block.index() : "");
    cells.add(turn);
    cells.add(replica.tier());
    if (judged) {
      cells.add(wanted(replica));
      cells.add(first ? written(block.written()) : "");
    }
    cells.add(replica.node());
    cells.add(replica.rack());
    if (regions) {
      cells.add(replica.region());
    }
    cells.add(state(block, replica));
    cells.add(distance(replica.distance()));
    cells.add(first ? block.reason() : "");
    return cells.toArray();
  }

  private static Object[] missing(Explanation.Block block, boolean judged, boolean regions) {
    List<Object> cells = new ArrayList<>(List.of(block.index(), "", "-"));
    int dashes = 2 + (judged ? 2 : 0) + (regions ? 1 : 0);
    for (int i = 0; i < dashes; i++) {
      cells.add("-");
    }
    cells.add(block.corrupt() ? "corrupt" : "missing");
    cells.add("-");
    cells.add(block.reason());
    return cells.toArray();
  }

  private static String wanted(Explanation.Replica replica) {
    if (replica.wanted() == null) {
      return "not told";
    }
    return Boolean.TRUE.equals(replica.onTier()) ? replica.wanted() : replica.wanted() + " !";
  }

  private static String written(Written written) {
    return switch (written) {
      case BEFORE_THE_POLICY -> "before";
      case AFTER_THE_POLICY -> "after";
      case NOT_KNOWN -> "not known";
      case NO_POLICY -> "-";
    };
  }

  private static String state(Explanation.Block block, Explanation.Replica replica) {
    if (block.corrupt()) {
      return "corrupt";
    }
    return block.beingWritten() ? "being written" : replica.state();
  }

  private static String distance(int hops) {
    return switch (hops) {
      case 0 -> "local";
      case 2 -> "rack";
      case 4 -> "remote";
      default -> hops + " hops";
    };
  }
}
