/** Bundles members into one script that needs no Spin: for Cloudflare Workers and for Node. */
import { dirname } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { BuildError } from './build-error.ts'
import { isServed, toBuildError, zodNamespaceImport } from './bundle.ts'
import { CONDITIONS } from './conditions.ts'
import { members as membersPlugin, membersGlue, type MemberTarget } from './members-entry.ts'
import { nodeCompat, nodeCompatOptions } from './node-compat/plugin.ts'
import { own } from './own-module-path.ts'
import { foreignInputs, ownFiles } from './importable-files.ts'
import { pages } from './page-plugin.ts'
import { refuseRealm } from './realm.ts'
import { serverDefine, type ServerInfo } from './server-info.ts'

export const SCRIPT_TARGETS = ['workers', 'node'] as const

export type ScriptTarget = (typeof SCRIPT_TARGETS)[number]

export interface ScriptOptions {
  /** For messages. */
  id: string
  target: ScriptTarget
  members: readonly MemberTarget[]
  /** `WorkerConfig` or `NodeConfig` of ftl-platform, without its folder. */
  config: object
  nodeCompat: boolean
  /** How a gateway in it introduces itself to clients. */
  server: ServerInfo
}

/** What of our modules only Spin has, or only makes a snapshot faster. */
const STUBS: ReadonlyMap<string, string> = new Map([
  ['ftl-platform/spin', 'export const spinPlatform = 0, spinPlatformWithoutFiles = 0'],
  [
    'ftl-platform/spin-warm-up',
    'export const rehearse = async () => {}, warmUpBindings = () => {}',
  ],
  ['ftl:module-scope', 'export const endModuleScope = () => {}'],
])

const stubs: Plugin = {
  name: 'stubs',
  setup(context) {
    const filter = /^(ftl-platform\/spin(-warm-up)?|ftl:module-scope)$/
    context.onResolve({ filter }, ({ path }) => ({ path, namespace: 'ftl-stub' }))
    context.onLoad({ filter: /./, namespace: 'ftl-stub' }, ({ path }) => ({
      contents: STUBS.get(path) ?? '',
      loader: 'js',
    }))
  },
}

/** @throws {BuildError} naming file, line and column of each mistake. */
export async function bundleScript(options: ScriptOptions): Promise<string> {
  const { id, target, members, nodeCompat: withNode } = options
  const entry = members[0]?.entry ?? ''
  await isServed({ id, entry, members })
  const onWorkers = target === 'workers'
  const result = await build({
    stdin: {
      contents: await membersGlue(members, ends(options)),
      resolveDir: dirname(entry),
      sourcefile: `${id}.entry.js`,
    },
    inject: onWorkers && withNode ? nodeCompatOptions.inject : [],
    bundle: true,
    write: false,
    format: 'esm',
    platform: onWorkers ? 'browser' : 'node',
    target: 'es2023',
    minify: true,
    keepNames: false,
    legalComments: 'none',
    charset: 'utf8',
    metafile: true,
    logLevel: 'silent',
    external: ['ftl:engine/*', 'cloudflare:*'],
    define: {
      ...serverDefine(options.server),
      ...(onWorkers && withNode && nodeCompatOptions.define),
      'process.env.NODE_ENV': '"production"',
      // A Worker has no file of its own; some libraries make addresses from it when they load.
      ...(onWorkers && { 'import.meta.url': '"file:///worker.js"' }),
    },
    conditions: onWorkers ? ['workerd', ...CONDITIONS] : ['module'],
    plugins: [
      ownFiles(members.map(({ entry: path }) => path)),
      stubs,
      membersPlugin,
      zodNamespaceImport,
      pages(new Set()),
      ...(onWorkers && withNode ? [nodeCompat] : []),
    ],
  }).catch((error: unknown) => {
    throw toBuildError(id, error, [], undefined, entry)
  })
  const foreign = foreignInputs(result.metafile, process.cwd(), [dirname(own('ftl-platform/spin'))])
  if (foreign.length > 0) throw new BuildError(id, foreign)
  refuseRealm(id, result.metafile.inputs)
  return result.outputFiles[0]?.text ?? ''
}

function ends({ target, config }: ScriptOptions): { head: string; tail: string } {
  const rehearse = 'const rehearse = async () => {}'
  const text = JSON.stringify(config)
  if (target === 'workers') {
    return {
      head: `import { serveOnWorkers } from ${JSON.stringify(own('ftl-platform/workers'))}\n${rehearse}`,
      tail: `export default serveOnWorkers(answer, ${text})`,
    }
  }
  return {
    head: `import { fileURLToPath } from 'node:url'\nimport { serveOnNode } from ${JSON.stringify(own('ftl-platform/node'))}\n${rehearse}`,
    tail: `const filesFolder = fileURLToPath(new URL('./files', import.meta.url))
serveOnNode(answer, { ...${text}, filesFolder })`,
  }
}
