"""Mutation testing of the headers: which one-token changes does no test notice?

    .ci/mutate all [FOLDER ...]   every mutant of the folders (all five if none is named)
    .ci/mutate N                  N mutants of headers drawn by the hash of the commit

The headers are instrumented so that all mutants are in one program, which takes the number of its mutant
when it starts; a first run without a mutant notes which test reaches which. Then each mutant runs the tests that reach it,
the quick ones first, until one fails. A mutant that hangs or crashes is noticed, too. What no test notices
and `survivors.tsv` does not explain is printed, and fails; so does a score below 95 %.
"""
import collections
import concurrent.futures
import hashlib
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

import instrument

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / ".ci/mutation"
BUILD = ROOT / "build-mutants"
FOLDERS = ["ring", "placement", "balance", "hash", "group"]
TESTS = FOLDERS + ["core", "table", "laws"]
COMPILER = os.environ.get("CXX", "clang++-19")
FLAGS = ["-std=c++20", "-O1", "-w", "-Wno-c++11-narrowing", f"-I{BUILD}/include", f"-I{ROOT}/tests",
         # As under a sanitizer, exhaustive tests take every so many-th case.
         "-DHASHRING_TESTS_SANITIZED=1", "-DCATCH_CONFIG_RUNTIME_STATIC_REQUIRE",
         f'-DHASHRING_GOLDEN_DIR="{ROOT}/tests/golden"', "-include", str(HERE / "mutants.hpp")]
JOBS = os.cpu_count() or 2
LEAST_SCORE = 0.95
LEAST_SCORE_OF_A_DRAW = 0.75  # of 60, whose score varies by 4 % around that of all
Mutant = collections.namedtuple("Mutant", "number header line what text")


def all_mutants(folders):
    lines = {}

    def text(header, line):
        if header not in lines:
            lines[header] = (ROOT / "include" / header).read_text(errors="surrogateescape").splitlines()
        return " ".join(lines[header][line - 1].split())

    return [Mutant(*m, text(m[1], m[2])) for m in instrument.write(str(ROOT), str(BUILD / "include"), folders)]


# --- which -----------------------------------------------------------------------------------------------


def tests_by_header():
    """Of each header the test files that noticed its mutants in the last long run."""
    result = {}
    for line in (HERE / "tests.tsv").read_text().splitlines():
        header, _, tests = line.partition("\t")
        result[header] = tests.split()
    return result


