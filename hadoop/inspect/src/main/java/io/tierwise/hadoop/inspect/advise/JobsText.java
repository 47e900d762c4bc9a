package io.tierwise.hadoop.inspect.advise;

import io.tierwise.core.message.Section;
import io.tierwise.core.message.Table;
import io.tierwise.core.message.Words;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The jobs of an advice for people. */
final class JobsText {
  private JobsText() {}

  /**
   * The section.
   *
   * @param rowsMax of the table
   */
  static Section section(Advice.Jobs jobs, int rowsMax) {
    Table table =
        new Table()
            .text("jobs by bytes read", "application")
            .number("hosts", "readers", "time", "read", "files", "reads", "on fast");
    jobs.rows().stream()
        .filter(job -> job.found() == Advice.Found.READS)
        .sorted(
            Comparator.comparingLong(Advice.Job::bytesRead)
                .reversed()
                .thenComparing(Advice.Job::id))
        .limit(Math.max(1, rowsMax))
        .forEach(
            job ->
                table.row(
                    job.id(),
                    job.application(),
                    job.hosts(),
                    job.readersMax(),
                    Words.duration(job.seconds()),
                    Words.bytes(job.bytesRead()),
                    job.files(),
                    job.reads(),
                    Words.percent(job.fastShare())));
    return new Section("Jobs of the history", table.keys(1), below(jobs));
  }

  private static String below(Advice.Jobs jobs) {
    List<String> sentences = new ArrayList<>();
    for (Advice.Found found : Advice.Found.values()) {
      List<Advice.Job> of = jobs.rows().stream().filter(job -> job.found() == found).toList();
      if (found == Advice.Found.READS) {
        sentences.add(
            "Of " + Words.count(jobs.rows().size(), "job") + " " + of.size() + " " + found.text());
      } else if (!of.isEmpty()) {
        sentences.add(of.size() + " " + found.text() + " (the first is " + of.get(0).id() + ")");
      }
    }
    if (jobs.unfinished() > 0) {
      sentences.add(
          Words.count(jobs.unfinished(), "log") + " of applications that still run left out");
    }
    if (jobs.refused() > 0) {
      sentences.add(Words.count(jobs.refused(), "file") + " that cannot be used left out");
    }
    return String.join("; ", sentences)
        + ". Readers: tasks that read at the same time; read: by the jobs' own counters";
  }
}
