/**
 * One file's blocks and replicas: what is wanted, what is, and what a client would read first.
 *
 * <p>Not here: how it is printed, and sums over many files. Start reading at {@link
 * io.tierwise.hadoop.inspect.explain.FileExplainer}.
 */
package io.tierwise.hadoop.inspect.explain;
