/** The journal on files that are whole, cut, damaged, newer, and on disks that are full. */
package io.tierwise.hadoop.mover.journal;
