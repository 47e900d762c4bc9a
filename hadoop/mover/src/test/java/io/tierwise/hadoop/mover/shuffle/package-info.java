/** Tests of what NodeManagers tell of their shuffles, also of answers that make no sense. */
package io.tierwise.hadoop.mover.shuffle;
