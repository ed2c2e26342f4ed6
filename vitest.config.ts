import { configDefaults, defineConfig } from 'vitest/config'

const exclude = [...configDefaults.exclude, '**/.ftl/**', '**/dist/**']

/** They measure deadlines, or take all of the machine: one file at a time, after all others. */
const TIMED = [
  'test/host/**/*.test.ts',
  'test/hostile/**/*.test.ts',
  'test/faults/**/*.test.ts',
  'test/fidelity/**/*.test.ts',
  'test/web/{served,network}.test.ts',
  'test/e2e/dev.test.ts',
]

/** Tests of real components on the real host; the components are built once, before the first test. */
const onHost = {
  globalSetup: ['./test/support/build.ts'],
  // A shared machine can stop for seconds. The second attempt is reported as FLAKY, and is a defect to mend.
  retry: 1,
}

export default defineConfig({
  test: {
    reporters: ['default', './test/support/summary-reporter.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['**/src/**/*.test.ts', 'comfyui/**/*.test.ts'],
          exclude,
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          ...onHost,
          name: 'system',
          include: ['test/**/*.test.ts'],
          exclude: [...exclude, ...TIMED],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...onHost,
          name: 'timed',
          include: TIMED,
          exclude,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
