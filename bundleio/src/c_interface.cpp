// The C interface over the C++ core: handles, and exceptions turned into statuses. Readers have a
// file of their own.
#include "c_handles.hpp"

namespace {

using bundleio::call;
using bundleio::checkGiven;
using bundleio::ContextCall;
using bundleio::Counting;
using bundleio::decompositionOf;
using bundleio::Failure;
using bundleio::initMessage;
using bundleio::localCall;
using bundleio::noHandle;
using bundleio::noPlace;

template <class Work>
int runCall(bio_run* run, Work&& work) {
  if (run == nullptr) return noHandle("run");
  return call(run->context->message, [&] { work(*run->core); });
}

int makeContext(MPI_Comm comm, bio_context** context) {
  return call(initMessage, [&] {
    checkGiven(context, "context");
    *context = nullptr;
    int initialized = 0;
    MPI_Initialized(&initialized);
    if (initialized == 0) throw Failure(BIO_STATE, "call MPI_Init before bio_init");
    if (comm == MPI_COMM_NULL) throw Failure(BIO_BAD_ARGUMENT, "the communicator is null");
    *context = new bio_context(comm);
  });
}

bundleio::Extent extentOf(int count, const int64_t* values, const char* name) {
  // Errors that the other languages pass on, so that all ranks learn of them.
  if (count < 0) {
    throw Failure(BIO_BAD_ARGUMENT,
                  "lengths, start and count of a decomposition must be equally many integers");
  }
  if (count > 0) checkGiven(values, name);
  return {values, values + count};
}

int keep(bio_context* context, bundleio::Decomposition made) {
  context->decompositions.push_back(
      std::make_shared<const bundleio::Decomposition>(std::move(made)));
  return static_cast<int>(context->decompositions.size()) - 1;
}

int mapOf(bio_context* context, int dimensionCount, const int64_t* lengths, int64_t cellCount,
          const int64_t* cells, Counting counting, int* decomposition) {
  if (context == nullptr) return noHandle("context");
  if (decomposition == nullptr) return noPlace(context, "decomposition");
  return call(context->message, [&] {
    bundleio::Extent whole;
    std::vector<int64_t> own;
    context->comm.agree(ContextCall::decompose, [&] {
      whole = extentOf(dimensionCount, lengths, "lengths");
      if (cellCount < 0) throw Failure(BIO_BAD_ARGUMENT, "a negative number of cells");
      if (cellCount > 0) checkGiven(cells, "cells");
      own.assign(cells, cells + cellCount);
    });
    *decomposition = keep(context, bundleio::Decomposition::map(context->comm, std::move(whole),
                                                                std::move(own), counting));
  });
}

}  // namespace

