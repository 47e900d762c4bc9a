//! A server whose power can be cut.

use super::client::Client;
use crate::harness::{Bench, Process, programs, wait_for};
use halo_lossy::{Loss, VARIABLE, journal, lose};
use halo_planted::Mistake;
use std::fs;
use std::path::PathBuf;

/// What the words of a server are, for a bench.
type WordsOf<'a> = &'a dyn Fn(&Bench) -> Vec<String>;

/// Both files of a bench lose what was not synced.
pub(crate) struct Machine {
    pub(crate) bench: Bench,
    server: Option<Process>,
    /// The disk's server, if it has one.
    disk: Option<Process>,
    over_nbd: bool,
    /// More words of the disk's server: before its plugin, and behind it.
    disk_words: (Vec<&'static str>, Vec<String>),
    options: Vec<&'static str>,
}

impl Machine {
    /// A cache of `cache` bytes and its disk, served with these options by programs that make this mistake.
    pub(crate) fn new(cache: &str, disk_bytes: u64, options: &[&'static str], mistake: Option<Mistake>) -> Self {
        Self::start(Bench::bound(cache, disk_bytes), false, (Vec::new(), Vec::new()), options, mistake)
    }

    /// The same with the disk behind an NBD server, which loses power too.
    pub(crate) fn over_nbd(cache: &str, disk_bytes: u64, options: &[&'static str], mistake: Option<Mistake>) -> Self {
        Self::start(Self::bench_over_nbd(cache, disk_bytes), true, (Vec::new(), Vec::new()), options, mistake)
    }

    /// The same with more words of the disk's server, before its plugin and behind it, of which the latter are made from the bench.
    pub(crate) fn over_odd_nbd(
        cache: &str,
        disk_bytes: u64,
        (before, behind): (&'static str, WordsOf<'_>),
        options: &[&'static str],
        mistake: Option<Mistake>,
    ) -> Self {
        let bench = Self::bench_over_nbd(cache, disk_bytes);
        let words = (vec![before], behind(&bench));
        Self::start(bench, true, words, options, mistake)
    }

    fn bench_over_nbd(cache: &str, disk_bytes: u64) -> Bench {
        let mut bench = Bench::bound(cache, disk_bytes);
        bench.disk = halo_nbd::Address::unix(bench.path("disk.socket")).to_string();
        bench
    }

    fn start(
        mut bench: Bench,
        over_nbd: bool,
        disk_words: (Vec<&'static str>, Vec<String>),
        options: &[&'static str],
        mistake: Option<Mistake>,
    ) -> Self {
        let pair = |name: &str| format!("{0}={0}.journal", bench.path(name).display());
        bench.environment = vec![
            ("LD_PRELOAD", programs().join("examples/liblossy.so").display().to_string()),
            (VARIABLE, format!("{},{}", pair("cache"), pair("disk"))),
        ];
        bench.environment.extend(mistake.map(|mistake| (halo_planted::VARIABLE, format!("{mistake:?}"))));
        let mut machine = Self { bench, server: None, disk: None, over_nbd, disk_words, options: options.to_vec() };
        machine.power_on();
        machine
    }

    pub(crate) fn power_on(&mut self) {
        if self.over_nbd {
            self.start_disk();
        }
        self.server = Some(self.bench.serve(&self.options));
    }

    fn start_disk(&mut self) {
        let after: Vec<_> = self.disk_words.1.iter().map(String::as_str).collect();
        self.disk = Some(self.bench.serve_file("disk", &self.disk_words.0, &after));
    }

    /// Ends everything at once; what was not synced is lost.
    pub(crate) fn power_off(&mut self, loss: Loss) {
        for mut process in [self.server.take(), self.disk.take()].into_iter().flatten() {
            process.kill();
        }
        self.lose(loss);
    }

    pub(crate) fn lose(&self, loss: Loss) {
        for (number, name) in (0..).zip(["cache", "disk"]) {
            let loss = if let Loss::Some(seed) = loss { Loss::Some(seed * 2 + number) } else { loss };
            lose(&self.bench.path(name), &self.journal(name), loss).unwrap();
        }
    }

    /// Loses power, and comes back.
    pub(crate) fn cut(&mut self, loss: Loss) {
        self.power_off(loss);
        self.power_on();
    }

    /// The disk's server alone loses power, and comes back.
    pub(crate) fn cut_disk(&mut self) {
        self.disk.take().unwrap().kill();
        lose(&self.bench.path("disk"), &self.journal("disk"), Loss::All).unwrap();
        self.start_disk();
    }

    /// The disk's server goes away, and one with this file of the bench comes in its place.
    pub(crate) fn replace_disk(&mut self, file: &str) {
        self.disk.take().unwrap().kill();
        self.disk = Some(self.bench.serve_file(file, &[], &[]));
    }

    /// Asks the server to end; gives its exit code.
    pub(crate) fn end(&mut self) -> Option<i32> {
        self.server.take().unwrap().terminate().code()
    }

    /// Asks the server to end, and loses power then.
    pub(crate) fn stop(&mut self) {
        self.server.take().unwrap().terminate();
        self.power_off(Loss::All);
    }

    pub(crate) fn client(&self) -> Client {
        Client::connect(&self.bench.socket())
    }

    fn journal(&self, name: &str) -> PathBuf {
        self.bench.path(&format!("{name}.journal"))
    }

    /// From now on the file's syncs do not end (`.hold`), fail, or its reads or writes fail or are slow; until [`Machine::well`].
    pub(crate) fn ill(&self, name: &str, how: &str) {
        self.ill_with(name, how, "");
    }

    /// The same of an illness that has a number: `.full-at`, the bytes of the journal from which on writes wait.
    pub(crate) fn ill_with(&self, name: &str, how: &str, number: &str) {
        // As a whole: it is looked at all the time.
        let (path, part) = (self.bench.path(&format!("{name}.journal{how}")), self.bench.path("part"));
        fs::write(&part, number).unwrap();
        fs::rename(part, path).unwrap();
    }

    pub(crate) fn well(&self, name: &str, how: &str) {
        fs::remove_file(self.bench.path(&format!("{name}.journal{how}"))).unwrap();
    }

    pub(crate) fn syncs_begun(&self, name: &str) -> usize {
        journal::syncs_begun(&self.journal(name)).unwrap()
    }

    /// Waits for a sync that begins after there were `before`.
    pub(crate) fn wait_for_sync(&self, name: &str, before: usize) {
        wait_for("a sync", || (self.syncs_begun(name) > before).then_some(()));
    }

    pub(crate) fn drain(&self) {
        let output = self.bench.halo(&["drain", "--socket", "SOCKET"]);
        assert!(output.status.success(), "{output:?}");
    }
}
