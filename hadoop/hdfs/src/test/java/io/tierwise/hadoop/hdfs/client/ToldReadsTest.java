package io.tierwise.hadoop.hdfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.policies.access.ReadReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.ipc.CallerContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ToldReadsTest {
  private static final List<ReadReport> READS = List.of(new ReadReport(15, true, 1, 400, 7));
  private static final String FIELD = "twr:000000000000000f.r.1.400.7";

  @AfterEach
  void clear() {
    CallerContext.setCurrent(null);
  }

  private static String asked(List<ReadReport> reads) throws IOException {
    return ToldReads.ask(reads, ",", () -> contextNow());
  }

  private static String contextNow() {
    CallerContext now = CallerContext.getCurrent();
    return now == null ? null : now.getContext();
  }

  @Test
  void readsAreToldWithTheQuestionAndWithNoOther() throws IOException {
    assertThat(asked(READS)).isEqualTo(FIELD);
    assertThat(CallerContext.getCurrent()).isNull();
    assertThat(asked(List.of())).isNull();
  }

  @Test
  void whatTheApplicationHasSetStandsBeforeAndStays() throws IOException {
    CallerContext own = new CallerContext.Builder("job_1").build();
    CallerContext.setCurrent(own);
    assertThat(asked(READS)).isEqualTo("job_1," + FIELD);
    assertThat(CallerContext.getCurrent()).isSameAs(own);
  }

  @Test
  void aSignedContextIsLeftAlone() throws IOException {
    byte[] signature = "signed".getBytes(StandardCharsets.UTF_8);
    CallerContext.setCurrent(new CallerContext.Builder("job_1").setSignature(signature).build());
    assertThat(asked(READS)).isEqualTo("job_1");
  }

  @Test
  void aQuestionThatFailsLeavesNothingBehind() {
    CallerContext own = new CallerContext.Builder("job_1").build();
    CallerContext.setCurrent(own);
    assertThatThrownBy(
            () ->
                ToldReads.ask(
                    READS,
                    ",",
                    () -> {
                      throw new IOException("no NameNode");
                    }))
        .hasMessage("no NameNode");
    assertThat(CallerContext.getCurrent()).isSameAs(own);
  }
}
