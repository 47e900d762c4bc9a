/** Tests of what jobs are seen to wait. */
package io.tierwise.hadoop.autotier.jobs;
