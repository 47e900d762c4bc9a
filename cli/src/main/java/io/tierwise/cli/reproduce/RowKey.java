package io.tierwise.cli.reproduce;

/** What names a number in all files of a reproduction. */
record RowKey(String figure, String name, String metric) {
  @Override
  public String toString() {
    return figure + " | " + name + " | " + metric;
  }
}
