/** Exact shares, and what a layout accepts. */
package io.tierwise.core.data;
