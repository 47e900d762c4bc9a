package io.tierwise.experiments.reproduce;

import java.util.function.UnaryOperator;

/** The name of a number in all files of a reproduction. */
public record RowKey(String figure, String name, String metric) {
  /** The key that a template of keys stands for. */
  RowKey filled(UnaryOperator<String> filled) {
    return new RowKey(filled.apply(figure), filled.apply(name), filled.apply(metric));
  }

  @Override
  public String toString() {
    return figure + " | " + name + " | " + metric;
  }
}
