//! The status of a server.

use crate::ending::NO_ANSWER;
use crate::latency::{Latencies, Latency};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// The state of a cache that is being served.
// A form for readers: each is a fact of its own.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// Process that serves.
    pub pid: u32,
    /// When a write is durable.
    pub mode: String,
    /// The fast medium.
    pub cache: String,
    /// The disk.
    pub disk: String,
    /// Bytes offered to clients.
    pub capacity_bytes: u64,
    /// Places for blocks of 4 KiB.
    pub slots: u64,
    /// Blocks that the disk does not have yet.
    pub dirty_blocks: u64,
    /// The same in bytes, in whole blocks.
    pub dirty_bytes: u64,
    /// For how long the oldest of them has been dirty, or cached since the server was started; 0 without any.
    pub oldest_dirty_seconds: f64,
    /// Blocks whose copy cannot be read, or does not match its checksum, as far as somebody looked: they stay until they are written anew.
    pub damaged_blocks: u64,
    /// True when the fast medium failed: writes are refused until the cache is opened anew.
    pub cache_failed: bool,
    /// Blocks kept that the disk has, too.
    pub clean_blocks: u64,
    /// Slots that are meant for them at present; 0 when none are kept.
    pub clean_target_blocks: u64,
    /// Blocks read of which a clean copy was cached; they count as cached, too.
    pub clean_hit_blocks: u64,
    /// Blocks read from the disk and kept.
    pub clean_admitted_blocks: u64,
    /// Clean copies that the fast medium did not give back as they were: the disk was read instead.
    pub clean_lost_blocks: u64,
    /// True while everything is being written to the disk.
    pub draining: bool,
    /// Why the disk took no blocks the last time; nothing when it did, or was not tried since a drain was asked for, or since its server
    /// was reached again.
    pub disk_error: Option<String>,
    /// True when it takes none before the server is started anew: the cache failed, or a sync of the disk, after which the kernel does not say
    /// what it dropped.
    #[serde(default)]
    pub disk_needs_restart: bool,
    /// False while the server of a disk over NBD is away.
    pub disk_connected: bool,
    /// Times at which that server was reached again.
    pub disk_reconnections: u64,
    /// For how long the oldest request of the disk has been under way; 0 without any.
    #[serde(default)]
    pub disk_waits_seconds: f64,
    /// Share of time, 0 to 1, in which the disk read for clients.
    pub disk_read_utilisation: f64,
    /// Blocks read that were cached, in whole or in part.
    pub read_hit_blocks: u64,
    /// Blocks read from the disk only.
    pub read_miss_blocks: u64,
    /// Blocks written that were cached.
    pub write_hit_blocks: u64,
    /// Blocks written that were not.
    pub write_miss_blocks: u64,
    /// Bytes written that went to the disk past the cache.
    #[serde(default)]
    pub bypassed_bytes: u64,
    /// Times at which staged writes were made durable.
    pub commits: u64,
    /// Blocks that the disk has taken.
    pub destaged_blocks: u64,
    /// Times at which the disk took nothing.
    pub failed_destages: u64,
    /// Turns at the disk that destaging took between reads.
    pub destage_turns: u64,
    /// The most time of a turn, in milliseconds.
    pub turn_budget_millis: f64,
    /// Reads of the disk that destaging made late.
    pub late_reads: u64,
}

impl Status {
    /// The silence of a disk that may hang: for how many seconds it has not answered, if that is worth a word.
    pub fn disk_silence_seconds(&self) -> Option<u64> {
        (self.disk_waits_seconds >= NO_ANSWER.as_secs_f64()).then_some(self.disk_waits_seconds as u64)
    }
}

