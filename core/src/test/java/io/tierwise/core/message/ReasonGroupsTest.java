package io.tierwise.core.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReasonGroupsTest {
  private final ReasonGroups groups = new ReasonGroups();

  @Test
  void whatNamesTheFileOrItsNumberIsOneReason() {
    String first = "denied: user=ann, inode=\"/data/part-0\":bob, number 16400";

    assertThat(groups.of(first, "/data/part-0")).isEqualTo(first);
    assertThat(
            groups.of("denied: user=ann, inode=\"/data/part-1\":bob, number 16401", "/data/part-1"))
        .isEqualTo(first);
    assertThat(
            groups.of("denied: user=eve, inode=\"/data/part-1\":bob, number 16401", "/data/part-1"))
        .contains("eve");
  }

  @Test
  void anotherDirectoryIsAnotherReason() {
    assertThat(groups.of("held below /logs/2024", "/logs/2024/a")).endsWith("2024");
    assertThat(groups.of("held below /logs/2025", "/logs/2025/a")).endsWith("2025");
  }

  @Test
  void thereIsABound() {
    for (int i = 0; i < ReasonGroups.REASONS_MAX; i++) {
      assertThat(groups.of("in /d" + i, "/other/file")).isEqualTo("in /d" + i);
    }

    assertThat(groups.of("in /more", "/other/file")).isEqualTo(ReasonGroups.OTHERS);
    assertThat(groups.of("in /d7", "/other/file")).isEqualTo("in /d7");
  }
}
