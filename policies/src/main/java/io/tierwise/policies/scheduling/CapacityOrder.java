package io.tierwise.policies.scheduling;

import io.tierwise.core.view.WorkView;
import io.tierwise.policies.text.SpecReader;
import io.tierwise.policies.text.SpecWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Queues with shares of the slots: the queue with the fewest running tasks for its share first, and
 * in it the job submitted first; of equal queues the one whose first job was submitted first.
 *
 * <p>load(q) = r(q) / s(q); r running tasks of the queue, s its share. A queue may have a ceiling,
 * too: at m percent of all slots, one at least, it gets no more although others want none.
 *
 * <p>Source: YARN's CapacityScheduler: capacity, maximum-capacity, FIFO inside a queue, up to 100
 * containers a heartbeat (per-node-heartbeat.maximum-container-assignments). Deviation: one level
 * of queues, tasks for memory and cores in shares, no user limits, no preemption. Own: queues that
 * are not named have what the named ones leave of 100%, each of them and 1% at least.
 *
 * @param shares of the named queues; without any, all queues are equal
 */
public record CapacityOrder(List<Share> shares) implements JobOrder {
  static final String NAME = "capacity";
  static final int TASKS_A_TURN = 100;
  private static final int WHOLE = 100;

  /**
   * A queue's share.
   *
   * @param percent of the slots that it gets at least when it wants them, 1 to 100
   * @param mostPercent of the slots that it ever gets
   */
  public record Share(String queue, int percent, int mostPercent) {
    public Share {
      if (percent < 1 || mostPercent < percent || mostPercent > WHOLE) {
        throw new IllegalArgumentException(
            "queue "
                + SpecReader.quoted(queue)
                + " has "
                + percent
                + "/"
                + mostPercent
                + " percent; write SHARE or SHARE/MOST with 1 <= SHARE <= MOST <= 100");
      }
    }
  }

  public CapacityOrder {
    shares = List.copyOf(shares);
    int sum = shares.stream().mapToInt(Share::percent).sum();
    if (sum > WHOLE) {
      throw new IllegalArgumentException(
          "the queues' shares add up to " + sum + " percent; at most 100 are allowed");
    }
  }

  /** Queues with the shares that a specification's settings name. */
  static CapacityOrder of(SpecReader settings) {
    List<Share> shares = new ArrayList<>();
    for (Map.Entry<String, String> other : settings.others("QUEUE").entrySet()) {
      shares.add(share(settings, other.getKey(), other.getValue()));
    }
    try {
      return new CapacityOrder(shares);
    } catch (IllegalArgumentException e) {
      throw settings.refusal(e.getMessage());
    }
  }

  private static Share share(SpecReader settings, String queue, String value) {
    int slash = value.indexOf('/');
    try {
      int percent = Integer.parseInt(slash < 0 ? value : value.substring(0, slash));
      int most = slash < 0 ? WHOLE : Integer.parseInt(value.substring(slash + 1));
      return new Share(queue, percent, most);
    } catch (NumberFormatException e) {
      throw settings.refusal(
          "queue "
              + SpecReader.quoted(queue)
              + " has the share "
              + SpecReader.quoted(value)
              + "; write SHARE or SHARE/MOST in whole percent");
    } catch (IllegalArgumentException e) {
      throw settings.refusal(e.getMessage());
    }
  }

  @Override
  public String name() {
    SpecWriter text = SpecWriter.of(NAME);
    for (Share share : shares) {
      String most = share.mostPercent() == WHOLE ? "" : "/" + share.mostPercent();
      text.add(share.queue(), share.percent() + most, "");
    }
    return text.toString();
  }

  @Override
  public JobQueue newQueue(WorkView work) {
    return new CapacityQueue(this, work);
  }

  /** The share of a queue of that name. */
  Share shareOf(String queue) {
    int left = WHOLE;
    for (Share share : shares) {
      if (share.queue().equals(queue)) {
        return share;
      }
      left -= share.percent();
    }
    return new Share(queue, Math.max(1, left), WHOLE);
  }

  /** Running tasks at which a queue gets no more. */
  static int ceiling(Share share, WorkView work) {
    return Math.max(1, (int) ((long) work.slotCount() * share.mostPercent() / WHOLE));
  }

  @Override
  public boolean mayTake(int job, WorkView work) {
    int queue = work.queueOf(job);
    Share share = shareOf(work.queueName(queue));
    return share.mostPercent() == WHOLE || work.runningInQueue(queue) < ceiling(share, work);
  }

  @Override
  public double score(int job, WorkView work) {
    int queue = work.queueOf(job);
    return load(work.runningInQueue(queue), shareOf(work.queueName(queue)));
  }

  static double load(int running, Share share) {
    return (double) running * WHOLE / share.percent();
  }

  @Override
  public String rule() {
    return "its queue has the fewest running tasks for its share";
  }

  @Override
  public List<String> queueNames() {
    return shares.stream().map(Share::queue).toList();
  }

  @Override
  public int tasksATurn() {
    return TASKS_A_TURN;
  }
}
