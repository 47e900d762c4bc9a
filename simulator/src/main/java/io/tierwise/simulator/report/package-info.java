/**
 * Shows the result of a run as a table, JSON, CSV and charts.
 *
 * <p>Not here: what happens in a run. Start reading at {@link io.tierwise.simulator.report.Report}.
 */
package io.tierwise.simulator.report;
