package io.tierwise.core.data;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class LayoutTest {
  @Test
  void aLayoutOfNothingIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Layout(List.of()))
        .withMessage("a layout needs at least one replica");
  }
}
