/**
 * The costs of a way of running: seconds, joules, money, wear and the risk of losing data. Pure
 * functions of figures that the host measured or simulated.
 *
 * <p>Not here: prices and watts of real machines, which are data, and the choice between costs,
 * which is the user's. Start reading at {@link io.tierwise.policies.cost.DataLoss}.
 */
package io.tierwise.policies.cost;
