/**
 * {@code tierwise bench} and {@code tierwise demo}: benchmarks of an HDFS, and the tables of their
 * figures.
 *
 * <p>Not here: what is measured and how, which is {@code lab}'s. Start reading at {@link
 * io.tierwise.cli.bench.DfsioCommand}.
 */
package io.tierwise.cli.bench;
