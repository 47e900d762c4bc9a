package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Moves and changes are written down before they are made, and can be taken back. */
abstract class UndoCases {
  private static final String ALL_SSD = "layout:3 x ssd";
  private static final String SSDS = "SSD SSD SSD";
  private static final String DISKS = "DISK DISK DISK";

  @TempDir private java.nio.file.Path folder;
  private Journal journal;

  /** The cluster of the suite. */
  abstract LiveCluster live();

  @BeforeEach
  void openJournal() {
    journal = new Journal(folder);
  }

  /** The journal of the test. */
  final Journal journal() {
    return journal;
  }

  final JournalRun begin(String undoes) {
    return journal.begin("test", "me", "hdfs://here", List.of("/t"), "", undoes);
  }

  final MoverReport move(JournalRun run, MoveOrder order) throws IOException {
    try (run;
        Mover mover = Mover.open(live().cluster(), LiveCluster.quick()).writingTo(run)) {
      return mover.run(order, Listener.Step.SILENT);
    }
  }

  private MoverReport undo(String id) throws IOException {
    PastRun past = PastRun.read(journal, id);
    try (JournalRun run = begin(id);
        Mover mover = Mover.open(live().cluster(), LiveCluster.quick()).writingTo(run)) {
      return mover.undo(new Undo(live().cluster(), past), Listener.Step.SILENT);
    }
  }

  @Test
  void everyMoveIsWrittenDownAndUndone() throws IOException {
    Path file = live().write("/t/undo/file", 2, 3);
    JournalRun run = begin(null);

    MoverReport moved = move(run, live().order(ALL_SSD, "/t/undo"));

    assertThat(live().typesOf(file)).containsOnly(SSDS);
    PastRun past = PastRun.read(journal, run.id());
    List<PastRun.Step> steps = Steps.of(past);
    assertThat(steps).hasSize((int) moved.moved().replicas()).allMatch(PastRun.Step::done);
    JournalEntry.Moving first = (JournalEntry.Moving) steps.get(0).entry();
    assertThat(first.file()).isEqualTo("/t/undo/file");
    assertThat(first.from().tier()).isEqualTo("disk");
    assertThat(first.to().tier()).isEqualTo("ssd");
    assertThat(first.rule()).isNotBlank();
    MoverReport plan =
        Mover.planUndo(live().cluster(), LiveCluster.quick(), new Undo(live().cluster(), past));
    assertThat(plan.moved()).isEqualTo(moved.moved());

    // A killed mover leaves no results in its journal.
    JournalRun withoutResults = begin(null);
    try (withoutResults) {
      steps.forEach(step -> withoutResults.append(step.entry()));
    }
    PastRun killed = PastRun.read(journal, withoutResults.id());
    assertThat(
            Mover.planUndo(
                    live().cluster(), LiveCluster.quick(), new Undo(live().cluster(), killed))
                .moved())
        .isEqualTo(moved.moved());

    MoverReport undone = undo(run.id());

    assertThat(undone.complete()).isTrue();
    assertThat(undone.moved()).isEqualTo(moved.moved());
    assertThat(live().typesOf(file)).containsOnly(DISKS);
    assertThat(undo(run.id()).moved().replicas()).as("done a second time").isZero();
    live().assertWhole(file, 2);
  }

  @Test
  void anUndoCanBeUndone() throws IOException {
    Path file = live().write("/t/undo/file", 1, 3);
    JournalRun run = begin(null);
    move(run, live().order("layout:1 x ssd + 2 x disk", "/t/undo"));
    undo(run.id());
    assertThat(live().typesOf(file)).containsOnly(DISKS);

    MoverReport again = undo(journal.runs().get(1));

    assertThat(again.complete()).isTrue();
    assertThat(live().typesOf(file)).containsOnly("DISK DISK SSD");
  }

