package io.tierwise.hadoop.mover;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.inspect.cluster.StoredFiles;
import io.tierwise.hadoop.mover.FileTiers.Deletion;
import io.tierwise.hadoop.mover.MoverReport.Amount;
import io.tierwise.hadoop.mover.MoverReport.TierChange;
import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a change of layouts is said to bring, and what a real HDFS makes of it then. */
class ChangeForecastIT {
  private static final long MB = 1 << 20;
  private static final int NODES = 4;

  /** Four blocks with their checksums, and no fifth. */
  private static final long SSD_BYTES = 9 * MB / 2;

  private static final int FILES = 24;
  private static final int SECONDS = 120;

  @TempDir private java.nio.file.Path folder;
  private LiveCluster cluster;
  private final List<String> said = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    Configuration conf = LiveCluster.withPlugin();
    LiveCluster.haveHdfsHurry(conf);
    // A copy that a nearly full volume refused is tried again after five seconds, not minutes.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY, 5);
    StorageType[][] types = new StorageType[NODES][];
    long[][] capacities = new long[NODES][];
    Arrays.fill(types, LiveCluster.BOTH);
    Arrays.fill(capacities, new long[] {SSD_BYTES, 1 << 30});
    cluster = LiveCluster.start(conf, new String[] {"/a", "/a", "/b", "/b"}, types, capacities);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void write(String directory, int files, int replicas) throws IOException {
    for (int i = 0; i < files; i++) {
      cluster.write(String.format("%s/f%02d", directory, i), 1, replicas);
    }
    cluster.tellOfVolumes();
  }

  private Map<String, Integer> byTypes(String directory, int files) throws IOException {
    Map<String, Integer> counts = new TreeMap<>();
    for (int i = 0; i < files; i++) {
      Path file = new Path(String.format("%s/f%02d", directory, i));
      counts.merge(cluster.typesOf(file).get(0), 1, Integer::sum);
      cluster.assertWhole(file, 1);
    }
    return counts;
  }

  private LayoutAnswer run(LayoutChanges.Verb verb, LayoutRun.Asked asked) throws IOException {
    Listener listener =
        new Listener() {
          @Override
          public Step begin(String label, long total) {
            said.add(label + ": " + total);
            return Step.SILENT;
          }

          @Override
          public void say(String line) {
            said.add(line);
          }
        };
    try (StoredFiles files = StoredFiles.find(cluster.clientConf(), List.of("/t"))) {
      return new LayoutRun(verb, asked, listener)
          .run(
              cluster.cluster(),
              files,
              to -> () -> new Journal(folder).begin("test", "me", "here", List.of("/t"), to, null));
    }
  }

  private static LayoutChanges.Verb copyTo(String tier) {
    return (known, path) -> new FileTiers(known).createFileTier(path, tier, 1);
  }

  private static LayoutChanges.Verb dropFrom(String tier, Deletion when) {
    return (known, path) -> new FileTiers(known).deleteFileTier(path, tier, when);
  }

  private static LayoutRun.Asked dry() {
    return new LayoutRun.Asked(true, false, null);
  }

  private static LayoutRun.Asked waiting(boolean anyway) {
    return new LayoutRun.Asked(false, anyway, SECONDS);
  }

  @Test
  void whatIsForetoldOfCopiesAndDropsIsWhatHdfsMakes() throws IOException {
    cluster.setPolicy("/t", "layout:3 x disk");
    write("/t", 3, 3);

    LayoutAnswer plan = run(copyTo("ssd"), dry());

    ChangeForecast forecast = plan.forecast();
    assertThat(plan.changed()).isFalse();
    assertThat(plan.complete()).isTrue();
    assertThat(forecast.coming()).isEqualTo(new Amount(3, 3 * MB));
    assertThat(forecast.going()).isEqualTo(Amount.NONE);
    assertThat(forecast.blocks()).isEqualTo(3);
    assertThat(forecast.blocksToChange()).isEqualTo(3);
    assertThat(forecast.tiers())
        .containsExactly(new TierChange("ssd", 3 * MB, 0), new TierChange("disk", 0, 0));
    assertThat(forecast.fills().get(0).capacityBytes()).isEqualTo(NODES * SSD_BYTES);
    assertThat(forecast.fills().get(0).usedBytesThen())
        .isEqualTo(forecast.fills().get(0).usedBytes() + 3 * MB);
    assertThat(forecast.seconds()).isEqualTo(1);
    assertThat(forecast.energy().unknownTiers()).containsExactly("ssd", "disk");
    assertThat(forecast.left()).isEmpty();
    assertThat(String.join("\n", plan.lines(null)))
        .contains("3 replicas (3.0 MiB) would come and 0 replicas (0 B) would go")
        .contains("used then", "in 1.0 s or more", "joules unknown");
    assertThat(byTypes("/t", 3)).isEqualTo(Map.of("DISK DISK DISK", 3));

    assertThat(run(copyTo("ssd"), waiting(false)).blocksPending()).isZero();
    assertThat(said).containsExactly("HDFS copies and drops: 3");
    assertThat(byTypes("/t", 3)).isEqualTo(Map.of("DISK DISK DISK SSD", 3));

    forecast = run(dropFrom("ssd", Deletion.AT_ONCE), dry()).forecast();
    assertThat(forecast.going()).isEqualTo(new Amount(3, 3 * MB));
    assertThat(forecast.tiers())
        .containsExactly(new TierChange("ssd", 0, 3 * MB), new TierChange("disk", 0, 0));
    assertThat(forecast.seconds()).isZero();
    run(dropFrom("ssd", Deletion.AT_ONCE), waiting(false));
    assertThat(byTypes("/t", 3)).isEqualTo(Map.of("DISK DISK DISK", 3));
  }