/// Name, kind, meaning, value.
type Metric = (&'static str, &'static str, &'static str, f64);

/// The state of the cache and of its disk.
fn of_state(status: &Status) -> [Metric; 19] {
    [
        ("halo_capacity_bytes", "gauge", "Bytes offered to clients", status.capacity_bytes as f64),
        ("halo_slots", "gauge", "Places for blocks of 4 KiB", status.slots as f64),
        ("halo_dirty_blocks", "gauge", "Blocks that the disk does not have yet", status.dirty_blocks as f64),
        ("halo_dirty_bytes", "gauge", "The same in bytes, in whole blocks", status.dirty_bytes as f64),
        (
            "halo_oldest_dirty_seconds",
            "gauge",
            "For how long the oldest of them has been dirty, or cached since the start; 0 without any",
            status.oldest_dirty_seconds,
        ),
        ("halo_clean_blocks", "gauge", "Blocks kept that the disk has, too", status.clean_blocks as f64),
        (
            "halo_clean_target_blocks",
            "gauge",
            "Slots that are meant for them at present",
            status.clean_target_blocks as f64,
        ),
        (
            "halo_clean_hit_blocks_total",
            "counter",
            "Blocks read of which a clean copy was cached; among halo_read_hit_blocks_total",
            status.clean_hit_blocks as f64,
        ),
        (
            "halo_clean_admitted_blocks_total",
            "counter",
            "Blocks read from the disk and kept",
            status.clean_admitted_blocks as f64,
        ),
        (
            "halo_clean_lost_blocks_total",
            "counter",
            "Clean copies that the cache device did not give back as they were",
            status.clean_lost_blocks as f64,
        ),
        (
            "halo_damaged_blocks",
            "gauge",
            "Blocks whose cached copy cannot be read, or does not match its checksum",
            status.damaged_blocks as f64,
        ),
        (
            "halo_cache_failed",
            "gauge",
            "1: the fast medium failed, writes are refused until the server is started anew",
            f64::from(status.cache_failed),
        ),
        (
            "halo_disk_failing",
            "gauge",
            "1: the disk took no blocks the last time",
            f64::from(status.disk_error.is_some()),
        ),
        (
            "halo_disk_needs_restart",
            "gauge",
            "1: the disk takes no blocks before the server is started anew",
            f64::from(status.disk_needs_restart),
        ),
        ("halo_draining", "gauge", "1: everything is being written to the disk", f64::from(status.draining)),
        (
            "halo_disk_connected",
            "gauge",
            "0: the server of the disk is away; 1: it is there, or the disk is a device",
            f64::from(status.disk_connected),
        ),
        (
            "halo_disk_reconnections_total",
            "counter",
            "Times at which the server of the disk was reached again",
            status.disk_reconnections as f64,
        ),
        (
            "halo_disk_waits_seconds",
            "gauge",
            "For how long the oldest request of the disk has been under way",
            status.disk_waits_seconds,
        ),
        (
            "halo_disk_read_utilisation_ratio",
            "gauge",
            "Share of time in which the disk read",
            status.disk_read_utilisation,
        ),
    ]
}

/// The work since the start.
fn of_work(status: &Status) -> [Metric; 11] {
    [
        ("halo_read_hit_blocks_total", "counter", "Blocks read that were cached", status.read_hit_blocks as f64),
        ("halo_read_miss_blocks_total", "counter", "Blocks read from the disk", status.read_miss_blocks as f64),
        ("halo_write_hit_blocks_total", "counter", "Blocks written that were cached", status.write_hit_blocks as f64),
        ("halo_write_miss_blocks_total", "counter", "Blocks written that were not", status.write_miss_blocks as f64),
        (
            "halo_bypassed_bytes_total",
            "counter",
            "Bytes written that went to the disk past the cache",
            status.bypassed_bytes as f64,
        ),
        ("halo_commits_total", "counter", "Times at which writes were made durable", status.commits as f64),
        ("halo_destaged_blocks_total", "counter", "Blocks that the disk has taken", status.destaged_blocks as f64),
        (
            "halo_failed_destages_total",
            "counter",
            "Times at which the disk took nothing",
            status.failed_destages as f64,
        ),
        ("halo_destage_turns_total", "counter", "Turns of destaging between reads", status.destage_turns as f64),
        ("halo_turn_budget_seconds", "gauge", "What a turn of destaging may take", status.turn_budget_millis / 1e3),
        ("halo_late_reads_total", "counter", "Reads of the disk made late by destaging", status.late_reads as f64),
    ]
}

/// The same for Prometheus, in its text format.
pub(crate) fn prometheus(status: &Status, latencies: &Latencies) -> String {
    let mut text = String::new();
    for (name, kind, help, value) in of_state(status).into_iter().chain(of_work(status)) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}");
    }
    histograms(&mut text, latencies);
    text
}

fn histograms(text: &mut String, latencies: &Latencies) {
    text.push_str(
        "# HELP halo_request_duration_seconds Time of requests\n# TYPE halo_request_duration_seconds histogram\n",
    );
    histogram(text, "read", &latencies.read);
    histogram(text, "write", &latencies.write);
    histogram(text, "flush", &latencies.flush);
}

