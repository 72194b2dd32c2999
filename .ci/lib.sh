# Shared by `.ci/run` and `.ci/full`: prepares the machine, runs checks and counts them. The last line is
# always `N passed, N failed`; the status is 0 only if nothing failed.
# shellcheck shell=bash

cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
exec </dev/null
export CI=true
# With NODE_ENV=production, npm would not install the test dependencies.
unset NODE_ENV

passed=0
failed=0
running=
apt_seconds=0
scratch=$(mktemp -d)

# --- The last line ------------------------------------------------------------------------------

# Also reached by a signal or by an error in a script, which then counts as a failure.
finish() {
  local status=$?
  trap - EXIT
  # Wait for it, so that nothing is printed after the last line.
  if [ -n "$running" ] && kill "$running"; then wait "$running" || true; fi
  if [ "$status" -ne 0 ]; then failed=$((failed + 1)); fi
  tell "What took how long" "$scratch/times"
  echo "All of it: $((SECONDS - apt_seconds)) s without apt, of ${budget:-0} s"
  # Being over budget is not a failure, because the machine may be busy.
  if [ $((SECONDS - apt_seconds)) -gt "${budget:-0}" ]; then echo "OVER BUDGET"; fi
  tell "What was skipped" "$scratch/skipped"
  # Repeated at the end, because the output is long.
  tell "What failed" "$scratch/failures"
  rm -rf "$scratch"
  if [ "$passed" -eq 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi
  echo "$passed passed, $failed failed"
  if [ "$failed" -gt 0 ]; then exit 1; fi
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

say() { printf '\n== %s\n' "$*"; }

# `tell TITLE FILE` prints the file, unless it is missing or empty.
tell() {
  if [ -s "$2" ]; then
    say "$1"
    cat "$2"
  fi
}

# Prints a failure immediately and saves it for the end.
failure() { echo "FAILED: $*" | tee -a "$scratch/failures"; }

# `took TITLE START` saves the seconds since START for the end.
took() { printf '%5d s  %s\n' "$((SECONDS - $2))" "$1" >>"$scratch/times"; }

# --- Checks -------------------------------------------------------------------------------------

# `limited SECONDS COMMAND…`. Runs in the background, because bash handles a signal only after a
# foreground command ends.
limited() {
  local status=0
  timeout --kill-after=10 "$@" &
  running=$!
  wait "$running" || status=$?
  running=
  return "$status"
}

# `check TITLE SECONDS COMMAND…` counts as one, passed or failed, and never ends the run.
check() {
  local status=0 start=$SECONDS
  say "$1"
  limited "${@:2}" || status=$?
  took "$1" "$start"
  if [ "$status" -eq 0 ]; then
    passed=$((passed + 1))
  else
    failure "$1 (status $status)"
    failed=$((failed + 1))
  fi
}

# Prints `PASSED FAILED`, or nothing if there is no report because lint or types failed. A file that
# fails before its first test counts as one. Writes the name and message of each failure to the second
# file, and the number of skipped tests per file to the third.
count_tests() {
  node --input-type=module - "$@" <<'JS'
import { appendFileSync, existsSync, readFileSync } from "node:fs";
const [path, failures, skipped] = process.argv.slice(2);
if (existsSync(path)) {
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(path, "utf8"));
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );
  for (const { name, message } of broken) appendFileSync(failures, `${name}\n${message}\n`);
  for (const { name, assertionResults } of testResults) {
    for (const { status, fullName, failureMessages } of assertionResults)
      if (status === "failed")
        appendFileSync(failures, `${name}: ${fullName}\n${failureMessages.join("\n")}\n`);
    const ran = assertionResults.filter(({ status }) => ["passed", "failed"].includes(status));
    const left = assertionResults.length - ran.length;
    if (left > 0) appendFileSync(skipped, `${name}: ${left} of ${assertionResults.length} tests\n`);
  }
  console.log(numPassedTests, numFailedTests + broken.length);
}
JS
}

# `tests SECONDS COMMAND…` runs vitest and counts its tests from the report that it writes.
tests() {
  local report=test-results/vitest.json status=0 tests_passed=0 tests_failed=0 start=$SECONDS
  rm -f "$report"
  say "${*:2}"
  limited "$@" || status=$?
  took "${*:2}" "$start"
  read -r tests_passed tests_failed \
    < <(count_tests "$report" "$scratch/failures" "$scratch/skipped") || true
  passed=$((passed + ${tests_passed:-0}))
  failed=$((failed + ${tests_failed:-0}))
  # Lint, types, a report that was never written, an error outside any test: one failure.
  if [ "$status" -ne 0 ] && [ "${tests_failed:-0}" -eq 0 ]; then
    failure "${*:2}, outside its tests (status $status)"
    failed=$((failed + 1))
  elif [ "$status" -eq 0 ] && [ "${tests_passed:-0}" -eq 0 ]; then
    failure "${*:2} reported no tests"
    failed=$((failed + 1))
  fi
}

# --- The machine --------------------------------------------------------------------------------

# A failed installation is only logged: the check that needs the program reports it.
install_packages() {
  local start=$SECONDS
  export DEBIAN_FRONTEND=noninteractive
  say "apt-get install $*"
  if ! { limited 60 apt-get update &&
    limited 300 apt-get install -y --no-install-recommends "$@"; } >"$scratch/apt.log" 2>&1; then
    cat "$scratch/apt.log"
    echo "could not install $*"
  fi
  took "apt-get" "$start"
  apt_seconds=$((apt_seconds + SECONDS - start))
}

has() { command -v "$1" >/dev/null; }

has_chromium() {
  [ -n "${CHROMIUM_PATH:-}" ] || has chromium || has chromium-browser || has google-chrome ||
    has google-chrome-stable
}

has_postgresql() {
  [ -n "${DATABASE_URL:-}" ] || has postgres || ls /usr/lib/postgresql/*/bin/postgres
} >/dev/null 2>&1

install_what_is_lacking() {
  local lacking=() program
  has_chromium || lacking+=(chromium)
  has_postgresql || lacking+=(postgresql)
  for program in git curl openssl perl strace unbound nsd nginx pgbouncer; do
    has "$program" || lacking+=("$program")
  done
  has delv || lacking+=(bind9-dnsutils)
  has cc || lacking+=(gcc libc6-dev)
  has dnssec-signzone || lacking+=(bind9-utils)
  has ldns-signzone || lacking+=(ldnsutils)
  [ -e /etc/ssl/certs/ca-certificates.crt ] || lacking+=(ca-certificates)
  if [ "${#lacking[@]}" -gt 0 ] && [ "$(id -u)" -eq 0 ] && has apt-get; then
    install_packages "${lacking[@]}"
  fi
  # Loads pages in half of the time. By itself, because not every distribution has the package.
  if ! has chromium-headless-shell && [ "$(id -u)" -eq 0 ] && has apt-get; then
    install_packages chromium-headless-shell
  fi
}

# The client libraries of docs/interop.md that are Debian packages.
install_clients() {
  local clients=(
    python3-authlib python3-flask python3-requests python3-requests-oauthlib
    golang-go golang-golang-x-oauth2-dev golang-github-coreos-go-oidc-dev
    apache2 libapache2-mod-auth-openidc
  )
  dpkg-query --show "${clients[@]}" >/dev/null 2>&1 && return
  if [ "$(id -u)" -eq 0 ] && has apt-get; then install_packages "${clients[@]}"; fi
}

# A failure ends the run, because no check works without the modules.
install_modules() {
  local start=$SECONDS
  say "npm ci"
  limited 180 npm ci
  took "npm ci" "$start"
}
