/**
 * The demo: stock HDFS and every placement and strategy, side by side, on an embedded cluster, and
 * what the simulator predicts of it.
 *
 * <p>Not here: how a run is measured ({@link io.tierwise.lab.dfsio}) and what is emulated ({@link
 * io.tierwise.lab.embedded}). Start reading at {@link io.tierwise.lab.demo.DemoRun}.
 */
package io.tierwise.lab.demo;
