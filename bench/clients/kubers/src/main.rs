// SPDX-License-Identifier: Apache-2.0
// kube-rs clients for the informer benchmark.
// usage: kubers MODE [--stream]      MODE: typed | typed-watch | meta | meta-watch | dynamic
//   typed       watcher(Pod) -> reflector(store); default watcher::Config (paged list, 500)
//   typed-watch watcher(Pod) alone, without a store, like a plain kube-rs watch program
//   meta        metadata_watcher -> reflector(store)
//   meta-watch  metadata_watcher alone
//   dynamic     watcher(DynamicObject) -> reflector(store)
// --stream uses the WatchList strategy. $KUBECONFIG selects the server.
use futures::{Stream, StreamExt};
use k8s_openapi::api::core::v1::Pod;
use kube::{
    Api, Client, Resource, ResourceExt,
    api::{ApiResource, DynamicObject},
    runtime::{WatchStreamExt, metadata_watcher, reflector, watcher},
};
use std::collections::HashSet;
use std::hash::Hash;
use std::io::Write;

async fn drive<K, S>(mut s: S, keys_known: Option<reflector::Store<K>>) -> Result<(), Box<dyn std::error::Error>>
where
    K: Resource + ResourceExt + Clone + 'static,
    K::DynamicType: Eq + Hash + Clone,
    S: Stream<Item = Result<watcher::Event<K>, watcher::Error>> + Unpin,
{
    let out = std::io::stdout();
    // Rust's Stdout is line buffered: one write() per line, like println!.
    let mut out = std::io::LineWriter::with_capacity(64 * 1024, out.lock());
    let mut n = 0usize;
    let _ = &keys_known;
    while let Some(ev) = s.next().await {
        match ev {
            Ok(watcher::Event::Init) => n = 0,
            Ok(watcher::Event::InitApply(_)) => n += 1,
            Ok(watcher::Event::InitDone) => writeln!(out, "SYNCED {n}")?,
            Ok(watcher::Event::Apply(o)) => {
                let name = o.name_any();
                writeln!(
                    out,
                    "Updated {}/{} {}",
                    o.namespace().unwrap_or_default(),
                    name,
                    o.resource_version().unwrap_or_default()
                )?;
                if name == "sentinel" {
                    out.flush()?;
                    break;
                }
            }
            Ok(watcher::Event::Delete(o)) => writeln!(
                out,
                "Deleted {}/{} {}",
                o.namespace().unwrap_or_default(),
                o.name_any(),
                o.resource_version().unwrap_or_default()
            )?,
            Err(e) => eprintln!("error: {e}"),
        }
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let flags: HashSet<&str> = args.iter().map(|s| s.as_str()).collect();
    let mode = args.first().map(|s| s.as_str()).unwrap_or("typed");
    let client = Client::try_default().await?;
    let mut cfg = watcher::Config::default();
    if flags.contains("--stream") {
        cfg = cfg.streaming_lists();
    }
    let api: Api<Pod> = Api::all(client.clone());
    match mode {
        "typed" => {
            let (store, writer) = reflector::store::<Pod>();
            let s = reflector(writer, watcher(api, cfg).default_backoff());
            drive(Box::pin(s), Some(store)).await
        }
        "typed-watch" => drive(Box::pin(watcher(api, cfg).default_backoff()), None).await,
        "meta" => {
            let (store, writer) = reflector::store();
            let s = reflector(writer, metadata_watcher(api, cfg).default_backoff());
            drive(Box::pin(s), Some(store)).await
        }
        "meta-watch" => drive(Box::pin(metadata_watcher(api, cfg).default_backoff()), None).await,
        "dynamic" => {
            let ar = ApiResource::erase::<Pod>(&());
            let dynapi: Api<DynamicObject> = Api::all_with(client, &ar);
            let writer = reflector::store::Writer::new(ar);
            let store = writer.as_reader();
            let s = reflector(writer, watcher(dynapi, cfg).default_backoff());
            drive(Box::pin(s), Some(store)).await
        }
        m => Err(format!("unknown mode {m}").into()),
    }
}
