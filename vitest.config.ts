import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/.ftl/**'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
