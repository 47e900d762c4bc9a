// The FLOWS scenario on SimGrid's kernel, to be measured beside the simulator's own.
//
// Usage: flows NODES FILE, where FILE has a line "start,source,target,megabytes" for each flow, in the order of starts.
// Prints one line: flows, seconds of processor time of the simulation phase, makespan in seconds, peak memory in MiB.
#include <simgrid/s4u.hpp>
#include <sys/resource.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace sg4 = simgrid::s4u;

namespace {

constexpr int rack_nodes = 20;
constexpr double disk_bytes_per_second = 100e6;
constexpr double card_bytes_per_second = 125e6;
constexpr double uplink_bytes_per_second = 1500e6;

struct Flow {
  double start;
  int source;
  int target;
  uint64_t bytes;
};

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

std::vector<Flow> read_flows(const char *path) {
  std::FILE *file = std::fopen(path, "r");
  if (file == nullptr) {
    std::fprintf(stderr, "flows: cannot read %s\n", path);
    std::exit(2);
  }
  std::vector<Flow> flows;
  Flow flow{};
  double megabytes = 0;
  while (std::fscanf(file, "%lf,%d,%d,%lf", &flow.start, &flow.source, &flow.target, &megabytes) == 4) {
    flow.bytes = static_cast<uint64_t>(megabytes * 1e6 + 0.5);
    flows.push_back(flow);
  }
  std::fclose(file);
  return flows;
}

const sg4::Link *link(sg4::NetZone *zone, const std::string &name, double bytes_per_second) {
  return zone->create_link(name, bytes_per_second)->set_latency(0)->seal();
}

// Racks are stars in a star: a flow inside a rack meets disk and cards only, one between racks both uplinks as well.
std::vector<sg4::Host *> make_cluster(int nodes) {
  std::vector<sg4::Host *> hosts;
  sg4::NetZone *root = sg4::create_star_zone("cluster");
  for (int first = 0; first < nodes; first += rack_nodes) {
    const std::string rack_name = "rack" + std::to_string(first / rack_nodes);
    sg4::NetZone *rack = sg4::create_star_zone(rack_name);
    rack->set_parent(root);
    for (int node = first; node < nodes && node < first + rack_nodes; node++) {
      const std::string name = std::to_string(node);
      sg4::Host *host = rack->create_host("node" + name, 1e9);
      hosts.push_back(host);
      const sg4::Link *disk = link(rack, "disk" + name, disk_bytes_per_second);
      const sg4::Link *up = link(rack, "up" + name, card_bytes_per_second);
      const sg4::Link *down = link(rack, "down" + name, card_bytes_per_second);
      rack->add_route(host->get_netpoint(), nullptr, nullptr, nullptr,
                      {sg4::LinkInRoute(disk), sg4::LinkInRoute(up)}, false);
      rack->add_route(nullptr, host->get_netpoint(), nullptr, nullptr, {sg4::LinkInRoute(down)}, false);
    }
    auto *router = rack->create_router(rack_name + "-router");
    rack->add_route(router, nullptr, nullptr, nullptr, std::vector<sg4::LinkInRoute>{}, false);
    rack->add_route(nullptr, router, nullptr, nullptr, std::vector<sg4::LinkInRoute>{}, false);
    const sg4::Link *rack_up = link(root, rack_name + "-up", uplink_bytes_per_second);
    const sg4::Link *rack_down = link(root, rack_name + "-down", uplink_bytes_per_second);
    root->add_route(rack->get_netpoint(), nullptr, router, nullptr, {sg4::LinkInRoute(rack_up)}, false);
    root->add_route(nullptr, rack->get_netpoint(), nullptr, router, {sg4::LinkInRoute(rack_down)}, false);
    rack->seal();
  }
  root->seal();
  return hosts;
}

}  // namespace

int main(int argc, char **argv) {
  sg4::Engine engine(&argc, argv);
  // Plain max-min fairness: no windows, no protocol overhead, no cross traffic; sharing as exact as it can be set.
  sg4::Engine::set_config("network/model:CM02");
  sg4::Engine::set_config("network/TCP-gamma:0");
  sg4::Engine::set_config("network/crosstraffic:0");
  sg4::Engine::set_config("network/bandwidth-factor:1");
  sg4::Engine::set_config("network/latency-factor:1");
  sg4::Engine::set_config("network/weight-S:0");
  sg4::Engine::set_config("surf/precision:1e-9");
  sg4::Engine::set_config("maxmin/precision:1e-9");
  if (argc != 3) {
    std::fprintf(stderr, "usage: flows NODES FILE\n");
    return 2;
  }
  const std::vector<Flow> flows = read_flows(argv[2]);
  const std::vector<sg4::Host *> hosts = make_cluster(std::atoi(argv[1]));
  sg4::Actor::create("starter", hosts[0], [&flows, &hosts] {
    for (const Flow &flow : flows) {
      if (flow.start > sg4::Engine::get_clock()) {
        sg4::this_actor::sleep_until(flow.start);
      }
      sg4::Comm::sendto_init(hosts[flow.source], hosts[flow.target])
          ->set_payload_size(flow.bytes)
          ->detach();  // which starts it
    }
  });
  const double before = cpu_seconds();
  engine.run();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%zu %.6f %.9f %.1f\n", flows.size(), cpu_seconds() - before, sg4::Engine::get_clock(),
              static_cast<double>(usage.ru_maxrss) / 1024);
  return 0;
}
