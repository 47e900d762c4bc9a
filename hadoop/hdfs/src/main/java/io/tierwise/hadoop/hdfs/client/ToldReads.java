package io.tierwise.hadoop.hdfs.client;

import io.tierwise.hadoop.hdfs.topology.ReadReportText;
import io.tierwise.policies.access.ReadReport;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.ipc.CallerContext;

/**
 * Tells the NameNode what reads gave, with a question that is asked anyway: behind what the
 * application has set as the call's context, and for this call alone.
 */
final class ToldReads {
  private ToldReads() {}

  /** A call to the NameNode, by the calling thread. */
  @FunctionalInterface
  interface Question<T> {
    T ask() throws IOException;
  }

  /**
   * Asks with the reports in the context.
   *
   * @param separator of the fields of a context
   */
  static <T> T ask(List<ReadReport> reports, String separator, Question<T> question)
      throws IOException {
    CallerContext ofApplication = CallerContext.getCurrent();
    // A signature holds for the context as it is.
    if (reports.isEmpty() || (ofApplication != null && ofApplication.getSignature() != null)) {
      return question.ask();
    }
    String field = ReadReportText.KEY + ":" + ReadReportText.of(reports);
    boolean alone = ofApplication == null || !ofApplication.isContextValid();
    String context = alone ? field : ofApplication.getContext() + separator + field;
    CallerContext.setCurrent(new CallerContext.Builder(context).build());
    try {
      return question.ask();
    } finally {
      CallerContext.setCurrent(ofApplication);
    }
  }
}
