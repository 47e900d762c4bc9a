package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.ReasonGroups;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeftFilesTest {
  private final LeftFiles left = new LeftFiles();

  /** Of the NameNode, as a user without rights hears it for each file. */
  private static String denied(String path) {
    return "no permission: Permission denied: user=ann, access=READ, inode=\""
        + path
        + "\":bob:crew:-rw-------";
  }

  @Test
  void whatDiffersByTheFileAloneIsOneReason() {
    for (int i = 0; i < 1000; i++) {
      left.add(denied("/data/part-" + i), true, 10, "/data/part-" + i);
      left.add("/data/part-" + i + " has no copy " + (16_400 + i), true, 10, "/data/part-" + i);
    }

    assertThat(left.list())
        .containsExactly(
            new SecondaryReport.Left(denied("/data/part-0"), true, 1000, 10_000, "/data/part-0"),
            new SecondaryReport.Left(
                "/data/part-0 has no copy 16400", true, 1000, 10_000, "/data/part-0"));
  }

  @Test
  void whatDiffersByMoreIsNot() {
    left.add("held below /snapped", false, 1, "/snapped/a");
    left.add("held below /other", false, 1, "/other/a");
    left.add("held below /other", true, 1, "/other/b");

    assertThat(left.list()).hasSize(3);
  }

  @Test
  void reasonsOfWhichThereAreTooManyAreCountedTogether() {
    for (int i = 0; i < 5000; i++) {
      String name = Integer.toString(i, 36).replaceAll("\\d", "x") + (i % 7);
      left.add("held below /" + "y".repeat(i % 2500) + name, i % 2 == 0, 10, "/file" + i);
    }

    List<SecondaryReport.Left> all = left.list();
    assertThat(all).hasSizeLessThanOrEqualTo(ReasonGroups.REASONS_MAX + 2);
    assertThat(all.stream().mapToLong(SecondaryReport.Left::files).sum()).isEqualTo(5000);
    assertThat(all.stream().mapToLong(SecondaryReport.Left::bytes).sum()).isEqualTo(50_000);
    assertThat(
            all.stream()
                .filter(SecondaryReport.Left::fault)
                .mapToLong(SecondaryReport.Left::files)
                .sum())
        .isEqualTo(2500);
    assertThat(all.get(all.size() - 1).reason()).isEqualTo(ReasonGroups.OTHERS);
  }

  /** A fault of thousands of files is told by its own words, however late it comes up. */
  @Test
  void aReasonOfManyFilesIsToldThoughManyRareOnesCameFirst() {
    for (int i = 0; i < 3000; i++) {
      left.add("held below /rare" + Integer.toString(i, 26), false, 10, "/file" + i);
    }
    for (int i = 0; i < 1000; i++) {
      left.add("the store is away", true, 10, "/data/part-" + i);
      left.add("held below /late" + Integer.toString(i, 26), false, 10, "/file" + i);
    }

    List<SecondaryReport.Left> all = left.list();
    assertThat(all)
        .contains(
            new SecondaryReport.Left("the store is away", true, 1000, 10_000, "/data/part-0"));
    assertThat(all).hasSizeLessThanOrEqualTo(ReasonGroups.REASONS_MAX + 1);
    assertThat(all.stream().mapToLong(SecondaryReport.Left::files).sum()).isEqualTo(5000);
    assertThat(all.get(all.size() - 1).reason()).isEqualTo(ReasonGroups.OTHERS);
  }
}
