package io.tierwise.policies.movement;

import io.tierwise.policies.popularity.PopularityPredictor;
import java.util.function.IntPredicate;

/**
 * All files of a file system, for a decision about their replicas.
 *
 * @param predictor by which a popularity becomes a number of replicas
 * @param predicted popularity by file number; {@code NaN} for a number that no file has
 * @param bytes size by file number
 * @param fileCount file numbers are below
 * @param mustStay files that stay in the primary store however unpopular they are: those of jobs
 *     that are scheduled, those under an SLA
 * @param comeFirst files whose additional replicas come before those of all others
 * @param usualReplicas that a file of this file system has which is neither popular nor unpopular
 * @param replicasMax that a file can have; no less than the usual number
 */
public record ReplicationRequest(
    PopularityPredictor predictor,
    double[] predicted,
    long[] bytes,
    int fileCount,
    IntPredicate mustStay,
    IntPredicate comeFirst,
    int usualReplicas,
    int replicasMax) {}
