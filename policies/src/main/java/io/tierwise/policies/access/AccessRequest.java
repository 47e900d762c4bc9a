package io.tierwise.policies.access;

/**
 * A host's question to an access strategy.
 *
 * @param fileId stable id of the file (an inode id)
 * @param blockIndex index of the block in the file, from 0
 * @param blockBytes bytes of the block
 * @param taskIndex index of the reading task in its job (MapReduce's task of the attempt, Spark's
 *     partition), or -1 when the reader is no task
 */
public record AccessRequest(long fileId, long blockIndex, long blockBytes, long taskIndex) {}
