// npm run engine: builds engine.wasm again. Needs Rust with the target wasm32-wasip1, and zig as the C compiler.
// npm run engine -- --check: builds it elsewhere, and fails if its bytes are not those of engine.wasm.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { assembleWit } from '../cli/src/build/wit.ts'
import { install } from '../scripts/side-packages.ts'
import { writeNotice } from './notice.ts'
import { makePrelude } from './prelude.ts'

const HERE = import.meta.dirname
const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values
const ZIG = '0.17.1'
const QUICKJS = 'rquickjs-sys'
const CARGO_HOME = process.env['CARGO_HOME'] ?? join(homedir(), '.cargo')

/** Runs a tool; a failure says what to install. */
function tool(command: string, args: string[], remedy: string): string {
  try {
    return execFileSync(command, args, {
      cwd: HERE,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  } catch {
    console.error(`npm run engine: ${command} ${args.join(' ')} failed. ${remedy}`)
    process.exit(1)
  }
}

function checkTools(): void {
  const targets = tool(
    'rustup',
    ['target', 'list', '--installed'],
    'Install Rust from https://rustup.rs',
  )
  if (!targets.split('\n').includes('wasm32-wasip1')) {
    console.error('npm run engine: run "rustup target add wasm32-wasip1"')
    process.exit(1)
  }
  const zig = tool(
    'python3',
    ['-m', 'ziglang', 'version'],
    `Run "pip install ziglang==${ZIG}".`,
  ).trim()
  if (zig !== ZIG) console.warn(`zig is ${zig}, not ${ZIG}: the result will differ by some bytes`)
}

/** Copies the crates of the folder `patches` to `vendor`, and applies their patches. */
function patchCrates(): void {
  const lock = readFileSync(join(HERE, 'Cargo.lock'), 'utf8')
  const crates = readdirSync(join(HERE, 'patches')).map((name) => {
    const [, version = ''] = new RegExp(`name = "${name}"\\nversion = "([^"]+)"`).exec(lock) ?? []
    return { name, version }
  })
  // Cargo does not fetch a crate that a folder replaces, so a project of its own asks for it.
  const asking = join(HERE, 'target/patched')
  mkdirSync(join(asking, 'src'), { recursive: true })
  writeFileSync(join(asking, 'src/lib.rs'), '')
  const wanted = crates.map(({ name, version }) => `${name} = "=${version}"\n`).join('')
  writeFileSync(
    join(asking, 'Cargo.toml'),
    `[package]\nname = "patched"\nversion = "0.0.0"\nedition = "2024"\n[dependencies]\n${wanted}[workspace]\n`,
  )
  tool('cargo', ['fetch', '--manifest-path', join(asking, 'Cargo.toml')], 'Is crates.io reachable?')
  const sources = join(CARGO_HOME, 'registry/src')
  for (const { name, version } of crates) {
    const [found = ''] = readdirSync(sources)
      .map((registry) => join(sources, registry, `${name}-${version}`))
      .filter((folder) => existsSync(folder))
    const vendor = join(HERE, 'vendor', name)
    rmSync(vendor, { recursive: true, force: true })
    cpSync(found, vendor, { recursive: true })
    for (const patch of readdirSync(join(HERE, 'patches', name)).sort()) {
      tool(
        'patch',
        ['-s', '-p1', '-d', vendor, '-i', join(HERE, 'patches', name, patch)],
        'Install patch; or the patch no longer fits this version.',
      )
    }
  }
}

/** `zig cc` as the C compiler for WASI; cc-rs adds a target that zig does not know. */
function writeCompiler(): { cc: string; ar: string } {
  const folder = join(HERE, 'target/zig')
  mkdirSync(folder, { recursive: true })
  const [cc, ar] = [join(folder, 'cc'), join(folder, 'ar')]
  writeFileSync(
    cc,
    '#!/bin/bash\nargs=()\nfor each in "$@"; do case $each in --target=*) ;; *) args+=("$each") ;; esac; done\n' +
      'exec python3 -m ziglang cc -target wasm32-wasi "${args[@]}"\n',
  )
  writeFileSync(ar, '#!/bin/bash\nexec python3 -m ziglang ar "$@"\n')
  for (const file of [cc, ar]) chmodSync(file, 0o755)
  return { cc, ar }
}

/** Binaryen makes the module 9 % smaller. With `-Oz` it would be 2 % smaller still, and up to 15 % slower. */
function optimize(from: string, to: string): void {
  const features = ['bulk-memory', 'sign-ext', 'mutable-globals', 'nontrapping-float-to-int']
  const flags = [...features, 'multivalue', 'reference-types'].map((name) => `--enable-${name}`)
  const wasmOpt = join(HERE, 'node_modules/.bin/wasm-opt')
  tool(wasmOpt, ['-O3', ...flags, from, '-o', to], 'Run "npm ci --prefix engine".')
}

checkTools()
await install('engine')
writeFileSync(join(HERE, 'src/prelude.generated.js'), await makePrelude())
mkdirSync(join(HERE, 'vendor'), { recursive: true })
patchCrates()
const wit = await assembleWit(join(HERE, 'target'))
rmSync(join(HERE, 'wit'), { recursive: true, force: true })
cpSync(wit.folder, join(HERE, 'wit'), { recursive: true })
const { cc, ar } = writeCompiler()
const remap = [`${HERE}=/engine`, `${CARGO_HOME}=/cargo`].map(
  (pair) => `--remap-path-prefix=${pair}`,
)
const flags = `target.wasm32-wasip1.rustflags=${JSON.stringify(remap)}`
// Cargo does not look at the C files of the crate.
tool('cargo', ['clean', '--release', '-p', QUICKJS, '--target', 'wasm32-wasip1'], '')
console.log('building the engine …')
execFileSync('cargo', ['build', '--release', '--locked', '--config', flags], {
  cwd: HERE,
  stdio: 'inherit',
  env: {
    ...process.env,
    RQUICKJS_SYS_NO_WASI_SDK: '1',
    CC_wasm32_wasip1: cc,
    AR_wasm32_wasip1: ar,
    CFLAGS_wasm32_wasip1: `-ffile-prefix-map=${HERE}=/engine`,
  },
})
console.log('optimizing it …')
const output = join(HERE, check ? 'target/engine.check.wasm' : 'engine.wasm')
optimize(join(HERE, 'target/wasm32-wasip1/release/engine.wasm'), output)
const bytes = readFileSync(output)
const sha256 = createHash('sha256').update(bytes).digest('hex')
const rust = tool('rustc', ['--version'], '').trim()
if (check) {
  const known = JSON.parse(readFileSync(join(HERE, 'engine.json'), 'utf8')) as {
    sha256: string
    rust: string
  }
  if (known.sha256 === sha256) {
    console.log(`the same bytes as engine.wasm, SHA-256 ${sha256}`)
    process.exit(0)
  }
  console.error(
    `npm run engine -- --check: engine.wasm has the SHA-256 ${known.sha256}, made with ${known.rust} and zig ${ZIG}.\n` +
      `The new one has ${sha256}, made with ${rust}: ${output}\n` +
      'With the same tools, the sources have changed since engine.wasm was built: run "npm run engine".',
  )
  process.exit(1)
}
const about = { sha256, bytes: bytes.length, quickjs: '0.16', rquickjs: '0.14.0', rust, zig: ZIG }
writeFileSync(join(HERE, 'engine.json'), `${JSON.stringify(about, undefined, 2)}\n`)
writeFileSync(join(HERE, 'NOTICE.md'), writeNotice())
console.log(`engine.wasm: ${(bytes.length / 1e6).toFixed(2)} MB, SHA-256 ${sha256}`)