extern "C" {

int bio_init(MPI_Comm comm, bio_context** context) { return makeContext(comm, context); }

int bio_init_f(MPI_Fint comm, bio_context** context) {
  return makeContext(MPI_Comm_f2c(comm), context);
}

int bio_finish(bio_context* context) {
  if (context == nullptr) return noHandle("context");
  if (context->openRuns > 0) {
    context->message =
        std::to_string(context->openRuns) + " runs or readers are still open: close them";
    return BIO_STATE;
  }
  delete context;
  return BIO_OK;
}

const char* bio_message(const bio_context* context) {
  return context == nullptr ? initMessage.c_str() : context->message.c_str();
}

int bio_decomp_block(bio_context* context, int dimension_count, const int64_t* lengths,
                     const int64_t* start, const int64_t* count, int* decomposition) {
  if (context == nullptr) return noHandle("context");
  if (decomposition == nullptr) return noPlace(context, "decomposition");
  return call(context->message, [&] {
    bundleio::Extent whole;
    bundleio::Block own;
    context->comm.agree(ContextCall::decompose, [&] {
      whole = extentOf(dimension_count, lengths, "lengths");
      own = {extentOf(dimension_count, start, "start"), extentOf(dimension_count, count, "count")};
    });
    *decomposition =
        keep(context, bundleio::Decomposition::block(context->comm, std::move(whole), own));
  });
}

int bio_decomp_map(bio_context* context, int dimension_count, const int64_t* lengths,
                   int64_t cell_count, const int64_t* cells, int* decomposition) {
  return mapOf(context, dimension_count, lengths, cell_count, cells, Counting::fromZero,
               decomposition);
}

int bio_decomp_map_one_based(bio_context* context, int dimension_count, const int64_t* lengths,
                             int64_t cell_count, const int64_t* cells, int* decomposition) {
  return mapOf(context, dimension_count, lengths, cell_count, cells, Counting::fromOne,
               decomposition);
}

// The header does not declare it. For bundleio_pio: by the call that they make, its callers say
// from where they count, and no map of theirs is refused for looking otherwise.
__attribute__((visibility("default"))) int bio_decomp_map_for_pio(
    bio_context* context, int dimension_count, const int64_t* lengths, int64_t cell_count,
    const int64_t* cells, int* decomposition) {
  return mapOf(context, dimension_count, lengths, cell_count, cells, Counting::fromOneForSure,
               decomposition);
}

int bio_open(bio_context* context, const char* path, int mode, const char* backend,
             const char* options, bio_run** run) {
  if (context == nullptr) return noHandle("context");
  if (run == nullptr) return noPlace(context, "run");
  *run = nullptr;
  return call(context->message, [&] {
    context->comm.agree(ContextCall::open, [&] {
      checkGiven(path, "path");
      checkGiven(backend, "backend");
    });
    auto opened = std::make_unique<bundleio::Run>(context->comm, path, mode, backend,
                                                  options == nullptr ? "" : options);
    *run = new bio_run{context, std::move(opened), ""};
    ++context->openRuns;
  });
}

int bio_bundle(bio_run* run, const char* name, int* bundle) {
  return localCall(run, [&](bundleio::Run& target) {
    checkGiven(name, "name");
    checkGiven(bundle, "bundle");
    *bundle = target.definitions().addBundle(name);
  });
}

int bio_def_dim(bio_run* run, int bundle, const char* name, int64_t length, int* dimension) {
  return localCall(run, [&](bundleio::Run& target) {
    checkGiven(name, "name");
    checkGiven(dimension, "dimension");
    *dimension = target.definitions().addDimension(bundle, name, length);
  });
}

int bio_def_var(bio_run* run, int bundle, const char* name, int type, int dimension_count,
                const int* dimensions, int decomposition, int* variable) {
  return localCall(run, [&](bundleio::Run& target) {
    checkGiven(name, "name");
    checkGiven(variable, "variable");
    if (dimension_count < 0) throw Failure(BIO_BAD_ARGUMENT, "a negative number of dimensions");
    if (dimension_count > 0) checkGiven(dimensions, "dimensions");
    *variable = target.definitions().addVariable(bundle, name, type,
                                                 {dimensions, dimensions + dimension_count},
                                                 decompositionOf(*run->context, decomposition));
  });
}

// The header does not declare it. For bundleio_pio, whose callers define before it is known who
// owns what, and may define otherwise after an error.
__attribute__((visibility("default"))) int bio_forget_definitions_for_pio(bio_run* run) {
  return runCall(run, [](bundleio::Run& target) { target.forgetDefinitions(); });
}

int bio_def_every(bio_run* run, int variable, int64_t every) {
  return localCall(run, [&](bundleio::Run& target) { target.setEvery(variable, every); });
}

int bio_put_att(bio_run* run, int bundle, int variable, const char* name, int type, int64_t count,
                const void* values) {
  return localCall(run, [&](bundleio::Run& target) {
    checkGiven(name, "name");
    target.definitions().addAttribute(bundle, variable, name, type, count, values);
  });
}

int bio_due(bio_run* run, int variable, int* due) {
  return localCall(run, [&](bundleio::Run& target) {
    checkGiven(due, "due");
    *due = target.isDue(variable) ? 1 : 0;
  });
}

int bio_step_begin(bio_run* run) {
  return localCall(run, [](bundleio::Run& target) { target.stepBegin(); });
}

int bio_put(bio_run* run, int variable, const void* values) {
  return localCall(run, [&](bundleio::Run& target) {
    target.put(variable, static_cast<const std::byte*>(values));
  });
}

int bio_put_levels(bio_run* run, int variable, int64_t first, int64_t count, const void* values) {
  return localCall(run, [&](bundleio::Run& target) {
    target.put(variable, first, count, static_cast<const std::byte*>(values));
  });
}

int bio_check_put(bio_run* run, int variable, int64_t count, int type, int64_t value_count) {
  return localCall(run, [&](bundleio::Run& target) {
    target.schema().variable(variable).checkValues(count, type, value_count);
  });
}

int bio_fail(bio_run* run, int status, const char* message) {
  return localCall(run, [&](bundleio::Run&) {
    checkGiven(message, "message");
    if (status <= BIO_OK || status > BIO_DRAIN) {
      throw Failure(BIO_BAD_ARGUMENT, "status " + std::to_string(status) + " is no error");
    }
    throw Failure(static_cast<bio_status>(status), message);
  });
}

int bio_step_end(bio_run* run) {
  return runCall(run, [](bundleio::Run& target) { target.stepEnd(); });
}

int bio_wait(bio_run* run) {
  return runCall(run, [](bundleio::Run& target) { target.wait(); });
}

int bio_test(const bio_run* run, int* done) {
  if (run == nullptr) return noHandle("run");
  if (done == nullptr) return noPlace(run->context, "done");
  *done = run->core->isPending() ? 0 : 1;
  return BIO_OK;
}

int bio_close(bio_run* run) {
  const int status = runCall(run, [](bundleio::Run& target) { target.close(); });
  if (run != nullptr) {
    --run->context->openRuns;
    delete run;
  }
  return status;
}

int bio_report(bio_run* run, const char** json) {
  return runCall(run, [&](bundleio::Run& target) {
    checkGiven(json, "json");
    run->report = target.report();
    *json = run->report.c_str();
  });
}

}  // extern "C"
