/** Tests of movement. */
package io.tierwise.policies.movement;
