import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import LongestFirst from './test/support/longest-first.ts'
import { hasAll, MEASURING, OTHER_NIGHTLY } from './test/support/nightly.ts'

const exclude = [...configDefaults.exclude, '**/.ftl/**', '**/dist/**']

/** Left out: all of them, or none. */
const nightly = hasAll ? [] : [...MEASURING, ...OTHER_NIGHTLY]

/** They run together, in `test/contract/mcp.test.ts`, because an application for each file takes longer than its tests. */
const TOGETHER = 'test/contract/mcp/*.test.ts'

/** By its name, one of these files runs by itself. */
const isNamed = process.argv.some((argument) => argument.includes('test/contract/mcp/'))

/** Processes of the test runner inherit it. */
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('./node_modules/.cache/ftl-tests', import.meta.url),
)
const CODE_CACHE = './test/support/code-cache.ts'

/** Node loads the modules itself: the sources are TypeScript that it can strip, and a loader of its own costs a fifth of the time. */
const native = { experimental: { viteModuleRunner: false, nodeLoader: false } }

/** Real components on the real host. Built once, before the first test. */
const system = {
  ...native,
  globalSetup: ['./test/support/build.ts'],
  setupFiles: [CODE_CACHE, './test/support/tests-host.ts'],
}

/** Their modules have JSX and styles, which Node does not load, or are to be loaded a second time, which Node does not do. */
const TRANSFORMED = [
  'client/src/telemetry.test.ts',
  'components/web/src/**/*.test.ts',
  'gateway/src/server-info.test.ts',
]

const unit = {
  setupFiles: [CODE_CACHE, './test/support/property-seed.ts'],
  // None measures time, so none needs a second attempt.
  retry: 0,
  // They wait more than they compute.
  maxWorkers: 4,
  // A process for each file takes longer than its tests.
  isolate: false,
}

const SYSTEM_WORKERS = {
  // One more than processors on CI, because each waits now and then: for a job, a timer or a process.
  maxWorkers: 3,
  // A process, its modules and its compiled components for each file take an eighth of the time.
  isolate: false,
  sequence: { groupOrder: 1 },
}

/** Apart from the others: some look at the processes that theirs has started. */
const HOSTILE = 'test/hostile/**/*.test.ts'

/** Spin compiles every component at its first start. */
const HOOK_MS = process.env['FTL_TEST_SPIN'] === undefined ? 120_000 : 900_000

export default defineConfig({
  test: {
    reporters: ['default', './test/support/summary-reporter.ts'],
    testTimeout: 30_000,
    hookTimeout: HOOK_MS,
    // The default of a second is too short for a browser on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    // A shared machine can stop for seconds. A test that needs the second attempt is listed as FLAKY: a defect to mend.
    retry: 1,
    sequence: { sequencer: LongestFirst },
    globalSetup: ['./test/support/memory-folder.ts'],
    projects: [
      {
        extends: true,
        test: {
          ...unit,
          name: 'unit-transformed',
          include: TRANSFORMED,
          exclude,
        },
      },
      {
        extends: true,
        test: {
          ...unit,
          ...native,
          name: 'unit',
          include: [
            '**/src/**/*.test.ts',
            'comfyui/**/*.test.ts',
            'engine/test/**/*.test.ts',
            'bench/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          exclude: [...exclude, ...nightly, ...TRANSFORMED],
        },
      },
      {
        extends: true,
        test: {
          ...system,
          name: 'system',
          include: ['test/**/*.test.ts'],
          exclude: [
            ...[...exclude, ...MEASURING, ...OTHER_NIGHTLY, HOSTILE],
            ...(isNamed ? [] : [TOGETHER]),
          ],
          ...SYSTEM_WORKERS,
        },
      },
      {
        extends: true,
        test: {
          ...system,
          name: 'system-nightly',
          include: hasAll ? OTHER_NIGHTLY.filter((glob) => glob.startsWith('test/')) : [],
          exclude: [...exclude, HOSTILE],
          ...SYSTEM_WORKERS,
          // Some kill processes, or look at all that theirs has started.
          isolate: true,
        },
      },
      {
        extends: true,
        test: {
          ...system,
          name: 'system-hostile',
          include: [HOSTILE],
          exclude: [...exclude, ...MEASURING, ...nightly],
          ...SYSTEM_WORKERS,
        },
      },
      {
        extends: true,
        test: {
          ...system,
          name: 'measuring',
          include: hasAll ? MEASURING : [],
          exclude,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
