// NOTICE.md: whose work is in engine.wasm, with the texts that their licences ask for. `npm run engine` writes it.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const HERE = import.meta.dirname
const MODULES = join(HERE, '../node_modules')

interface Metadata {
  packages: {
    id: string
    name: string
    version: string
    license: string | null
    manifest_path: string
    targets: { kind: string[] }[]
  }[]
  resolve: {
    root: string
    nodes: { id: string; deps: { pkg: string; dep_kinds: { kind: string | null }[] }[] }[]
  }
}
type Crate = Metadata['packages'][number]

/** One work, and the texts that go with it. */
interface Work {
  name: string
  version: string
  licence: string
  texts: string[]
}

/** Their packages lack the file; it is that of the crate they belong to. */
const FILES_OF: Readonly<Record<string, string>> = {
  'rquickjs-core': 'rquickjs',
  'rquickjs-sys': 'rquickjs',
}

/** Of those that a package offers, the first: short ones that name the authors come before long ones. */
const CHOICE = [
  /^LICENSE-MIT(\.md)?$/,
  /^LICENSE(\.md|\.txt)?$/,
  /^LICENSE-BSD$/,
  /^LICENSE-APACHE$/,
]

const read = (path: string): string => readFileSync(path, 'utf8').replaceAll('\r\n', '\n').trim()

function textsOf(folder: string): string[] {
  const names = readdirSync(folder)
  const found = CHOICE.map((pattern) => names.find((name) => pattern.test(name)))
  const licence = found.find((name) => name !== undefined)
  return [licence, names.find((name) => name === 'COPYRIGHT')]
    .filter((name) => name !== undefined)
    .map((name) => read(join(folder, name)))
}

/** @throws {Error} without cargo, or without the sources of the crates. */
function metadata(): Metadata {
  const args = ['metadata', '--format-version', '1', '--locked', '--offline']
  const target = ['--filter-platform', 'wasm32-wasip1']
  const options = { cwd: HERE, encoding: 'utf8', maxBuffer: 2 ** 27, stdio: 'pipe' } as const
  return JSON.parse(execFileSync('cargo', [...args, ...target], options)) as Metadata
}

const isMacro = ({ targets }: Crate) => targets.some(({ kind }) => kind.includes('proc-macro'))

/** What is linked into the module: no tools of the build, and no macros. */
function linked({ packages, resolve }: Metadata): Crate[] {
  const crates = new Map(packages.map((crate) => [crate.id, crate]))
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]))
  const found = new Set<Crate>()
  const queue = [resolve.root]
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const crate = crates.get(id)
    if (!crate || found.has(crate) || isMacro(crate)) continue
    found.add(crate)
    for (const { pkg, dep_kinds: kinds } of nodes.get(id)?.deps ?? []) {
      if (kinds.some(({ kind }) => kind === null)) queue.push(pkg)
    }
  }
  return [...found].filter(({ id }) => id !== resolve.root)
}

function crates(): Work[] {
  const all = metadata()
  return linked(all)
    .map(({ name, version, license, manifest_path: manifest }) => {
      const lender = all.packages.find((crate) => crate.name === FILES_OF[name])
      const texts = textsOf(dirname(lender?.manifest_path ?? manifest))
      return { name, version, licence: license ?? '', texts }
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function libraries(): Work[] {
  const quickjs = join(HERE, 'vendor/rquickjs-sys/quickjs')
  const polyfill = join(MODULES, 'web-streams-polyfill')
  const { version } = JSON.parse(read(join(polyfill, 'package.json'))) as { version: string }
  const python = ['-c', 'import os, ziglang; print(os.path.dirname(ziglang.__file__))']
  const zig = join(execFileSync('python3', python, { encoding: 'utf8' }).trim(), 'lib/libc')
  const rust = execFileSync('rustc', ['--print', 'sysroot'], { encoding: 'utf8' }).trim()
  const wasi = ['wasi/LICENSE', 'wasi/LICENSE-APACHE-LLVM', 'wasi/LICENSE-MIT']
  const clouds = 'wasi/libc-bottom-half/cloudlibc/LICENSE'
  const libc = [...wasi, clouds, 'wasi/libc-top-half/musl/COPYRIGHT'].map((file) =>
    read(join(zig, file)),
  )
  const rustText = read(join(rust, 'share/doc/rust/licenses/MIT.txt'))
  const work = (name: string, of: string, licence: string, texts: string[]) => ({
    name,
    version: of,
    licence,
    texts,
  })
  return [
    work('QuickJS-ng', '0.16', 'MIT', [read(join(quickjs, 'LICENSE'))]),
    work('web-streams-polyfill', version, 'MIT', textsOf(polyfill)),
    work('wasi-libc', 'of Zig 0.17.1', 'Apache-2.0 WITH LLVM-exception, MIT and BSD parts', libc),
    work('Standard library of Rust', '1.95', 'MIT OR Apache-2.0', [rustText]),
  ]
}

/** Each text once, numbered. */
export function writeNotice(): string {
  const works = [...libraries(), ...crates()]
  const texts = [...new Set(works.flatMap((work) => work.texts))]
  const rows = works.map(({ name, version, licence, texts: own }) => {
    if (own.length === 0) throw new Error(`${name} ${version} has no text of its licence`)
    const numbers = own.map(
      (text) => `[${texts.indexOf(text) + 1}](#text-${texts.indexOf(text) + 1})`,
    )
    return `| ${name} | ${version} | ${licence} | ${numbers.join(', ')} |`
  })
  return `# The work of others in engine.wasm

\`engine.wasm\` contains these works, under their licences. \`npm run engine\` writes this file. Where a licence offers a
choice, the text below is the choice. The streams are [web-streams-polyfill](https://github.com/MattiasBuelens/web-streams-polyfill),
bundled and minified; [QuickJS-ng](https://github.com/quickjs-ng/quickjs) is changed by the patches in \`engine/patches\` of our repository.
The standard library of Rust is by the Rust project's contributors, and contains work that
[its own list](https://github.com/rust-lang/rust/blob/1.95.0/COPYRIGHT) names.

| work | version | licence | texts |
| --- | --- | --- | --- |
${rows.join('\n')}

${texts.map((text, at) => `## Text ${at + 1}\n\n~~~~text\n${text}\n~~~~\n`).join('\n')}`
}

/** Whether the texts are on this machine, so that the file can be written again. */
export function canWrite(): boolean {
  try {
    libraries()
    return crates().length > 0 && existsSync(join(HERE, 'vendor'))
  } catch {
    return false
  }
}
