/** Bundles a component's TypeScript into the single module that the engine evaluates. */
import { build, type BuildFailure, type Message, type Plugin } from 'esbuild'
import type { SkillFolder } from 'ftl-contract'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { BuildError } from './build-error.ts'
import { circularUses } from './circular-imports.ts'
import { isAuthors } from './explain-failure.ts'
import { noteLeftOut } from './left-out-for-browsers.ts'
import { MODULE_SCOPE, moduleScope } from './module-scope.ts'
import { nodeCompat, nodeCompatOptions } from './node-compat/plugin.ts'
import { pages } from './page-plugin.ts'
import { bundlerHint } from './hints.ts'
import { intlModules, intlParts } from './intl.ts'
import { CONDITIONS } from './conditions.ts'
import { whatIsIn } from './failed-bundle.ts'
import { members as membersPlugin, membersGlue, type MemberTarget } from './members-entry.ts'
import { explainPackages, type Graph } from './packages-needing-node.ts'
import { modulesOfOurs } from './our-modules.ts'
import { own } from './own-module-path.ts'
import { refuseRealm } from './realm.ts'
import { foreignInputs, mayShow, ownFiles } from './importable-files.ts'
import { type ReadSkills, skillsOf } from './skills.ts'
import { resolveModule } from './resolve-module.ts'
import { serverDefine, type ServerInfo } from './server-info.ts'
import { excerpt } from './source-excerpt.ts'
import { standardFunctions } from './standard-functions.ts'

export interface Bundle {
  code: string
  /** Source map of `code`, to name the TypeScript line when the module throws during initialization. */
  map: string
  /** Absolute paths of all bundled files. */
  inputs: string[]
  /** Files of its web pages, which run in a browser, and of its skills: the checks for components do not apply to them. */
  pageInputs: string[]
  /** Absolute path of the entry module. */
  entry: string
  /** Folders of our own modules, to tell their files from the author's. */
  ours: string[]
  /** Why the component is of no use though it can be evaluated. */
  problem?: string
}

export interface BundleOptions {
  /** The component's name in `spin.toml`. */
  id: string
  /** Absolute path of its entry module. */
  entry: string
  /** @default false */
  nodeCompat?: boolean
  /** For the engine, which reads it from the last line: there it moves no position. */
  computeLimitMs?: number
  /** Adds all parts of `Intl`, or none. @default those whose names are in the code */
  intl?: boolean
  /** Features that a gateway is built without. @default none */
  without?: readonly Feature[]
  /** How a gateway introduces itself to clients. @default by the name of this product */
  server?: ServerInfo
  /** The components that are in it. `entry` is that of the first. @default it is one component */
  members?: readonly MemberTarget[]
  /** Absolute paths of the folders of its skills. @default none */
  skills?: readonly string[]
}

/** What a gateway can be built without: its entry asks for each by a constant of this name. */
const FEATURES = {
  programs: 'BUILT_WITHOUT_PROGRAMS',
  introspection: 'BUILT_WITHOUT_INTROSPECTION',
  dpop: 'BUILT_WITHOUT_DPOP',
  uploads: 'BUILT_WITHOUT_UPLOADS',
  skills: 'BUILT_WITHOUT_SKILLS',
  instructions: 'BUILT_WITHOUT_INSTRUCTIONS',
  callerToken: 'BUILT_WITHOUT_CALLER_TOKEN',
  card: 'BUILT_WITHOUT_CARD',
} as const

export type Feature = keyof typeof FEATURES

/**
 * @throws {BuildError} naming file, line and column of each mistake.
 */
export async function bundle(options: BundleOptions): Promise<Bundle> {
  const { entry, computeLimitMs, intl } = options
  const served = await isServed(options)
  const [serve = '', spin = ''] = await modulesOfOurs(entry)
  const contract = await resolveModule('ftl-contract', dirname(serve))
  const intlFolder = dirname(dirname(own('ftl-sdk/serve')))
  const ours = [dirname(dirname(serve)), intlFolder, dirname(spin), import.meta.dirname]
  if ('path' in contract) ours.push(dirname(contract.path))
  const about = { entry, ours }
  const skills = await skillsOf(options, served)
  let bundled = await run(options, served, ours, skills)
  // The name is a global one, so the bundler keeps it.
  const isSilent = !served && !bundled.code.includes('addEventListener')
  const problem =
    `${relative(process.cwd(), entry)}: the entry must export "tool" (of createTool), "tools", "prompts", "resources" ` +
    'or a default "fetch". It exports nothing.'
  const parts = await intlParts(bundled.code, intl)
  if (parts.length > 0) bundled = await run(options, served, ours, skills, intlModules(parts))
  if (computeLimitMs !== undefined) {
    bundled.code += `\n//# ftl.compute_limit_ms=${computeLimitMs}\n`
  }
  return { ...bundled, ...about, ...(isSilent && { problem }) }
}

