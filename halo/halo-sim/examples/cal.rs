//! x
#![allow(clippy::all, clippy::pedantic, clippy::print_stdout, clippy::unwrap_used, missing_docs)]
use halo_core::SplitMix64;
use halo_disk::*;
fn run(p: Profile, depth: usize, op: Operation, count: u64, sectors: u64, flush: bool, mut place: impl FnMut(u64)->u64)->f64{
 let mut d=Disk::new(p); let (mut s,mut done,mut now)=(0,0,0); let mut c=Vec::new();
 while done<count { while s<count && s-done < depth as u64 { let id=s; d.submit(now, Request{id, operation: op, first_sector: place(s), sectors}); s+=1; }
  now=d.next_event_nanos().unwrap(); d.advance(now,&mut c); done+=c.len() as u64; c.clear(); 
  if flush && done==s { d.submit(now, Request{id:u64::MAX, operation:Operation::Flush, first_sector:0, sectors:0}); while c.is_empty(){ now=d.next_event_nanos().unwrap(); d.advance(now,&mut c);} c.clear(); } }
 now as f64/1e9 }
fn show(n:&str,p:Profile){
 let blocks=p.capacity_bytes/4096; let rnd=|seed| { let mut r=SplitMix64::new(seed); move |_| r.below(blocks)*8 };
 let f=|t:f64,c:f64| c/t;
 let q1=run(p,1,Operation::Read,3000,8,false,rnd(1)); let q32=run(p,32,Operation::Read,6000,8,false,rnd(2));
 let w1=run(p,1,Operation::Write,30000,8,false,rnd(3)); let w32=run(p,32,Operation::Write,30000,8,false,rnd(4));
 let wf=run(p,1,Operation::Write,1000,8,true,rnd(5));
 let sr=run(p,1,Operation::Read,2000,1024,false,|i|i*1024); let sw=run(p,1,Operation::Write,2000,1024,false,|i|i*1024);
 println!("{n}: read qd1 {:.2} ms qd32 {:.0}/s; write qd1 {:.0}/s qd32 {:.0}/s; write+flush {:.1} ms; seq read {:.0} write {:.0} MB/s", q1/3.0, f(q32,6000.0), f(w1,30000.0), f(w32,30000.0), wf, 2000.0*0.524288/sr, 2000.0*0.524288/sw);
 for n in [1u64,10,30,100]{ let mut d=Disk::new(p); let mut r=rnd(9); let mut c=Vec::new(); for id in 0..n { d.submit(0,Request{id,operation:Operation::Write,first_sector:r(id),sectors:8}); } let mut now=0; while c.len()<n as usize {now=d.next_event_nanos().unwrap(); d.advance(now,&mut c);} d.submit(now,Request{id:u64::MAX,operation:Operation::Flush,first_sector:0,sectors:0}); while c.len()<=n as usize { now=d.next_event_nanos().unwrap(); d.advance(now,&mut c);} print!("  flush after {n}: {:.0} ms", now as f64/1e6);} println!();
}
fn main(){ let m=1_000_000; for p in Profile::ALL { show(p.name,p); }
}
