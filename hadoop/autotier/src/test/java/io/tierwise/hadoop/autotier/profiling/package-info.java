/** Tests of {@link io.tierwise.hadoop.autotier.profiling}; runs on a cluster are in {@code cli}. */
package io.tierwise.hadoop.autotier.profiling;
