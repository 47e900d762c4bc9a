package io.tierwise.policies.movement;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.policies.movement.TierPromotions.Choice;
import io.tierwise.policies.movement.TierPromotions.Claim;
import io.tierwise.policies.movement.TierPromotions.File;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The choice of files for a fast tier, against the same rules by lists that are gone through. */
class TierPromotionsPlainTest {
  private final TierPromotions promotions =
      new TierPromotions(
          new DeviceClass("ssd", 1e9, 500e6, Double.NaN, 0, Double.NaN),
          new DeviceClass("disk", 100e6, 100e6, Double.NaN, 0, Double.NaN));

  private static List<File> files(RandomGenerator random) {
    List<File> files = new ArrayList<>();
    for (long number = 0; number < 40; number++) {
      long bytes = 1L + random.nextInt(4);
      long there =
          random.nextInt(3) == 0 ? random.nextLong(bytes + 1) : random.nextBoolean() ? bytes : 0;
      Claim claim =
          switch (random.nextInt(40)) {
            case 0, 1 -> Claim.HELD;
            case 2 -> Claim.IN_USE;
            case 3 -> Claim.FIRST;
            default -> Claim.USUAL;
          };
      files.add(new File(number, bytes, random.nextInt(9), there, claim));
    }
    return files;
  }

  private Choice plainly(List<File> files, long roomBytes) {
    Comparator<File> byWorth =
        Comparator.comparingDouble(
                (File file) ->
                    promotions.savedSeconds(file.reads(), file.bytes()) / (double) file.bytes())
            .thenComparingLong(File::number);
    List<File> there =
        new ArrayList<>(
            files.stream()
                .filter(file -> file.thereBytes() > 0)
                .filter(file -> file.claim().compareTo(Claim.HELD) <= 0)
                .sorted(Comparator.comparing(File::claim).thenComparing(byWorth))
                .toList());
    Comparator<File> firstAtTheEnd = Comparator.comparing(file -> file.claim() == Claim.FIRST);
    List<File> asking =
        files.stream()
            .filter(file -> file.bytes() > file.thereBytes())
            .sorted(firstAtTheEnd.thenComparing(byWorth).reversed())
            .toList();
    Choice choice =
        new Choice(new LinkedHashMap<>(), new ArrayList<>(), new TreeSet<>(), new TreeMap<>());
    long room = roomBytes;
    for (File file : asking) {
      room = ask(file, there, choice, room);
    }
    return choice;
  }

  private long ask(File file, List<File> there, Choice choice, long room) {
    long missing = file.bytes() - file.thereBytes();
    double gain = promotions.savedSeconds(file.reads(), missing) - promotions.costSeconds(missing);
    boolean isFirst = file.claim() == Claim.FIRST;
    if (choice.out().contains(file.number()) || (!isFirst && !(gain > 0))) {
      choice.why().put(file.number(), "");
      return room;
    }
    List<File> leave = new ArrayList<>();
    long freed = 0;
    double lost = 0;
    for (File other : there) {
      boolean mayTake = isFirst || other.claim() == Claim.USUAL;
      if (other.number() != file.number() && mayTake && room + freed < missing) {
        leave.add(other);
        freed += other.thereBytes();
        lost +=
            promotions.savedSeconds(other.reads(), other.thereBytes())
                + (double) other.thereBytes() * (1 / 1e9 + 1 / 100e6);
      }
    }
    if (room + freed < missing || (!isFirst && gain <= lost)) {
      choice.why().put(file.number(), "");
      return room;
    }
    there.removeAll(leave);
    there.remove(file);
    leave.forEach(gone -> choice.out().add(gone.number()));
    if (isFirst) {
      leave.forEach(gone -> choice.outForFirst().add(gone.number()));
    }
    choice.in().put(file.number(), promotions.savedSeconds(file.reads(), missing));
    return room + freed - missing;
  }

  @Test
  void theSameFilesComeAndLeave() {
    RandomGenerator random = new SplittableRandom(11);
    int left = 0;
    for (int round = 0; round < 2_000; round++) {
      List<File> files = files(random);
      long roomBytes = random.nextInt(20);
      Choice expected = plainly(files, roomBytes);
      Choice choice = promotions.choose(files, roomBytes);

      assertThat(choice.in()).as("round %s", round).isEqualTo(expected.in());
      assertThat(choice.in().keySet()).containsExactlyElementsOf(expected.in().keySet());
      assertThat(choice.out()).isEqualTo(expected.out());
      assertThat(choice.outForFirst()).isEqualTo(expected.outForFirst());
      assertThat(choice.why().keySet()).isEqualTo(expected.why().keySet());
      left += choice.out().size();
    }
    assertThat(left).isGreaterThan(2_000);
  }
}
