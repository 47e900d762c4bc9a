//! The figures as SVG: bars for Figures 3.8, 3.11, 3.12, 3.15 and 3.16, lines for 3.9, 3.10 and 3.17, dots for 3.13 and 3.14.

use super::experiments::{CACHE_SIZES_MIB, Place, Results, report};
use crate::policy::Policy;
use crate::request::Kind;
use crate::stand_in;
use crate::timed::TimedReport;
use std::fmt::Write as _;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 70.0;
const BOTTOM: f64 = 50.0;
const TOP: f64 = 50.0;
const COLOURS: [&str; 7] = ["#888888", "#c0392b", "#2471a3", "#b7950b", "#7d3c98", "#1e8449", "#17202a"];

/// Values of one kind over the places on the horizontal axis.
struct Series {
    name: String,
    values: Vec<f64>,
}

/// All figures as (file name, SVG).
pub fn all(results: &Results) -> Vec<(&'static str, String)> {
    let three = [Policy::None, Policy::Lru, Policy::Halo];
    let seconds = |report: &TimedReport| report.execution_nanos as f64 / 1e9;
    let millis = |report: &TimedReport| report.disk_response.mean_nanos() / 1e6;
    let distance = |report: &TimedReport| report.traffic.mean_distance_blocks() * 4096.0 / f64::from(1 << 20);
    let throughput = |report: &TimedReport| report.disk_bytes_per_second() / 1e6;
    let [before, after] = &results.places;
    vec![
        ("figure-3.8.svg", policies(results, "Execution time (s)", &three, seconds)),
        ("figure-3.9-3.10.svg", traffic(results)),
        ("figure-3.11.svg", policies(results, "Mean distance between disk requests (MiB)", &three, distance)),
        ("figure-3.12.svg", policies(results, "Throughput of the disk (MB/s)", &three, throughput)),
        ("figure-3.13.svg", scatter("Fin1 without a cache: block over number of the request", before)),
        ("figure-3.14.svg", scatter("Fin1 behind HALO: block over number of the disk request", after)),
        ("figure-3.15.svg", policies(results, "Mean response time of the disk (ms)", &three[1..], millis)),
        ("figure-3.16.svg", lives(results)),
        ("figure-3.17.svg", banks(results)),
    ]
}

fn names() -> Vec<String> {
    stand_in::ALL.iter().map(|workload| workload.name.to_owned()).collect()
}

fn policies(results: &Results, title: &str, policies: &[Policy], value: impl Fn(&TimedReport) -> f64) -> String {
    let series: Vec<Series> = policies
        .iter()
        .map(|&policy| Series {
            name: policy.name().to_owned(),
            values: stand_in::ALL
                .iter()
                .map(|workload| report(results, workload.name, policy).map_or(0.0, &value))
                .collect(),
        })
        .collect();
    bars(title, &names(), &series)
}

fn lives(results: &Results) -> String {
    let series: Vec<Series> = ["SG", "RR", "SFC"]
        .into_iter()
        .map(|scheme| Series {
            name: scheme.to_owned(),
            values: stand_in::ALL
                .iter()
                .map(|workload| {
                    let halo = report(results, workload.name, Policy::Halo);
                    let wear = halo.and_then(|halo| halo.wear.iter().find(|wear| wear.scheme == scheme));
                    wear.map_or(0.0, |wear| wear.bank_life_ratio)
                })
                .collect(),
        })
        .collect();
    bars("Life ratio over banks", &names(), &series)
}

fn banks(results: &Results) -> String {
    let wear = report(results, "Fin2", Policy::Halo).map_or(&[][..], |halo| &halo.wear);
    let series: Vec<Series> = wear
        .iter()
        .filter(|wear| wear.scheme != "SG")
        .map(|wear| {
            let mean = wear.bank_writes.iter().sum::<u64>() as f64 / wear.bank_writes.len().max(1) as f64;
            let values = wear.bank_writes.iter().map(|&writes| writes as f64 - mean).collect();
            Series { name: wear.scheme.to_owned(), values }
        })
        .collect();
    let places: Vec<String> =
        (0..128).map(|bank| if bank % 16 == 0 { bank.to_string() } else { String::new() }).collect();
    lines("Fin2: blocks written to a bank, above or below the mean", &places, &series)
}

fn traffic(results: &Results) -> String {
    let places: Vec<String> = CACHE_SIZES_MIB.iter().map(|mib| format!("{mib} MiB")).collect();
    let mut series = Vec::new();
    for workload in &stand_in::ALL {
        for policy in [Policy::Lru, Policy::Halo] {
            let of_this =
                results.traffic.iter().filter(|point| point.workload == workload.name && point.policy == policy);
            let values: Vec<f64> = of_this.map(|point| point.traffic_rate).collect();
            series.push(Series { name: format!("{} {}", workload.name, policy.name()), values });
        }
    }
    lines("Traffic rate over the size of the cache (LRU dashed)", &places, &series)
}

/// Frame, title, vertical axis and legend.
struct Chart {
    svg: String,
    low: f64,
    high: f64,
}

