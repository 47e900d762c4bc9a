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
  void thereIsABoundAndWhatStandsForFewFilesGoes() {
    for (int i = 0; i < ReasonGroups.REASONS_MAX; i++) {
      groups.of("in /once" + i, "/other/file");
    }
    for (int i = 0; i < 2; i++) {
      assertThat(groups.of("in /twice", "/other/file")).isEqualTo("in /twice");
    }

    assertThat(groups.isFull()).isFalse();
    assertThat(groups.forgetRare()).containsExactly("in /once" + (ReasonGroups.REASONS_MAX - 1));
    assertThat(groups.forgetRare()).as("two hundred are left").isEmpty();
    for (int i = 0; !groups.isFull(); i++) {
      assertThat(i).isLessThanOrEqualTo(ReasonGroups.REASONS_MAX);
      groups.of("in /more" + i, "/other/file");
    }
    assertThat(groups.forgetRare()).hasSizeGreaterThan(ReasonGroups.REASONS_MAX);
  }
}
