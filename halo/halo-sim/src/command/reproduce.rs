//! The paper's evaluation.

use super::Failure;
use super::options::{exponent, number, profile};
use clap::Args;
use halo_disk::Profile;
use halo_sim::Policy;
use halo_sim::reproduce::experiments::{self, Choices, Extent, Results};
use halo_sim::reproduce::{Key, files, plots};
use halo_sim::stand_in::{self, Popularity};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct ReproduceOptions {
    /// Folder in which `numbers.csv` and `figures.csv` are written; `tierwise reproduce halo` puts them beside the paper's
    #[arg(long, default_value = "reproductions/halo")]
    folder: PathBuf,
    /// Folder for the plots
    #[arg(long, default_value = "docs/results/halo")]
    plots: PathBuf,
    /// Print only
    #[arg(long)]
    no_write: bool,
    /// Only what the printed numbers need: LRU and HALO, no plots
    #[arg(long)]
    printed: bool,
    /// Other disk: enterprise, enterprise-8t, desktop, consumer. This and the following options write nothing
    #[arg(long, value_parser = profile)]
    disk: Option<Profile>,
    /// Other number of requests that the disk has at a time
    #[arg(long, value_parser = number::<u16>(1..=1024))]
    depth: Option<u16>,
    /// Other exponent of the popularity of places
    #[arg(long, value_parser = exponent)]
    skew: Option<f64>,
    /// Other size of the pieces that are popular together, in KiB
    #[arg(long, value_parser = number::<u32>(4..=1_048_576))]
    extent_kib: Option<u32>,
    /// Other seed
    #[arg(long, value_parser = number::<u64>(0..=u64::MAX))]
    seed: Option<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl ReproduceOptions {
    fn choices(&self) -> Choices {
        let usual = Choices::default();
        Choices {
            disk: self.disk.unwrap_or(usual.disk),
            depth: self.depth.map_or(usual.depth, usize::from),
            popularity: Popularity {
                skew: self.skew.unwrap_or(usual.popularity.skew),
                extent_blocks: self.extent_kib.map_or(usual.popularity.extent_blocks, |kib| u64::from(kib / 4)),
            },
            seed: self.seed.unwrap_or(usual.seed),
            ..usual
        }
    }
}

pub(crate) fn reproduce(options: &ReproduceOptions) -> Result<(), Failure> {
    let choices = options.choices();
    let as_the_paper = choices == Choices::default();
    let tell = |what: &str| eprintln!("halo-sim: {what}");
    let extent = if options.printed || !as_the_paper { Extent::Printed } else { Extent::Figures };
    let results = experiments::run(&choices, &stand_in::ALL, extent, &tell);
    let mut ours = experiments::numbers(&results);
    ours.extend(experiments::disk_numbers(&choices));
    ours.extend(experiments::load_factors());
    if as_the_paper && !options.no_write {
        files::write_numbers(&options.folder.join("numbers.csv"), &ours)?;
    }
    if as_the_paper && !options.no_write && extent == Extent::Figures {
        write_figures(&options.folder.join("figures.csv"), &results)?;
        write_plots(&options.plots, &results)?;
    }
    print(&ours, options.json);
    Ok(())
}

fn print(ours: &BTreeMap<Key, f64>, as_json: bool) {
    if as_json {
        let row = |(Key { figure, case, metric }, value): (&Key, &f64)| json!({"figure": figure, "case": case, "metric": metric, "ours": value});
        println!("{:#}", Value::from(ours.iter().map(row).collect::<Vec<_>>()));
        return;
    }
    println!("{:10} {:24} {:36} {:>9}", "figure", "case", "metric", "ours");
    for (Key { figure, case, metric }, value) in ours {
        println!("{figure:10} {case:24} {metric:36} {:>9}", files::four_digits(*value));
    }
}

/// All numbers behind the figures, for whom the printed ones are too few.
fn write_figures(file: &Path, results: &Results) -> Result<(), Failure> {
    let mut text = String::from("workload,policy,cache_mib,metric,value,unit\n");
    let mut add = |workload: &str, policy: Policy, cache_mib: u32, metric: &str, value: f64, unit: &str| {
        let value = files::six_digits(value);
        let _ = writeln!(text, "{workload},{},{cache_mib},{metric},{value},{unit}", policy.name());
    };
    for run in &results.runs {
        let cache_mib = stand_in::StandIn::named(run.workload).map_or(0, |workload| workload.cache_mib);
        let report = &run.report;
        for (metric, value, unit) in [
            ("execution time", report.execution_nanos as f64 / 1e9, "s"),
            ("traffic rate", report.traffic_rate(), "ratio"),
            ("disk requests", report.traffic.requests as f64, "requests"),
            ("mean distance", report.traffic.mean_distance_blocks() * 4.0, "KiB"),
            ("disk response", report.disk_response.mean_nanos() / 1e6, "ms"),
            ("disk throughput", report.disk_bytes_per_second() / 1e6, "MB/s"),
        ] {
            add(run.workload, run.policy, cache_mib, metric, value, unit);
        }
        for wear in &report.wear {
            let metrics = [
                ("bank life ratio", wear.bank_life_ratio),
                ("stripe life ratio", wear.stripe_life_ratio),
                ("open row hit", wear.row_hit_ratio),
            ];
            for (metric, value) in metrics {
                add(run.workload, run.policy, cache_mib, &format!("{} {metric}", wear.scheme), value, "ratio");
            }
            let busy_seconds = wear.busy_nanos as f64 / 1e9;
            add(run.workload, run.policy, cache_mib, &format!("{} memory busy", wear.scheme), busy_seconds, "s");
        }
    }
    for point in &results.traffic {
        add(point.workload, point.policy, point.cache_mib, "traffic rate by size", point.traffic_rate, "ratio");
    }
    fs::write(file, text).map_err(|error| Failure::state(format!("{}: {error}", file.display())))
}

fn write_plots(folder: &Path, results: &Results) -> Result<(), Failure> {
    let failed = |error| Failure::state(format!("{}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(failed)?;
    for (name, svg) in plots::all(results) {
        fs::write(folder.join(name), svg).map_err(failed)?;
    }
    Ok(())
}
