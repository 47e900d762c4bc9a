/**
 * Tests of reading audit logs. Start reading at {@link
 * io.tierwise.hadoop.inspect.audit.AuditLineTest}.
 */
package io.tierwise.hadoop.inspect.audit;
