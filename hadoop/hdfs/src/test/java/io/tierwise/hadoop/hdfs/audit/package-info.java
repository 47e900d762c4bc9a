/**
 * Tests of the audit's feed. Start reading at {@link io.tierwise.hadoop.hdfs.audit.AuditLoggerIT}.
 */
package io.tierwise.hadoop.hdfs.audit;
