package io.tierwise.profiles;

/**
 * An application as a catalog knows it.
 *
 * @param engine who ran it: {@code mapreduce} or {@code spark}
 * @param application the name that its runs share
 */
record ApplicationKey(String engine, String application) {}
