package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.ReasonGroups;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeftFilesTest {
  private final LeftFiles left = new LeftFiles();

  @Test
  void theReasonOfMostFilesIsFirstThoughManyRareOnesCameBeforeIt() {
    left.note("a rule is about no directory", "/gone");
    for (int i = 0; i < 3000; i++) {
      left.add("held below /rare" + Integer.toString(i, 26), "/file" + i);
    }
    for (int i = 0; i < 4000; i++) {
      left.add("this user has no permission to change it", "/data/part-" + i);
    }

    List<RoundPlan.Left> all = left.list();
    assertThat(all.get(0))
        .isEqualTo(
            new RoundPlan.Left("this user has no permission to change it", 4000, "/data/part-0"));
    assertThat(all).hasSizeLessThanOrEqualTo(ReasonGroups.REASONS_MAX + 2);
    assertThat(all).contains(new RoundPlan.Left("a rule is about no directory", 0, "/gone"));
    assertThat(all.stream().mapToLong(RoundPlan.Left::files).sum()).isEqualTo(7000);
  }
}
