/**
 * A paper's printed numbers beside ours.
 *
 * <p>A reproduction is a folder: {@code expected.csv} (printed numbers, never edited to match
 * ours), {@code runs.yaml} (which runs, and how each number comes out of them), {@code
 * tolerance.yaml} (how near is near enough, and why), {@code ours.csv} (written here). Not here:
 * the simulator, and anything that knows one paper. Start reading at {@link
 * io.tierwise.experiments.reproduce.Runner}.
 */
package io.tierwise.experiments.reproduce;
