package io.tierwise.hadoop.hdfs.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.use.AccessKind;
import io.tierwise.core.use.PathBytes;
import io.tierwise.policies.heat.HeatMap;
import io.tierwise.policies.heat.HeatSettings;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeatCallsTest {
  private static final HeatCalls.Feed FEED = new HeatCalls.Feed(5, 2, 1, 99_000);

  private final HeatMap heat = new HeatMap(HeatSettings.of(1_000, 100));

  private void read(String path, long atMillis, long reader) {
    heat.accessed(atMillis, AccessKind.OPEN, PathBytes.of(path), PathBytes.of(""), reader);
  }

  private HeatCalls.Answer answer(HeatCalls.Kind kind, int count, String path, int depth) {
    HeatCalls.Question question =
        new HeatCalls.Question(kind, count, path, depth, List.of("/*.db/*"));
    HeatCalls.Question asked = HeatCalls.Question.parse(question.format());
    assertThat(asked).isEqualTo(question);
    HeatCalls.Answer answer = HeatCalls.Answer.of(asked, heat.report(4), heat.totals(), FEED);
    HeatCalls.Answer heard = HeatCalls.Answer.parse(answer.format());
    assertThat(heard.totals()).isEqualTo(heat.totals());
    assertThat(heard.feed()).isEqualTo(FEED);
    assertThat(heard.windowMillis()).isEqualTo(16_000);
    return heard;
  }

  @Test
  void anAnswerIsReadAsItWasWritten() {
    read("/s.db/t/a b\nfile x 9", 100_000, 1);
    read("/s.db/t/a b\nfile x 9", 101_000, 2);
    read("/logs/%2F", 116_000, 3);

    HeatCalls.Answer top = answer(HeatCalls.Kind.TOP, 10, "/", 0);
    assertThat(top.files())
        .extracting("path")
        .containsExactly("/s.db/t/a b\nfile x 9", "/logs/%2F");
    assertThat(top.files().get(0).reads()).isEqualTo(2);
    assertThat(top.files().get(0).counts().counts()).containsExactly(0, 2, 0);
    assertThat(top.files().get(1).counts().counts()).containsExactly(0, 0, 1);
    assertThat(top.files().get(1).counts().use().usedMillis()).isEqualTo(116_000);
    assertThat(top.groups()).isEmpty();

    assertThat(answer(HeatCalls.Kind.FILE, 1, "/logs/%2F", 0).files().get(0).reads()).isEqualTo(1);
    assertThat(answer(HeatCalls.Kind.FILE, 1, "/none", 0).files().get(0).reads()).isZero();
    assertThat(answer(HeatCalls.Kind.DIRECTORIES, 1, "/", 1).groups())
        .extracting("path")
        .containsExactly("/s.db");
    assertThat(answer(HeatCalls.Kind.TABLES, 9, "/", 0).groups())
        .extracting("path")
        .containsExactly("/s.db/t");
  }

  @Test
  void aPlugInOfAnEarlierReleaseCountsNoNumbers() {
    read("/a", 100_000, 1);
    read("/.reserved/.inodes/16390", 100_000, 1);
    HeatCalls.Question question = new HeatCalls.Question(HeatCalls.Kind.TOP, 9, "/", 0, List.of());
    String answer = HeatCalls.Answer.of(question, heat.report(4), heat.totals(), FEED).format();
    String first = answer.lines().findFirst().orElseThrow();
    String withoutTime = first.substring(0, first.lastIndexOf(" "));
    String before = withoutTime.substring(0, withoutTime.lastIndexOf(" "));

    assertThat(HeatCalls.Answer.parse(answer).totals().nameless()).isEqualTo(1);
    HeatCalls.Answer untimed = HeatCalls.Answer.parse(answer.replace(first, withoutTime));
    assertThat(untimed.totals().nameless()).isEqualTo(1);
    assertThat(untimed.feed().sinceMillis()).isZero();
    HeatCalls.Answer earlier = HeatCalls.Answer.parse(answer.replace(first, before));
    assertThat(earlier.feed().sinceMillis()).isZero();
    assertThat(earlier.totals().nameless()).isZero();
    assertThat(earlier.totals().nowMillis()).isEqualTo(heat.totals().nowMillis());
  }

  @Test
  void anAnswerHasNoMoreRowsThanFitOneMessage() {
    assertThatThrownBy(() -> answer(HeatCalls.Kind.TOP, 1_001, "/", 0))
        .hasMessageContaining("1001 rows");
  }
}
