import { parseManifest } from 'ftl-host'
import { describe, expect, it } from 'vitest'
import type { Application } from '../application/load-application.ts'
import { affectedBy, watchedBy } from './affected.ts'

const manifest = parseManifest(
  `spin_manifest_version = 2
[application]
name = "app"
[component.ours]
source = "dist/ours.wasm"
[component.ours.build]
command = "npx ftl build"
[component.ours.tool.ftl]
entry = "ours/main.ts"
[component.rusty]
source = "dist/rusty.wasm"
[component.rusty.build]
command = ["cargo build", "cp a b"]
workdir = "rusty"
watch = ["src/**/*.rs", "Cargo.toml"]
[component.bought]
source = "bought.wasm"
`,
  '/app/spin.toml',
)
const application: Application = {
  manifest,
  targets: [{ id: 'ours', entry: '/app/ours/main.ts', output: '/app/dist/ours.wasm' }],
  cacheFolder: '/app/.ftl/cache',
  stateFolder: '/app/.ftl/state',
}
const inputs = new Map([['ours', ['/app/ours/main.ts', '/shared/words.ts']]])

const affected = (path: string, failed: string[] = []) =>
  affectedBy(new Set([path]), application, inputs, new Set(failed))
const NOTHING = { manifest: false, components: [], foreign: [], sources: false }

describe('a change', () => {
  it.each(['/app/spin.toml', '/app/.env'])('of %s is one of the application', (path) => {
    expect(affected(path)).toEqual({ ...NOTHING, manifest: true })
  })

  it('of a file that went into a component builds it, wherever the file lies', () => {
    expect(affected('/shared/words.ts')).toEqual({ ...NOTHING, components: ['ours'] })
  })

  it('of a file beside it does not, unless the component could not be built: it may be what was missing', () => {
    expect(affected('/app/ours/notes.md')).toEqual(NOTHING)
    expect(affected('/app/ours/new.ts', ['ours'])).toEqual({ ...NOTHING, components: ['ours'] })
  })

  it.each(['/app/package.json', '/app/node_modules/.package-lock.json', '/app/ours/tsconfig.json'])(
    'of %s may give a component other packages',
    (path) => expect(affected(path)).toEqual({ ...NOTHING, components: ['ours'] }),
  )

  it.each(['/app/node_modules/nope', '/app/node_modules/@scope/nope', '/app/ours/node_modules'])(
    'of %s may be what a component lacks that could not be built',
    (path) => {
      expect(affected(path)).toEqual(NOTHING)
      expect(affected(path, ['ours'])).toEqual({ ...NOTHING, components: ['ours'] })
    },
  )

  it.each(['/app/node_modules/.cache', '/other/node_modules/nope', '/app/node_modules/a/b/c.js'])(
    'of %s concerns nobody',
    (path) => expect(affected(path, ['ours'])).toEqual(NOTHING),
  )

  it.each(['/app/rusty/src/deep/lib.rs', '/app/rusty/Cargo.toml'])(
    'of %s runs the command of the other language',
    (path) => {
      const rusty = {
        id: 'rusty',
        command: ['cargo build', 'cp a b'],
        folder: '/app/rusty',
        watch: ['src/**/*.rs', 'Cargo.toml'],
        output: '/app/dist/rusty.wasm',
      }
      expect(affected(path)).toEqual({ ...NOTHING, foreign: [rusty] })
    },
  )

  it('of what a command makes is not one: its end is waited for', () => {
    expect(affected('/app/dist/rusty.wasm')).toEqual(NOTHING)
    expect(affected('/app/dist/ours.wasm')).toEqual(NOTHING)
  })

  it('of a component without a build command is served', () => {
    expect(affected('/app/bought.wasm')).toEqual({ ...NOTHING, sources: true })
  })
})

it('what is watched begins where the wildcards of a glob do', () => {
  const { files, trees } = watchedBy(application, inputs)
  expect(files).toEqual(expect.arrayContaining(['/app/spin.toml', '/shared/words.ts']))
  expect(trees).toEqual(['/app/ours', '/app/rusty/src', '/app/rusty'])
})
