/**
 * The tests that `npm run test:nightly` runs and `npm test` leaves out, by reason. A new test
 * is in both until it is named here.
 */
const NIGHTLY = {
  /** They measure time, load a machine or count processes: one file at a time, after all others. */
  measuring: [
    'test/contract/head-to-body',
    'test/e2e/dev-interrupt',
    'test/e2e/start',
    'test/faults/calls',
    'test/faults/descriptions-in-time',
    'test/faults/never-yields',
    'test/host/components-memory',
    'test/host/slow-reader',
    'test/host/workers',
    'test/hostile/crowd',
    'test/hostile/large-bodies',
    'test/hostile/listeners',
    'test/hostile/lost-threads',
    'test/hostile/many-readers',
    'test/hostile/quarantine',
    'test/hostile/remote-heap',
    'test/hostile/slow-clients',
    'test/hostile/soak',
    'test/jobs/load',
    'test/many/faults',
    'test/search/large-catalog',
    'test/web/{activity,palette}',
    'test/web/code/code',
    'test/web/figures',
    'test/web/firefox-fluent',
    'test/web/fluent',
  ],
  /** They wait for a real minute, or kill and start a host many times. */
  long: [
    'test/audit/killed',
    'test/host/interleaved',
    'test/host/killed',
    'test/host/reload-memory',
    'test/host/soak',
    'test/jobs/kill*',
    'test/jobs/long-rendering',
    'test/jobs/readers',
    'test/remote/{bridge-stdio,restarted,slow-servers}',
  ],
  /** Random inputs in great number. */
  random: ['test/hostile/native-fuzz', 'test/rest/schemathesis'],
  /** The engine, which changes only with engine.wasm: each build compares its digest. */
  engine: ['engine/test/**/*', 'test/hostile/engine-under-attack'],
  /** What is packed and published, and what others make of it. */
  packages: [
    'test/authors/**/*',
    'test/docs/{printed-commands,site}',
    'test/e2e/{created-application,new-templates,new-user,packed-packages}',
    'test/packages/**/*',
    'test/registry/publish',
  ],
  /** Whole days of work with `ftl dev`, `ftl new` and `ftl start`. */
  days: [
    'test/e2e/{build-together,dev,dev-broken,dev-errors,groups,new-command,operation,start-again}',
  ],
  /** Other hosts, clients, engines, stores and libraries than those that most people have. */
  others: [
    'test/audit/otlp',
    'test/authentication/fastmcp',
    'test/client/{documentation,gateway,manager,misbehaving}',
    'test/client/conformance/**/*',
    'test/code/clients/**/*',
    'test/contract/{node,platform,single,workers}',
    'test/contract/clients/**/*',
    'test/host/{foreign,stopping,telemetry}',
    'test/intl/**/*',
    'test/jobs/{inspector,official-clients}',
    'test/libraries/**/*',
    'test/many/!(faults)',
    'test/providers/{providers,upstream}',
    'test/remote/{documentation,real-servers}',
  ],
  /** A client and a tokenizer that only `test/judges` installs. `packages` and `others` need it, too. */
  judges: ['cli/src/demo-model/server', 'gateway/src/search/context-tokens', 'test/rest/openai'],
  /** Storyboards, Firefox, and what the page has beyond calling tools and reading results. */
  page: [
    'test/hostile/app-network',
    'test/code/save',
    'test/pinning/pin',
    'test/web/{app-page,app-polling,constructs,conversations,create,firefox,frame,kept}',
    'test/web/{list-changes,look,mcp-offers,mcp-servers,mcp-sign-in,network,pictures,sent-files,sign-in}',
    'test/web/storyboard*',
  ],
}

const filesOf = (names: readonly string[]) => names.map((name) => `${name}.test.ts`)

/** Globs of files that run one at a time. */
export const MEASURING = filesOf(NIGHTLY.measuring)

const { measuring: _, ...beside } = NIGHTLY

/** Globs of the other files. */
export const OTHER_NIGHTLY = filesOf(Object.values(beside).flat())

/** Whether this is `npm run test:nightly`. */
export const isNightly = process.env['FTL_TEST_NIGHTLY'] === '1'

/** Whether this run has them: at night, or where files or folders are named. */
export const hasAll =
  isNightly || process.argv.some((argument) => /^(\.\/)?[a-z-]+\/|\.test/.test(argument))