  /** As in a daemon's run, where a policy changed between two repairs. */
  @Test
  void aReplicaThatOneRunMovedTwiceComesBackToWhereItStoodFirst() throws IOException {
    Path file = live().write("/t/undo/file", 1, 3);
    JournalRun run = begin(null);
    try (run;
        Mover mover = Mover.open(live().cluster(), LiveCluster.quick()).writingTo(run)) {
      for (String policy : List.of(ALL_SSD, "layout:1 x ssd + 2 x disk")) {
        live().setPolicy("/t/undo", policy);
        mover.run(live().order("", "/t/undo"), Listener.Step.SILENT);
      }
    }
    assertThat(live().typesOf(file)).containsOnly("DISK DISK SSD");
    assertThat(Steps.of(PastRun.read(journal, run.id()))).hasSize(5);

    MoverReport undone = undo(run.id());

    assertThat(undone.left()).isEmpty();
    assertThat(undone.moved().replicas()).isOne();
    assertThat(live().typesOf(file)).containsOnly(DISKS);
    live().assertWhole(file, 1);
  }

  @Test
  void whatHasChangedSinceIsLeftAndTold() throws IOException {
    for (String name : List.of("gone", "renamed", "policy", "moved", "longer", "same")) {
      live().write("/t/undo/" + name + "/file", 1, 3);
    }
    JournalRun run = begin(null);
    move(run, live().order(ALL_SSD, "/t/undo"));
    live().fs().delete(new Path("/t/undo/gone/file"), false);
    live().fs().rename(new Path("/t/undo/renamed/file"), new Path("/t/undo/renamed/other"));
    live().setPolicy("/t/undo/policy", ALL_SSD);
    move(begin(null), live().order("layout:3 x disk", "/t/undo/moved"));
    move(begin(null), live().order("layout:2 x ssd + 1 x disk", "/t/undo/moved"));
    try (FSDataOutputStream out = live().fs().append(new Path("/t/undo/longer/file"))) {
      out.write(new byte[LiveCluster.BLOCK_BYTES]);
    }

    MoverReport undone = undo(run.id());

    assertThat(undone.left())
        .extracting(MoverReport.Left::reason)
        .containsExactlyInAnyOrder(
            UndoMoves.GONE, UndoMoves.RENAMED, UndoMoves.POLICY, UndoMoves.LENGTH);
    assertThat(undone.left()).noneMatch(MoverReport.Left::fault);
    assertThat(live().typesOf(new Path("/t/undo/same/file"))).containsOnly(DISKS);
    assertThat(live().typesOf(new Path("/t/undo/moved/file"))).containsOnly(DISKS);
    assertThat(live().typesOf(new Path("/t/undo/policy/file"))).containsOnly(SSDS);
    assertThat(live().typesOf(new Path("/t/undo/renamed/other"))).containsOnly(SSDS);
    assertThat(live().typesOf(new Path("/t/undo/longer/file")).get(0)).isEqualTo(DISKS);
  }

  /**
   * As HDFS does when a node is lost, or a Balancer. Long: make test has undos of what has changed
   * since.
   */
  @Tag("long")
  @Test
  void ofABlockOfWhichOneReplicaWasMovedSinceTheOthersComeBack() throws IOException {
    Path file = live().write("/t/undo/file", 1, 3);
    JournalRun run = begin(null);
    move(run, live().order(ALL_SSD, "/t/undo"));
    LocatedBlock block = live().blocks(file).get(0);
    Set<String> before = nodesOf(block);
    DataNode other =
        live().mini().getDataNodes().stream()
            .filter(node -> !before.contains(node.getDatanodeUuid()))
            .findFirst()
            .orElseThrow();
    assertThat(
            ForeignMoves.move(block, block.getLocations()[0], other.getXferPort(), StorageType.SSD))
        .isEqualTo(Status.SUCCESS);
    LiveCluster.await(
        "three replicas, one elsewhere",
        () -> {
          Set<String> now = nodesOf(live().blocks(file).get(0));
          return now.size() == 3 && now.contains(other.getDatanodeUuid());
        });

    MoverReport undone = undo(run.id());

    assertThat(undone.left()).extracting(MoverReport.Left::reason).containsExactly(UndoMoves.MOVED);
    assertThat(undone.left().get(0).amount().replicas()).isOne();
    assertThat(undone.moved().replicas()).isEqualTo(2);
    assertThat(live().typesOf(file)).containsOnly("DISK DISK SSD");
    assertThat(nodesOf(live().blocks(file).get(0))).contains(other.getDatanodeUuid());
    live().assertWhole(file, 1);
  }