fn histogram(text: &mut String, kind: &str, latency: &Latency) {
    let name = "halo_request_duration_seconds";
    for (bound, count) in latency.cumulative() {
        let _ = writeln!(text, "{name}_bucket{{kind=\"{kind}\",le=\"{bound}\"}} {count}");
    }
    let count = latency.count();
    let _ = writeln!(text, "{name}_bucket{{kind=\"{kind}\",le=\"+Inf\"}} {count}");
    let _ = writeln!(text, "{name}_sum{{kind=\"{kind}\"}} {}", latency.sum_seconds());
    let _ = writeln!(text, "{name}_count{{kind=\"{kind}\"}} {count}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Map, Value, json};
    use std::collections::BTreeSet;

    const NUMBERS: [&str; 29] = [
        "pid",
        "capacity_bytes",
        "slots",
        "dirty_blocks",
        "dirty_bytes",
        "oldest_dirty_seconds",
        "damaged_blocks",
        "clean_blocks",
        "clean_target_blocks",
        "clean_hit_blocks",
        "clean_admitted_blocks",
        "clean_lost_blocks",
        "disk_reconnections",
        "disk_waits_seconds",
        "disk_read_utilisation",
        "read_hit_blocks",
        "read_miss_blocks",
        "write_hit_blocks",
        "write_miss_blocks",
        "bypassed_bytes",
        "commits",
        "destaged_blocks",
        "failed_destages",
        "destage_turns",
        "turn_budget_millis",
        "late_reads",
        // Texts, of which none is a metric.
        "mode",
        "cache",
        "disk",
    ];

    /// A number of its own in each field.
    fn status() -> Map<String, Value> {
        let mut fields: Map<_, _> =
            NUMBERS.iter().enumerate().map(|(at, name)| ((*name).to_owned(), json!(1000 + at))).collect();
        for (name, value) in [
            ("mode", json!("flush")),
            ("cache", json!("c")),
            ("disk", json!("d")),
            ("cache_failed", json!(false)),
            ("disk_connected", json!(true)),
            ("draining", json!(false)),
            ("disk_needs_restart", json!(true)),
            ("disk_error", json!("it is full")),
        ] {
            fields.insert(name.to_owned(), value);
        }
        fields
    }

    #[test]
    fn each_metric_has_the_value_of_the_field_that_it_is_named_after() {
        let fields = status();
        let text = prometheus(&serde_json::from_value(fields.clone().into()).unwrap(), &Latencies::default());
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.starts_with("halo_request_duration"));
        let mut told = 0;
        for line in lines {
            let (name, value) = line.split_once(' ').unwrap();
            let field = name.strip_prefix("halo_").unwrap();
            let field = field.strip_suffix("_total").unwrap_or(field);
            let expected = match field {
                "disk_failing" | "disk_connected" | "disk_needs_restart" => 1.0,
                "cache_failed" | "draining" => 0.0,
                "turn_budget_seconds" => fields["turn_budget_millis"].as_f64().unwrap() / 1e3,
                "disk_read_utilisation_ratio" => fields["disk_read_utilisation"].as_f64().unwrap(),
                field => fields.get(field).unwrap_or_else(|| panic!("{name}: no such field")).as_f64().unwrap(),
            };
            assert!((value.parse::<f64>().unwrap() - expected).abs() < 1e-9, "{line}, and not {expected}");
            told += 1;
        }
        // All numbers but the process's, and five facts.
        assert_eq!(told, NUMBERS.len() - 4 + 5);
    }

    fn names_in(text: &str) -> BTreeSet<String> {
        let words = text.split(|letter: char| !letter.is_ascii_lowercase() && letter != '_');
        words.filter(|word| word.starts_with("halo_")).map(str::to_owned).collect()
    }

    /// A file of the repository.
    fn file(path: &str) -> String {
        std::fs::read_to_string(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
    }

    /// The names of all metrics.
    fn shown() -> BTreeSet<String> {
        let text = prometheus(&serde_json::from_value(status().into()).unwrap(), &Latencies::default());
        let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE "));
        types.filter_map(|line| line.split(' ').next().map(str::to_owned)).collect()
    }

    #[test]
    fn each_metric_is_explained_and_alerts_name_no_other() {
        let shown = shown();
        assert_eq!(names_in(&file("docs/reference/metrics.md")), shown);
        let alerted = names_in(&file("packaging/prometheus/alerts.yaml"));
        assert!(alerted.len() >= 8 && alerted.is_subset(&shown), "{alerted:?}");
    }

    #[test]
    fn the_dashboard_shows_each_metric_but_sizes_and_no_other() {
        let dashboard: Value = serde_json::from_str(&file("packaging/grafana/halo.json")).unwrap();
        let (shown, mut drawn, mut places) = (shown(), BTreeSet::new(), BTreeSet::new());
        for panel in dashboard["panels"].as_array().unwrap() {
            let (title, targets) = (&panel["title"], panel["targets"].as_array().unwrap());
            assert!(!targets.is_empty(), "{title}");
            for target in targets {
                let text = target["expr"].as_str().unwrap();
                let depth = |opens: char, closes: char| text.matches(opens).count() == text.matches(closes).count();
                assert!(depth('(', ')') && depth('[', ']'), "{title}: {text}");
                let names = names_in(text).into_iter().map(|name| {
                    let histogram = name.strip_suffix("_bucket").or_else(|| name.strip_suffix("_count"));
                    histogram.map_or_else(|| name.clone(), str::to_owned)
                });
                let names: BTreeSet<_> = names.collect();
                assert!(!names.is_empty() && names.is_subset(&shown), "{title}: {text}");
                let counts = names.iter().any(|name| name.ends_with("_total"));
                assert!(!counts || text.contains("rate("), "{title}: a counter without a rate: {text}");
                drawn.extend(names);
            }
            assert!(places.insert(panel["gridPos"].to_string()) && places.insert(panel["id"].to_string()), "{title}");
        }
        let left: Vec<_> = shown.difference(&drawn).collect();
        assert_eq!(left, ["halo_capacity_bytes"]);
    }
}
