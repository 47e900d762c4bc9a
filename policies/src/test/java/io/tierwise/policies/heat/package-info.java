/** Tests of counted heat. Start reading at {@link io.tierwise.policies.heat.HeatMapTest}. */
package io.tierwise.policies.heat;
