/** The black-box suites, each with the application it belongs to. */
import { fileURLToPath } from 'node:url'
import { MANIFESTS } from '../support/manifests.ts'

export interface BlackBoxSuite {
  name: string
  /** @default none: the tests start Spin themselves (`FTL_TEST_SPIN`) */
  manifest?: string
  /** Files or folders, relative to the repository. */
  tests: readonly string[]
  /** More arguments of `spin up`. @default none */
  args?: readonly string[]
  /** More environment variables of `spin up`. @default none */
  env?: Readonly<Record<string, string>>
  /** The application renders pictures: it needs a ComfyUI, which is a simulator here, and a bridge. @default false */
  renders?: boolean
}

/** Projects of vitest.config.ts that have the tests: all but that of the unit tests. */
export const PROJECTS = ['system', 'system-nightly', 'system-hostile', 'measuring']

export const SUITES: readonly BlackBoxSuite[] = [
  {
    name: 'contract',
    manifest: MANIFESTS.fixtures,
    tests: [
      'api-reference',
      'private-components',
      'internal-requests',
      'head-to-body',
      'streaming-guide',
    ].map((name) => `test/contract/${name}.test.ts`),
    renders: true,
  },
  { name: 'mcp', manifest: MANIFESTS.mcp, tests: ['test/contract/mcp.test.ts'] },
  { name: 'single', tests: ['test/contract/single.test.ts'] },
  {
    name: 'faults',
    manifest: fileURLToPath(new URL('../faults/app/spin.toml', import.meta.url)),
    tests: ['test/faults'],
    // A tool that allocates without end would otherwise take 4 GiB.
    args: ['--max-instance-memory', String(128 * 1024 * 1024)],
  },
  {
    name: 'fidelity',
    manifest: MANIFESTS.fidelity,
    tests: ['test/fidelity'],
    args: ['--key-value', 'seeded=yes', '-e', 'ADDED=by-flag'],
    env: { SPIN_VARIABLE_REQUIRED: 'given' },
  },
  {
    name: 'conformance',
    manifest: MANIFESTS.conformance,
    tests: ['conformance', 'skills'].map((name) => `test/conformance/${name}.test.ts`),
  },
  { name: 'clients', manifest: MANIFESTS.conformance, tests: ['test/contract/clients'] },
  { name: 'rest', manifest: MANIFESTS.rest, tests: ['test/rest'] },
  { name: 'search', manifest: MANIFESTS.search, tests: ['test/search'] },
  { name: 'code', tests: ['test/code', 'test/hostile/programs.test.ts'] },
  // One embedded host and one Spin share a Redis or Valkey.
  { name: 'many', tests: ['test/many/beside-spin.test.ts'] },
  {
    name: 'operators',
    tests: ['approval', 'operators'].map((name) => `test/authentication/${name}.test.ts`),
  },
  {
    name: 'auth-server',
    tests: ['flow', 'attacks'].map((name) => `test/auth-server/${name}.test.ts`),
  },
  {
    name: 'remote',
    tests: ['consent', 'consent-attacks', 'consent-tokens', 'list-changes', 'sessions'].map(
      (name) => `test/remote/${name}.test.ts`,
    ),
  },
  { name: 'uploads', tests: ['test/uploads'] },
  { name: 'openapi', tests: ['test/openapi'] },
  { name: 'first-start', tests: ['test/on-spin/compiles-first.test.ts'] },
]

/** The application of the measurements. */
export const BENCH_MANIFEST = fileURLToPath(
  new URL('../../bench/fixtures/spin.toml', import.meta.url),
)
