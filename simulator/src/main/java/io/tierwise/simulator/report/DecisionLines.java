package io.tierwise.simulator.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.tierwise.core.action.Action;
import io.tierwise.core.action.Cost;
import io.tierwise.core.view.ClusterView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;

/**
 * Decisions as lines of JSON, all in one form: when, which action, by which policy and rule, what
 * in words, with its score and cost where there are such.
 */
public final class DecisionLines {
  private static final JsonFactory JSON = new JsonFactory();

  private final Writer out;

  public DecisionLines(Writer out) {
    this.out = out;
  }

  /**
   * Writes a line.
   *
   * @throws UncheckedIOException when it cannot be written
   */
  public void decided(double seconds, Action action, ClusterView view) {
    try {
      JsonGenerator line = JSON.createGenerator(out);
      line.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      line.disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);
      line.writeStartObject();
      line.writeNumberField("seconds", seconds);
      line.writeStringField("action", action.kind());
      line.writeStringField("policy", action.policy());
      line.writeStringField("rule", action.rule());
      line.writeStringField("what", action.what(view));
      if (Double.isFinite(action.score())) {
        line.writeNumberField("score", action.score());
      }
      if (!action.cost().equals(Cost.NONE)) {
        write(action.cost(), line);
      }
      line.writeEndObject();
      line.close();
      out.write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Cost cost, JsonGenerator line) throws IOException {
    line.writeObjectFieldStart("cost");
    line.writeNumberField("written_bytes", cost.writtenBytes());
    line.writeNumberField("network_bytes", cost.networkBytes());
    line.writeNumberField("stored_bytes", cost.storedBytes());
    if (!Double.isNaN(cost.seconds())) {
      line.writeNumberField("seconds", cost.seconds());
    }
    if (!Double.isNaN(cost.joules())) {
      line.writeNumberField("joules", cost.joules());
    }
    line.writeEndObject();
  }
}