/** In a namespace of a plugin, or left out by the `browser` field of a package. */
const NO_FILE = /^(ftl|ftl-functions|ftl-members|node-compat|node-stub|\(disabled\)):/

type Bundled = Pick<Bundle, 'code' | 'map' | 'inputs' | 'pageInputs'>

/**
 * @param ours folders of our own modules.
 * @param first modules that are evaluated before all others.
 */
async function run(
  { id, entry, nodeCompat: withNode = false, members, without = [], server }: BundleOptions,
  served: boolean,
  ours: readonly string[],
  skills: ReadSkills,
  first: string[] = [],
): Promise<Bundled> {
  const cwd = process.cwd()
  const pageFiles = new Set<string>()
  const functions = standardFunctions(entry)
  const result = await build({
    ...(served
      ? {
          stdin: {
            contents: await (members
              ? membersGlue(members, spinEnds())
              : glue(entry, id, skills.folders)),
            resolveDir: dirname(entry),
            sourcefile: `${id}.entry.js`,
          },
        }
      : { entryPoints: [entry] }),
    inject: [...functions.inject, ...(withNode ? nodeCompatOptions.inject : []), ...first],
    bundle: true,
    write: false,
    outfile: `${id}.js`,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    minify: true,
    keepNames: false,
    sourcemap: 'external',
    // The sources are read from their files: with them in it, the map takes longer than the bundle.
    sourcesContent: false,
    legalComments: 'none',
    charset: 'utf8',
    metafile: true,
    logLevel: 'silent',
    external: ['fermyon:*', 'wasi:*', 'ftl:engine/*'],
    define: {
      ...functions.define,
      ...(withNode && nodeCompatOptions.define),
      ...Object.fromEntries(without.map((feature) => [FEATURES[feature], 'true'])),
      ...serverDefine(server),
      'process.env.NODE_ENV': '"production"',
      // Some libraries read `self.location` when they load; at build time it does not exist, and reading it throws.
      'self.location': 'undefined',
      // A component has no address; some libraries make addresses from it when they load.
      'import.meta.url': '"file:///component.js"',
    },
    conditions: CONDITIONS,
    plugins: [
      ownFiles(members?.map(({ entry: path }) => path)),
      ...functions.plugins,
      moduleScope,
      zodNamespaceImport,
      pages(pageFiles),
      ...(withNode ? [nodeCompat] : []),
      ...(members ? [membersPlugin] : []),
    ],
  }).catch(async (error: unknown) => {
    const { files, graph } = await whatIsIn(entry)
    throw toBuildError(id, error, files, graph, entry)
  })
  const foreign = foreignInputs(result.metafile, cwd, ours)
  if (foreign.length > 0) throw new BuildError(id, foreign)
  if (members) refuseRealm(id, result.metafile.inputs)
  const [start = entry] = Object.values(result.metafile.outputs).flatMap(
    ({ entryPoint }) => entryPoint ?? [],
  )
  const circular = await circularUses(result.metafile, start, (file) => isAuthors(file, ours))
  if (circular.length > 0) {
    throw new BuildError(
      id,
      circular,
      Object.keys(result.metafile.inputs).map((path) => resolve(path)),
    )
  }
  const [map, code] = ['.map', '.js'].map(
    (suffix) => result.outputFiles.find((file) => file.path.endsWith(suffix))?.text ?? '',
  )
  return {
    code: code ?? '',
    map: noteLeftOut(map ?? '', result.metafile.inputs),
    inputs: Object.keys(result.metafile.inputs)
      .filter((path) => !path.endsWith('.entry.js') && !NO_FILE.test(path))
      .map((path) => resolve(cwd, path)),
    pageInputs: [...pageFiles, ...skills.inputs],
  }
}

/** Whether the builder writes the entry, which imports that of the author. */
export async function isServed({ id, entry, members }: BundleOptions): Promise<boolean> {
  if (!members) return hasExports(id, entry)
  for (const member of members) await hasExports(id, member.entry)
  return true
}