  /** 24 blocks, and four volumes with room for four each. */
  @Test
  void aTierWithoutRoomIsToldBeforeAnythingIsChanged() throws IOException {
    cluster.setPolicy("/t", "layout:3 x disk");
    write("/t", FILES, 3);

    LayoutAnswer refused = run(copyTo("ssd"), waiting(false));

    assertThat(refused.changed()).isFalse();
    assertThat(refused.complete()).isFalse();
    assertThat(refused.id()).isNull();
    assertThat(new Journal(folder).runs()).isEmpty();
    assertThat(cluster.fs().getXAttrs(new Path("/t")).values())
        .containsExactly("layout:3 x disk".getBytes(UTF_8));
    ChangeForecast forecast = refused.forecast();
    assertThat(forecast.coming()).as("all come somewhere").isEqualTo(new Amount(FILES, FILES * MB));
    assertThat(forecast.left())
        .singleElement()
        .matches(left -> left.reason().equals("tier ssd is full: HDFS copies it to disk"))
        .matches(MoverReport.Left::fault);
    Amount homeless = forecast.homeless();
    assertThat(homeless.replicas())
        .isBetween((long) FILES - 4 * NODES, (long) FILES - 3 * NODES + 6);
    assertThat(forecast.tiers().get(1).comeBytes()).isEqualTo(homeless.bytes());
    assertThat(said)
        .singleElement()
        .asString()
        .startsWith("nothing was changed: " + homeless.replicas() + " copies")
        .contains("--anyway");
    assertThat(run(copyTo("ssd"), dry()).complete()).as("of a dry run").isFalse();
  }

  /** Long: make test has what is foretold of copies that have room. */
  @Tag("long")
  @Test
  void ofATierWithoutRoomHdfsMakesWhatIsForetoldToo() throws IOException {
    cluster.setPolicy("/t", "layout:3 x disk");
    write("/t", FILES, 3);
    Amount homeless = run(copyTo("ssd"), dry()).forecast().homeless();

    LayoutAnswer anyway = run(copyTo("ssd"), waiting(true));

    assertThat(anyway.changed()).isTrue();
    assertThat(anyway.blocksPending()).isZero();
    Map<String, Integer> made = byTypes("/t", FILES);
    int foretold = FILES - (int) homeless.replicas();
    assertThat(made.values().stream().mapToInt(count -> count).sum()).isEqualTo(FILES);
    assertThat(made.keySet())
        .containsExactlyInAnyOrder("DISK DISK DISK DISK", "DISK DISK DISK SSD");
    // One that a volume refused as it filled may go to the disk beside it.
    assertThat(made.get("DISK DISK DISK SSD")).isBetween(foretold - 3, foretold);
  }

  @Test
  void replicasThatHaveToMoveAndCopiesWithoutANodeAreTold() throws IOException {
    write("/t", 2, 3);

    ChangeForecast forecast =
        run((known, path) -> new FileTiers(known).setRepPolicy(path, "2 x ssd + 1 x disk"), dry())
            .forecast();

    assertThat(forecast.coming().replicas() + forecast.going().replicas()).isZero();
    assertThat(forecast.left())
        .singleElement()
        .matches(left -> left.amount().equals(new Amount(4, 4 * MB)))
        .matches(left -> !left.fault() && left.reason().contains("file move --to policy"));

    LayoutAnswer many =
        run((known, path) -> new FileTiers(known).setRepPolicy(path, "6 x disk"), dry());
    assertThat(many.complete()).isFalse();
    assertThat(many.forecast().coming()).isEqualTo(new Amount(2, 2 * MB));
    assertThat(many.forecast().homeless()).isEqualTo(new Amount(4, 4 * MB));
  }

  /**
   * HDFS drops no replica that a snapshot has, and none that is only marked. Long: SnapshotsIT has
   * replicas that a snapshot keeps.
   */
  @Tag("long")
  @Test
  void replicasThatStayAreNotSaidToGo() throws IOException {
    cluster.setPolicy("/t", "layout:1 x ssd + 2 x disk");
    write("/t", 2, 3);

    assertThat(run(dropFrom("ssd", Deletion.LAZY), dry()).forecast().going())
        .isEqualTo(Amount.NONE);

    cluster.fs().allowSnapshot(new Path("/t"));
    cluster.fs().createSnapshot(new Path("/t"), "nightly");
    ChangeForecast forecast = run(dropFrom("ssd", Deletion.AT_ONCE), dry()).forecast();

    assertThat(forecast.going()).isEqualTo(Amount.NONE);
    assertThat(forecast.left())
        .singleElement()
        .matches(left -> left.reason().startsWith("a snapshot keeps it"))
        .matches(left -> left.amount().replicas() == 2 && !left.fault());
  }
}
