/**
 * Runs an application in each of DUX's configurations and measures what it took: DerbyhatS, 6.1.5
 * and Table 6.3; and runs one with its intermediate data where its profile asks for ({@link
 * io.tierwise.hadoop.autotier.profiling.LocalRun}). Not here: what engines write down of their jobs
 * ({@link io.tierwise.history}), the catalog ({@link io.tierwise.profiles}), moves ({@link
 * io.tierwise.hadoop.mover}). Start reading at {@link
 * io.tierwise.hadoop.autotier.profiling.ProfilingRun}.
 */
package io.tierwise.hadoop.autotier.profiling;