// A module without exports registers its own fetch event listener and is bundled as it is.
async function hasExports(id: string, entry: string): Promise<boolean> {
  if (!existsSync(entry)) {
    const file = relative(process.cwd(), entry)
    const problem =
      `[component.${id}.tool.ftl] entry: there is no file ${file}: correct the path in spin.toml, or write the file. If ` +
      `the component was deleted: ftl remove ${id}`
    throw new BuildError(id, [problem])
  }
  const result = await build({
    entryPoints: [entry],
    bundle: false,
    write: false,
    format: 'esm',
    metafile: true,
    logLevel: 'silent',
    plugins: [ownFiles()],
  }).catch((error: unknown) => {
    throw toBuildError(id, error)
  })
  return Object.values(result.metafile.outputs).some((output) => output.exports.length > 0)
}

/** How a component of several members begins and ends on Spin. */
function spinEnds(): { head: string; tail: string } {
  const [spin, serve, warmUp] = ['spin', 'spin-serve', 'spin-warm-up'].map((name) =>
    JSON.stringify(own(`ftl-platform/${name}`)),
  )
  return {
    head: `import { spinPlatform } from ${spin}
import { serveRequests } from ${serve}
import { rehearse, warmUpBindings } from ${warmUp}`,
    tail: `warmUpBindings()
serveRequests(answer, spinPlatform)`,
  }
}

async function glue(entry: string, id: string, skills: readonly SkillFolder[]): Promise<string> {
  const paths = (await modulesOfOurs(entry)).map((path) => JSON.stringify(path))
  const [serve = '', spin = '', spinServe = '', spinWarmUp = ''] = paths
  return `import { endModuleScope } from '${MODULE_SCOPE}'
import * as ${skills.length > 0 ? 'own' : 'entry'} from ${JSON.stringify(entry)}
import { toComponent, warmUp${skills.length > 0 ? ', createSkill' : ''} } from ${serve}
import { spinPlatform } from ${spin}
import { serveRequests } from ${spinServe}
import { rehearse, warmUpBindings } from ${spinWarmUp}
endModuleScope()
${withSkills(skills)}const component = toComponent(entry, ${JSON.stringify(id)})
await rehearse(() => warmUp(entry))
warmUpBindings()
serveRequests((request, platform) => component.fetch(request, platform), spinPlatform)
`
}

function withSkills(skills: readonly SkillFolder[]): string {
  if (skills.length === 0) return ''
  // As text: in a literal of the language, __proto__ would be no field.
  const made = skills.map(
    (skill) => `createSkill(JSON.parse(${JSON.stringify(JSON.stringify(skill))}))`,
  )
  return `const entry = { ...own, skills: [...(own.skills ?? []), ${made.join(', ')}] }\n`
}

// `import { z } from 'zod'` bundles the whole library (454 KB); the namespace form bundles only what is used (85 KB).
export const zodNamespaceImport: Plugin = {
  name: 'zod-namespace-import',
  setup(context) {
    context.onLoad({ filter: /\.[mc]?tsx?$/, namespace: 'file' }, async ({ path }) => {
      if (path.includes('/node_modules/')) return undefined
      const source = await readFile(path, 'utf8')
      const pattern = /^(\s*)import\s*\{\s*z\s*\}\s*from\s*(['"])zod\2/gm
      if (!pattern.test(source)) return undefined
      return {
        contents: source.replace(pattern, '$1import * as z from $2zod$2'),
        loader: path.endsWith('x') ? 'tsx' : 'ts',
      }
    })
  },
}

export function toBuildError(
  id: string,
  error: unknown,
  inputs: readonly string[] = [],
  graph?: Graph,
  entry?: string,
): unknown {
  if (!isBuildFailure(error)) return error
  const { problems, rest } = explainPackages(error.errors, graph, id)
  return new BuildError(
    id,
    [...rest.map((each) => formatMessage(each, entry)), ...problems],
    inputs,
  )
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors)
}

/** @param entry tells of which files words may be shown. @default all */
function formatMessage({ text, location, notes }: Message, entry?: string): string {
  const isShown = entry === undefined || location === null || mayShow(resolve(location.file), entry)
  const remedy = bundlerHint(text)
  const hint = notes.find((note) => note.text.startsWith('Did you mean'))?.text
  // The bundler quotes what it has found.
  const said = isShown ? text : text.replaceAll(/"[^"]*"/g, '…')
  const words = [said, remedy, hint].filter((part) => part !== undefined).join('. ')
  if (!location) return words
  const { file, line, column, length } = location
  const lineText = isShown ? location.lineText : ''
  return excerpt({ file, line, column: column + 1, length, lineText }, words)
}
