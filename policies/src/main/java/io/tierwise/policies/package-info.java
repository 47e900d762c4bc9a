/**
 * The decisions: pure functions of (request, view, seeded random), importing {@code core} only.
 *
 * <p>The class that decides inside a NameNode or an HDFS client is the class that decides in a
 * simulator. No clock, no threads, no Hadoop type. Start reading at {@link
 * io.tierwise.policies.placement.PlacementPolicy} and {@link
 * io.tierwise.policies.access.AccessStrategy}.
 */
package io.tierwise.policies;