def drawn(mutants, count):
    """Up to six of each header, of headers in an order that the commit decides."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()

    def rank(*words):
        return hashlib.sha256(" ".join([commit, *map(str, words)]).encode()).hexdigest()

    by_header = collections.defaultdict(list)
    for mutant in mutants:
        by_header[mutant.header].append(mutant)
    chosen = []
    for header in sorted(by_header, key=rank):
        chosen += sorted(by_header[header], key=lambda m: rank(m.header, m.text, m.what, m.number))[:6]
        if len(chosen) >= count:
            break
    return chosen[:count]


def test_files(chosen, whole):
    every = sorted(str(p.relative_to(ROOT / "tests")) for folder in TESTS for p in (ROOT / "tests" / folder).glob("*_test.cpp"))
    if whole:
        return every
    known = tests_by_header()
    wanted = set()
    for header in {m.header for m in chosen}:
        name = header.removeprefix("hashring/").removesuffix(".hpp") + "_test.cpp"
        wanted |= set(known.get(header, [])) or {t for t in every if t.startswith(header.split("/")[1])}
        wanted |= {name} & set(every)
    return sorted(wanted & set(every))


# --- building --------------------------------------------------------------------------------------------


def compile_one(source, target):
    run = subprocess.run([COMPILER, *FLAGS, "-c", source, "-o", target], capture_output=True, text=True)
    if run.returncode != 0:
        raise SystemExit(f"{source}: {run.stderr[:3000]}")


def build(files):
    objects = BUILD / "objects"
    objects.mkdir(parents=True, exist_ok=True)
    sources = [str(HERE / "main.cpp"), str(ROOT / "tests/support/allocations.cpp")] + [str(ROOT / "tests" / f) for f in files]
    targets = [str(objects / (s.removeprefix(str(ROOT)).replace("/", "_") + ".o")) for s in sources]
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        list(pool.map(compile_one, sources, targets))
    subprocess.run([COMPILER, *targets, "-o", str(BUILD / "tests")], check=True)


# --- running ---------------------------------------------------------------------------------------------


def limit():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def noticed(names, mutant, seconds):
    """The file of the test of these names that does not pass with this mutant in time, "?" if unknown, else None."""
    with tempfile.NamedTemporaryFile("w", suffix=".names") as listed:
        listed.write("".join('"' + re.sub(r'([\\",])', r"\\\1", name) + '"\n' for name in names))
        listed.flush()
        try:
            run = subprocess.run([str(BUILD / "tests"), "-f", listed.name, "--abort"], env={**os.environ, "HASHRING_MUTANT": str(mutant)},
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=seconds, preexec_fn=limit)
        except subprocess.TimeoutExpired:
            return "?"
    if b"No tests ran" in run.stdout:
        raise SystemExit(f"no test is called one of {names}")
    if run.returncode == 0:
        return None
    where = re.search(rb"tests/(\w+/\w+_test\.cpp):\d+: FAILED", run.stdout)
    return where[1].decode() if where else "?"


def reach():
    """(seconds, mutants reached, name) of each test, the quickest first."""
    path = BUILD / "reach"
    path.unlink(missing_ok=True)
    run = subprocess.run([str(BUILD / "tests")], env={**os.environ, "HASHRING_REACH": str(path)}, stdout=subprocess.PIPE, text=True)
    if run.returncode != 0:
        raise SystemExit(f"without a mutant tests fail:\n{run.stdout[-3000:]}")
    tests = []
    for line in path.read_text().splitlines():
        seconds, ids, name = line.split("\t", 2)
        tests.append((float(seconds), set(map(int, ids.split())), name))
    return sorted(tests, key=lambda t: t[0])


def verdict(mutant, tests):
    """Killed (and by which file), survived or unreached."""
    reaching = [t for t in tests if mutant.number in t[1]]
    if not reaching:
        return "unreached", None
    batch, spent, most = [], 0.0, 0.5
    for seconds, _, name in reaching:
        batch.append(name)
        spent += seconds
        if spent > most or name == reaching[-1][2]:
            if by := noticed(batch, mutant.number, 10 + 20 * spent):
                return "killed", by
            batch, spent, most = [], 0.0, most * 4
    return "survived", None


# --- telling ---------------------------------------------------------------------------------------------


def explained():
    """(header, text of the line, what) -> why no test can notice."""
    result = {}
    for line in (HERE / "survivors.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            header, text, what, why = line.split("\t")
            result[header, text, what] = why
    return result


def note_tests(mutants, verdicts):
    """Writes which files noticed the mutants of each header, the best first."""
    files = collections.defaultdict(collections.Counter)
    for mutant, (_, by) in zip(mutants, verdicts):
        if by and by != "?":
            files[mutant.header][by] += 1
    (HERE / "tests.tsv").write_text("".join(f"{header}\t{' '.join(f for f, _ in counted.most_common())}\n" for header, counted in sorted(files.items())))


def main():
    start = time.time()
    which, folders = sys.argv[1], sys.argv[2:] or FOLDERS
    mutants = all_mutants(FOLDERS)
    whole = which == "all"
    chosen = [m for m in mutants if m.header.split("/")[1] in folders]
    if not whole:
        chosen = drawn(chosen, int(which))
    files = test_files(chosen, whole)
    print(f"{len(chosen)} of {len(mutants)} mutants, {len(files)} files of tests", flush=True)
    build(files)
    tests = reach()
    print(f"built, {len(tests)} tests: {time.time() - start:.0f} s", flush=True)
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        verdicts = list(pool.map(lambda m: verdict(m, tests), chosen))
    if whole and folders == FOLDERS:
        note_tests(chosen, verdicts)
    known = explained()
    counts = collections.Counter()
    with open(BUILD / "verdicts.tsv", "w") as out:
        for mutant, (result, by) in zip(chosen, verdicts):
            if result != "killed" and (mutant.header, mutant.text, mutant.what) in known:
                result = "explained"
            counts[result] += 1
            out.write(f"{result}\t{mutant.number}\t{mutant.header}:{mutant.line}\t{mutant.text}\t{mutant.what}\t{by or ''}\n")
            if result == "survived":
                print(f"SURVIVED {mutant.header}:{mutant.line}: {mutant.what}: {mutant.text}")
    judged = counts["killed"] + counts["survived"]
    score = counts["killed"] / judged if judged else 1.0
    print(f"{dict(counts)}: score {100 * score:.1f} %, {time.time() - start:.0f} s")
    print(f"cases: {len(chosen)}")
    sys.exit(1 if score < (LEAST_SCORE if whole else LEAST_SCORE_OF_A_DRAW) else 0)


main()