impl Chart {
    fn new(title: &str, series: &[Series]) -> Self {
        let values = || series.iter().flat_map(|series| &series.values).copied();
        let high = values().fold(0.0, f64::max);
        let low = values().fold(0.0, f64::min);
        let mut chart = Self { svg: open(title), low, high: if high > low { high } else { low + 1.0 } };
        for step in 0..=4 {
            let value = chart.low + (chart.high - chart.low) * f64::from(step) / 4.0;
            let y = chart.y(value);
            let _ = writeln!(
                chart.svg,
                r##"<line x1="{LEFT}" x2="{WIDTH}" y1="{y:.1}" y2="{y:.1}" stroke="#dddddd"/><text x="{:.1}" y="{:.1}" text-anchor="end">{}</text>"##,
                LEFT - 6.0,
                y + 4.0,
                super::files::four_digits(value)
            );
        }
        chart
    }

    fn y(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - (value - self.low) / (self.high - self.low) * (HEIGHT - BOTTOM - TOP)
    }

    fn place(&mut self, x: f64, name: &str) {
        let _ = writeln!(
            self.svg,
            r#"<text x="{x:.1}" y="{:.1}" text-anchor="middle">{name}</text>"#,
            HEIGHT - BOTTOM + 18.0
        );
    }

    fn legend(&mut self, entries: impl Iterator<Item = (String, &'static str)>) {
        for (index, (name, colour)) in entries.enumerate() {
            let x = LEFT + index as f64 * 95.0;
            let y = HEIGHT - 10.0;
            let _ = writeln!(
                self.svg,
                r#"<rect x="{x:.1}" y="{:.1}" width="10" height="10" fill="{colour}"/><text x="{:.1}" y="{y:.1}">{name}</text>"#,
                y - 9.0,
                x + 14.0
            );
        }
    }

    fn close(mut self) -> String {
        self.svg += "</svg>\n";
        self.svg
    }
}

fn open(title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"11\">\n<title>{title}</title>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n<text x=\"{LEFT}\" y=\"24\" font-size=\"14\">{title}</text>\n"
    )
}

fn bars(title: &str, places: &[String], series: &[Series]) -> String {
    let mut chart = Chart::new(title, series);
    let group = (WIDTH - LEFT) / places.len().max(1) as f64;
    let bar = group * 0.8 / series.len().max(1) as f64;
    for (index, name) in places.iter().enumerate() {
        let left = LEFT + group * (index as f64 + 0.1);
        for (number, series) in series.iter().enumerate() {
            let value = series.values.get(index).copied().unwrap_or(0.0);
            let (y, zero) = (chart.y(value), chart.y(0.0));
            let _ = writeln!(
                chart.svg,
                r#"<rect x="{:.1}" y="{y:.1}" width="{:.1}" height="{:.1}" fill="{}"/>"#,
                left + bar * number as f64,
                bar * 0.95,
                zero - y,
                COLOURS[number % COLOURS.len()]
            );
        }
        chart.place(left + group * 0.4, name);
    }
    let colours = COLOURS.into_iter().cycle();
    chart.legend(series.iter().map(|series| series.name.clone()).zip(colours));
    chart.close()
}

/// Pairs of series share a colour when there are more than two: the first of a pair is dashed.
fn lines(title: &str, places: &[String], series: &[Series]) -> String {
    let mut chart = Chart::new(title, series);
    let pairs = series.len() > 2;
    let step = (WIDTH - LEFT) / places.len().max(1) as f64;
    let colour = |number: usize| COLOURS[if pairs { number / 2 } else { number } % COLOURS.len()];
    for (number, series) in series.iter().enumerate() {
        let points: String = (0..).zip(&series.values).fold(String::new(), |mut points, (index, &value)| {
            let _ = write!(points, "{:.1},{:.1} ", LEFT + step * (f64::from(index) + 0.5), chart.y(value));
            points
        });
        let dashes = if pairs && number % 2 == 0 { r#" stroke-dasharray="5 4""# } else { "" };
        let _ = writeln!(
            chart.svg,
            r#"<polyline points="{}" fill="none" stroke="{}" stroke-width="1.5"{dashes}/>"#,
            points.trim_end(),
            colour(number)
        );
    }
    for (index, name) in places.iter().enumerate() {
        chart.place(LEFT + step * (index as f64 + 0.5), name);
    }
    let named = series.iter().enumerate().filter(|(number, _)| !pairs || number % 2 == 1);
    let named: Vec<_> =
        named.map(|(number, series)| (series.name.trim_end_matches(" halo").to_owned(), colour(number))).collect();
    chart.legend(named.into_iter());
    chart.close()
}

fn scatter(title: &str, places: &[Place]) -> String {
    let mut svg = open(title);
    let last = places.iter().map(|(number, _, _)| *number).max().unwrap_or(0).max(1) as f64;
    let highest = places.iter().map(|(_, block, _)| *block).max().unwrap_or(0).max(1) as f64;
    for (number, block, kind) in places {
        let x = LEFT + *number as f64 / last * (WIDTH - LEFT - 10.0);
        let y = HEIGHT - BOTTOM - *block as f64 / highest * (HEIGHT - BOTTOM - TOP);
        let colour = if *kind == Kind::Write { COLOURS[1] } else { COLOURS[2] };
        let _ = writeln!(svg, r#"<circle cx="{x:.1}" cy="{y:.1}" r="1" fill="{colour}"/>"#);
    }
    let _ = writeln!(
        svg,
        r#"<text x="{LEFT}" y="{:.1}">requests 0 to {last}; blocks 0 to {highest}; red: writes, blue: reads; a sample</text>"#,
        HEIGHT - BOTTOM + 18.0
    );
    svg + "</svg>\n"
}
