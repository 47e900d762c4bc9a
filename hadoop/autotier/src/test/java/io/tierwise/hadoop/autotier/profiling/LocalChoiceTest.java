package io.tierwise.hadoop.autotier.profiling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.message.OperatorException;
import io.tierwise.profiles.Estimate;
import io.tierwise.profiles.Prediction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalChoiceTest {
  private static final double SLOW = 100e6;
  private static final TierTable TIERS =
      TierTable.of(
          List.of(device("nvme", 20 * SLOW), device("ssd", 5 * SLOW), device("disk", SLOW)));

  @TempDir private Path folder;
  private Path ssd;
  private Path disk;

  private static DeviceClass device(String name, double rate) {
    return new DeviceClass(name, rate, rate, Double.NaN, 0, Double.NaN);
  }

  @BeforeEach
  void make() throws IOException {
    ssd = Files.createDirectory(folder.resolve("ssd"));
    disk = Files.createDirectory(folder.resolve("disk"));
  }

  /** The slow tier is told first: the table says which one is fast. */
  private LocalTiers both() {
    return LocalTiers.parse(List.of("disk=" + disk, "ssd=" + ssd));
  }

  private static Estimate estimate(double expected) {
    return new Estimate(expected, null, null);
  }

  /** An application of 80 s, some of which it spills. */
  private static Prediction spilling(double bytes) {
    Prediction.PhasePrediction map =
        new Prediction.PhasePrediction(
            "map",
            estimate(1),
            estimate(80),
            estimate(80),
            estimate(0),
            estimate(0),
            estimate(bytes),
            estimate(0));
    return new Prediction(
        "words", "spark", 3, 1, estimate(80), List.of(map), List.of(), null, List.of());
  }

  @Test
  void whatPaysGoesToTheFastTier() {
    LocalChoice choice = LocalChoice.of(both(), spilling(50 * SLOW), TIERS);

    assertThat(choice.tier()).isEqualTo("ssd");
    assertThat(choice.directories()).containsExactly(ssd);
    // 5 GB at 100 MB/s take 50 s, of which a device of five times the rate saves four fifths.
    assertThat(choice.text())
        .isEqualTo(
            "intermediate data goes to ssd ("
                + ssd
                + "): 40 s less than on disk are expected, of 80 s");
  }

  @Test
  void whatDoesNotPayStaysOnTheSlowOne() {
    LocalChoice little = LocalChoice.of(both(), spilling(4 * SLOW), TIERS);
    assertThat(little.tier()).isEqualTo("disk");
    assertThat(little.directories()).containsExactly(disk);
    assertThat(little.text()).endsWith("ssd would bring 3.2 s of 80 s, less than 5.0%");

    LocalChoice nothing = LocalChoice.of(both(), spilling(0), TIERS);
    assertThat(nothing.tier()).isEqualTo("disk");
    assertThat(nothing.text()).endsWith("its profile has none");
  }

  @Test
  void whatDoesNotFitStaysOnTheSlowOne() {
    LocalChoice choice = LocalChoice.of(both(), spilling(1e18), TIERS);

    assertThat(choice.tier()).isEqualTo("disk");
    assertThat(choice.text()).contains("of it are expected, and ssd has room for");
  }

  /** As a device that is not mounted. */
  @Test
  void aTierThatIsNotThereFallsBack() throws IOException {
    Files.delete(ssd);
    for (LocalChoice choice :
        List.of(
            LocalChoice.of(both(), "ssd"), LocalChoice.of(both(), spilling(50 * SLOW), TIERS))) {
      assertThat(choice.tier()).isEqualTo("disk");
      assertThat(choice.directories()).containsExactly(disk);
      assertThat(choice.text())
          .isEqualTo(
              "ssd ("
                  + ssd
                  + ") has no room, or is not there: intermediate data goes to disk ("
                  + disk
                  + ")");
    }
    assertThat(ssd).doesNotExist();

    Files.delete(disk);
    LocalChoice none = LocalChoice.of(both(), "ssd");
    assertThat(none.tier()).isNull();
    assertThat(none.text()).endsWith("where Spark's own settings put it");
  }

  @Test
  void directoriesOfOneFileSystemShareItsRoom() throws IOException {
    Path second = Files.createDirectory(folder.resolve("second"));
    assertThat(LocalTiers.roomBytes(List.of(ssd))).isPositive();
    assertThat(LocalTiers.roomBytes(List.of(ssd, second)))
        .isLessThan(2 * LocalTiers.roomBytes(List.of(ssd)));
    assertThat(LocalTiers.roomBytes(List.of(folder.resolve("gone")))).isZero();
  }

  @Test
  void whatIsToldWronglyIsNamed() {
    for (String word : List.of("ssd", "=/a", "ssd=", "ssd=relative")) {
      assertThatThrownBy(() -> LocalTiers.parse(List.of(word)))
          .isInstanceOf(OperatorException.class)
          .hasMessageStartingWith("--local " + word);
    }
    assertThatThrownBy(() -> LocalChoice.of(both(), "tape"))
        .isInstanceOf(OperatorException.class)
        .hasMessage("--tier tape, but no --local tape=DIR tells its directories");
    LocalTiers one = LocalTiers.parse(List.of("ssd=" + ssd));
    assertThatThrownBy(() -> LocalChoice.of(one, spilling(1), TIERS))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("between two tiers, and --local tells 1 tier");
    LocalTiers unknown = LocalTiers.parse(List.of("ssd=" + ssd, "tape=" + disk));
    assertThatThrownBy(() -> LocalChoice.of(unknown, spilling(1), TIERS))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("tape");
    TierTable unmeasured =
        TierTable.of(List.of(DeviceClass.unmeasured("ssd"), DeviceClass.unmeasured("disk")));
    assertThatThrownBy(() -> LocalChoice.of(both(), spilling(1), unmeasured))
        .isInstanceOf(OperatorException.class)
        .hasMessageContainingAll("no speeds of ssd and disk", "tiers probe", "--tier");
  }
}