  private static Set<String> nodesOf(LocatedBlock block) {
    return Arrays.stream(block.getLocations())
        .map(node -> node.getDatanodeUuid())
        .collect(Collectors.toSet());
  }

  @Test
  void aMoverThatCannotWriteItsJournalDoesNotMove() throws IOException {
    Path file = live().write("/t/undo/file", 2, 3);
    JournalRun run = begin(null);
    run.close();

    assertThatThrownBy(() -> move(run, live().order(ALL_SSD, "/t/undo")))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("cannot be written");

    assertThat(live().typesOf(file)).containsOnly(DISKS);
  }

  @Test
  void aJournalThatFailsHalfWayEndsTheRun() throws IOException {
    int blocks = 6;
    Path file = live().write("/t/undo/file", blocks, 3);
    JournalRun run = begin(null);
    AtomicInteger made = new AtomicInteger();
    Listener.Step step =
        new Listener.Step() {
          @Override
          public void add(long amount) {
            if (made.incrementAndGet() == 2) {
              closeUnchecked(run);
            }
          }

          @Override
          public void finish(String remark) {}
        };
    // So slow that most moves begin later, however late the first ones are noticed.
    MoverSettings slow = LiveCluster.quick().atRates(1 << 16, 1L << 40);
    try (Mover mover = Mover.open(live().cluster(), slow).writingTo(run)) {
      assertThatThrownBy(() -> mover.run(live().order(ALL_SSD, "/t/undo"), step))
          .isInstanceOf(OperatorException.class)
          .hasMessageContaining("nothing is moved that it does not have");
    }

    long moved =
        live().typesOf(file).stream()
            .flatMap(types -> Arrays.stream(types.split(" ")))
            .filter("SSD"::equals)
            .count();
    assertThat(moved).isBetween(2L, 3L * blocks - 1);
    assertThat(Steps.of(PastRun.read(journal, run.id()))).hasSizeGreaterThanOrEqualTo((int) moved);
    live().assertWhole(file, blocks);
  }

  private static void closeUnchecked(JournalRun run) {
    try {
      run.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void policiesAndNumbersOfReplicasAreTakenBack() throws IOException {
    Path file = live().write("/t/undo/file", 1, 3);
    Path other = live().write("/t/undo/other", 1, 3);
    MoverCluster cluster = live().cluster();
    FileTiers tiers = new FileTiers(cluster);
    JournalRun run = begin(null);
    try (run) {
      tiers.apply(tiers.setRepPolicy("/t/undo", "2 x disk"), run);
    }
    assertThat(live().fs().getFileStatus(file).getReplication()).isEqualTo((short) 2);
    live().fs().setReplication(other, (short) 4);

    Undo undo = new Undo(cluster, PastRun.read(journal, run.id()));
    try (JournalRun second = begin(run.id())) {
      undo.apply(second);
    }

    assertThat(undo.report(null, null).policies()).isOne();
    assertThat(undo.report(null, null).files()).isOne();
    assertThat(undo.changesLeft())
        .extracting(MoverReport.Left::example)
        .containsExactly("/t/undo/other");
    assertThat(live().fs().getFileStatus(file).getReplication()).isEqualTo((short) 3);
    assertThat(live().fs().getXAttrs(new Path("/t/undo"))).isEmpty();
  }
}
