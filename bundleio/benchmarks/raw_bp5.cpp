// Direct ADIOS2: deferred puts of all variables, one step.
#include <adios2.h>

#include <algorithm>

#include "raw.hpp"

namespace bundleio::raw {

void writeBp5(const Work& work) {
  int ranks = 1;
  MPI_Comm_size(work.comm, &ranks);
  adios2::ADIOS adios(work.comm);
  adios2::IO io = adios.DeclareIO("step");
  io.SetEngine("BP5");
  io.SetParameters({{"AggregationType", "EveryoneWrites"},
                    {"NumAggregators", std::to_string(std::min(4, ranks))},
                    {"MinDeferredSize", "4096"},
                    {"StatsLevel", "0"}});
  adios2::Engine engine = io.Open((work.folder / "bundles.bp").string(), adios2::Mode::Write);
  std::vector<adios2::Variable<float>> variables;
  for (const Variable& variable : work.schema.variables()) {
    const std::string name = work.schema.bundleOf(variable).name + "/" + variable.name;
    const Hyperslab slab = ownSlab(variable);
    variables.push_back(io.DefineVariable<float>(
        name, {variable.lengths.begin(), variable.lengths.end()},
        {slab.start.begin(), slab.start.end()}, {slab.count.begin(), slab.count.end()}));
    for (const Attribute& attribute : variable.attributes) {
      const auto* text = reinterpret_cast<const char*>(attribute.bytes.data());
      io.DefineAttribute<std::string>(name + "/" + attribute.name,
                                      std::string(text, attribute.bytes.size()));
    }
  }
  engine.BeginStep();
  for (std::size_t i = 0; i < variables.size(); ++i) {
    engine.Put(variables[i], work.model.values(static_cast<int>(i)), adios2::Mode::Deferred);
  }
  engine.EndStep();
  engine.Close();
}

}  // namespace bundleio::raw
