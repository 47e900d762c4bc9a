"""The finds of the address, leak and undefined-behaviour sanitizers in all processes that a test starts."""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile

BUILD = os.environ["BUNDLEIO_BUILD"]
# Set by the build that has them.
PRESENT = os.environ.get("BUNDLEIO_SANITIZED") == "yes"
SECONDS_MAX = 180
# GCC 12's runtime takes 16 bytes before a block of thread-local values for a header of the C library's where the block begins 16 bytes
# behind a page's start, as one in some hundred small ones does: the search for leaks then reads from wild addresses and crashes. It
# finds these blocks without that, as all that the dynamic linker allocates.
_NO_GUESS = "intercept_tls_get_addr=0"


def _finds_leaks():
    """False where the kernel lets no process stop itself to look, as in some containers."""
    probe = subprocess.run([os.path.join(BUILD, "bin", "cut_cases")], env=dict(os.environ, ASAN_OPTIONS="detect_leaks=1:" + _NO_GUESS),
                           capture_output=True, text=True, timeout=SECONDS_MAX, check=False)
    if "LeakSanitizer has encountered a fatal error" not in probe.stderr:
        return True
    print("skipped: the search for leaks: this machine does not let a process look for its own", file=sys.stderr)
    return False


def _start():
    folder = tempfile.mkdtemp(prefix="bundleio-findings-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    common = f"exitcode=99:log_path={os.path.join(folder, 'found')}"
    os.environ["ASAN_OPTIONS"] = f"{common}:{_NO_GUESS}:abort_on_error=0:detect_leaks={int(_finds_leaks())}"
    os.environ["UBSAN_OPTIONS"] = f"{common}:print_stacktrace=1:halt_on_error=1"
    os.environ["LSAN_OPTIONS"] = f"suppressions={os.path.join(os.path.dirname(os.path.abspath(__file__)), 'leaks-of-libraries')}:print_suppressions=0"
    # With what Open MPI takes by itself the search for leaks crashes (in 9 to 11 of 11 processes of test_series, with ob1 in none).
    # The same tests run with it in the build without sanitizers.
    os.environ["OMPI_MCA_pml"] = "ob1"
    return folder


_FOLDER = _start() if PRESENT else None
FINDS_LEAKS = PRESENT and "detect_leaks=1" in os.environ["ASAN_OPTIONS"]


def no_findings(test):
    """Fails `test` with the reports that came since the last call."""
    texts = []
    for name in sorted(os.listdir(_FOLDER)) if PRESENT else []:
        path = os.path.join(_FOLDER, name)
        with open(path, encoding="utf-8", errors="replace") as file:
            texts.append(file.read())
        os.remove(path)
    test.assertEqual(texts, [], "\n".join(texts))
