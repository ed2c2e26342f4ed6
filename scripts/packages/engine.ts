/**
 * What `ftl` needs to make components, in a folder of its own: the engine, its tools and the WIT world.
 *
 * As dependencies they cost 385 MB: one function of jco is needed, and jco brings TypeScript twice, binaryen and two
 * engines. A user's project has not our overrides, which leave them out and without which parts of jco cannot be
 * installed everywhere. So the files are taken as they are.
 */
import { copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { assembleWit } from '../../cli/src/build/wit.ts'
import { type Dependencies, readManifest, REPOSITORY } from './manifest.ts'

const MODULES = join(REPOSITORY, 'node_modules')
const JCO_TRANSPILE = join(MODULES, '@bytecodealliance/jco-transpile')

/** Packages the files import; natively compiled ones, or small. */
const IMPORTED = ['@bytecodealliance/wizer', '@bytecodealliance/preview2-shim', 'oxc-parser']

/** The versions it was tried with, exactly: the files import what only these have. */
export async function engineDependencies(): Promise<Dependencies> {
  const entries = IMPORTED.map(
    async (name) => [name, (await readManifest(join(MODULES, name))).version] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

export async function addEngine(folder: string): Promise<void> {
  await addWasmTools(join(folder, 'wasm-tools'))
  await addNodeLock(join(folder, 'node'))
  for (const file of ['engine.wasm', 'engine.json', 'NOTICE.md']) {
    await copy(join(REPOSITORY, 'engine', file), join(folder, 'quickjs', file))
  }
  await addWorld(folder)
  await writeFile(join(folder, 'NOTICE.md'), await engineNotice())
}

/** With which `bin/find-node.mjs` fetches a Node where the user's is too old: versions and hashes of this repository. */
async function addNodeLock(folder: string): Promise<void> {
  const { optionalDependencies = {} } = await readManifest(REPOSITORY)
  const lock = JSON.parse(await readFile(join(REPOSITORY, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { integrity?: string }>
  }
  const manifest = { name: 'ftl-node', version: '0.0.0', private: true, optionalDependencies }
  const entries = Object.keys(optionalDependencies).map((name) => {
    const path = `node_modules/${name}`
    const entry = lock.packages[path]
    if (!entry?.integrity) throw new Error(`package-lock.json has no hash of ${name}`)
    return [path, entry] as const
  })
  const { private: _, ...root } = manifest
  const locked = {
    name: manifest.name,
    version: manifest.version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': root, ...Object.fromEntries(entries) },
  }
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
  await writeFile(join(folder, 'package-lock.json'), `${JSON.stringify(locked, undefined, 2)}\n`)
}

const WASM_TOOLS = `import { $init, tools } from './vendor/wasm-tools.js'

export async function componentNew(bytes, adapters) {
  await $init
  return tools.componentNew(bytes, adapters)
}
`

async function addWasmTools(folder: string): Promise<void> {
  const files = [
    'LICENSE',
    'vendor/wasm-tools.js',
    'vendor/wasm-tools.core.wasm',
    'vendor/wasm-tools.core2.wasm',
  ]
  for (const file of files) await copy(join(JCO_TRANSPILE, file), join(folder, file))
  await writeFile(join(folder, 'index.js'), WASM_TOOLS)
}

async function addWorld(folder: string): Promise<void> {
  const scratch = join(folder, 'scratch')
  await mkdir(scratch, { recursive: true })
  const { folder: wit, adapter, digest } = await assembleWit(scratch)
  await cp(wit, join(folder, 'wit'), { recursive: true })
  await copy(adapter, join(folder, 'preview1-reactor.wasm'))
  await writeFile(join(folder, 'world.json'), `${JSON.stringify({ digest })}\n`)
  await rm(scratch, { recursive: true })
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await copyFile(from, to)
}

/** Names the third-party code in the folder `engine`, and its licences. */
async function engineNotice(): Promise<string> {
  const version = async (name: string) =>
    (await readManifest(join(REPOSITORY, 'node_modules', name))).version
  const [jco, spin] = await Promise.all([
    version('@bytecodealliance/jco-transpile'),
    version('@fermyon/spin-sdk'),
  ])
  return `# The work of others in this folder

- \`wasm-tools/\`: @bytecodealliance/jco-transpile ${jco}, Apache-2.0 WITH LLVM-exception; \`index.js\` is ours.
- \`preview1-reactor.wasm\` (from https://github.com/bytecodealliance/wasmtime, with the version of WASI in its names
  changed) and \`wit/deps/\` but for \`spin\`: distributed with @bytecodealliance/jco, Apache-2.0 WITH LLVM-exception.
- \`wit/deps/spin\`: @fermyon/spin-sdk ${spin}, Apache-2.0.
- \`quickjs/engine.wasm\`: ours, with the work of others that \`quickjs/NOTICE.md\` lists.
`
}
