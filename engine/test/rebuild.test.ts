/**
 * `npm run engine` gives the committed bytes. It takes two minutes on two cores, so it runs where it is asked for:
 * `FTL_REBUILD_ENGINE=1 npx vitest run engine/test/rebuild.test.ts`.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const REPOSITORY = join(import.meta.dirname, '../..')

function whySkipped(): string | undefined {
  if (process.env['FTL_REBUILD_ENGINE'] !== '1') return 'FTL_REBUILD_ENGINE is not 1'
  const { stdout } = spawnSync('rustup', ['target', 'list', '--installed'], { encoding: 'utf8' })
  if (!stdout?.includes('wasm32-wasip1')) return 'Rust with wasm32-wasip1 is not installed'
  const { status } = spawnSync('python3', ['-m', 'ziglang', 'version'])
  return status === 0 ? undefined : 'ziglang is not installed'
}

const reason = whySkipped()

it.skipIf(reason !== undefined)(
  `a rebuild has the bytes of engine.wasm${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  { timeout: 20 * 60_000, retry: 0 },
  () => {
    const run = spawnSync('npm', ['run', 'engine', '--', '--check'], {
      cwd: REPOSITORY,
      encoding: 'utf8',
    })
    expect(run.stdout + run.stderr).toContain('the same bytes as engine.wasm')
    expect(run.status).toBe(0)
  },
)
