/**
 * The demo: stock HDFS and every placement and strategy, side by side, on an embedded cluster.
 *
 * <p>Not here: how a run is measured ({@link io.tierwise.cli.bench}) and what is emulated ({@link
 * io.tierwise.hadoop.embedded}). Start reading at {@link io.tierwise.cli.demo.DemoCommand}.
 */
package io.tierwise.cli.demo;
