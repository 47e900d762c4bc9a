/**
 * Tests of what the daemon remembers and may touch; it runs on a cluster in the commands' tests.
 */
package io.tierwise.hadoop.autotier;
