import { configDefaults, defineConfig } from 'vitest/config'

const exclude = [...configDefaults.exclude, '**/.ftl/**', '**/dist/**']

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
          // Real components on the real host: built once, before the first test.
          name: 'system',
          include: ['test/**/*.test.ts'],
          exclude,
          globalSetup: ['./test/support/build.ts'],
          // The tests measure deadlines, and two cores are few: one file at a time, after all unit tests.
          fileParallelism: false,
          // A shared machine can stop for seconds. The second attempt is reported as FLAKY, and is a defect to mend.
          retry: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
