package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.policies.movement.MoveTurns;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadlineTest {
  private static final ZonedDateTime NOON = ZonedDateTime.parse("2026-01-31T12:00:00+01:00");

  private static MoverReport plan(double seconds, MoverReport.Left... left) {
    return new MoverReport(
        new MoverReport.Looked(1, 1, 0),
        new MoverReport.Amount(1, 1),
        0,
        List.of(left),
        List.of(),
        List.of(),
        seconds,
        null,
        new MoverReport.Heeded(MoveTurns.Yielded.NOTHING),
        false);
  }

  @Test
  void aTimeIsTheNextOneOfThatName() {
    assertThat(Deadline.parse("14:00", NOON)).isEqualTo(Instant.parse("2026-01-31T13:00:00Z"));
    assertThat(Deadline.parse("09:30", NOON)).isEqualTo(Instant.parse("2026-02-01T08:30:00Z"));
    assertThat(Deadline.parse("2026-01-31T14:00:00Z", NOON))
        .isEqualTo(Instant.parse("2026-01-31T14:00:00Z"));
  }

  @Test
  void whatIsNoTimeOrOverIsRefused() {
    for (String wrong : List.of("noon", "25:00", "2026-01-31T10:00:00Z", "2026-01-31T14:00")) {
      assertThatThrownBy(() -> Deadline.parse(wrong, NOON))
          .as(wrong)
          .isInstanceOf(OperatorException.class)
          .hasMessageContaining("--by " + wrong);
    }
  }

  @Test
  void itIsKeptWhenAllMovesInTheTimeThatIsLeft() {
    Instant now = NOON.toInstant();
    Instant by = now.plusSeconds(60);
    MoverReport.Left stays =
        new MoverReport.Left("no room", false, new MoverReport.Amount(1, 1), "/f");

    assertThat(Deadline.of(by, now, plan(60)).kept()).isTrue();
    assertThat(Deadline.of(by, now, plan(60.1)).kept()).isFalse();
    assertThat(Deadline.of(by, now, plan(60.1)).text()).contains("not all in place", "60 s left");
    assertThat(Deadline.of(by, now, plan(1, stays)).kept()).isFalse();
    assertThat(Deadline.of(by, now.plusSeconds(90), plan(1)).secondsLeft()).isZero();
  }

  @Test
  void aRunThatTookLongerThanItsPlanIsLate() {
    Instant now = NOON.toInstant();
    Instant by = now.plusSeconds(3600);
    Deadline planned = Deadline.of(by, now, plan(3000));
    assertThat(planned.secondsLate()).isNull();

    MoverReport run = plan(4860);
    Deadline late = planned.after(now.plusSeconds(4860), run);
    assertThat(late.kept()).isFalse();
    assertThat(late.secondsLate()).isEqualTo(1260);
    assertThat(late.text(run)).isEqualTo("in place at 2026-01-31T12:21:00Z, 21 min after --by");

    Deadline kept = planned.after(by, run);
    assertThat(kept.kept()).isTrue();
    assertThat(kept.secondsLate()).isZero();
    assertThat(kept.text(run)).isEqualTo("in place at 2026-01-31T12:00:00Z, 0.0 s before --by");

    MoverReport part =
        plan(9, new MoverReport.Left("no room", false, new MoverReport.Amount(1, 1), "/f"));
    Deadline missed = planned.after(now.plusSeconds(9), part);
    assertThat(missed.kept()).isFalse();
    assertThat(missed.secondsLate()).isZero();
    assertThat(missed.text(part)).startsWith("not all in place at").endsWith("60 min before --by");
  }
}
