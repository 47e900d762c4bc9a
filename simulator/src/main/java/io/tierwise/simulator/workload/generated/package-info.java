/**
 * Workloads made up from what is known of applications: the table of applications that papers print
 * figures of, and sources that let their jobs arrive.
 *
 * <p>Not here: traces. Start reading at {@link
 * io.tierwise.simulator.workload.generated.ApplicationTable}.
 */
package io.tierwise.simulator.workload.generated;
