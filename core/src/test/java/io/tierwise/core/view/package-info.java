/** The promises of {@link io.tierwise.core.view.ClusterView}, kept by the array view. */
package io.tierwise.core.view;
