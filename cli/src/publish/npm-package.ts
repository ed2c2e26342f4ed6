/** The npm package of a component: a tarball for `npm publish`, the same bytes each time. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { NPM_KEY } from '../registry/component-package.ts'
import { reachLines } from '../registry/rights-in-words.ts'
import type { PackageSignature } from '../registry/publisher-signature.ts'
import { writeTar } from '../registry/tarball.ts'
import type { Publishable } from './describe-component.ts'
import type { PublishSettings } from './settings.ts'

/** Its path in the package. */
const COMPONENT_FILE = 'component.wasm'

export interface NpmPackage {
  fileName: string
  tarball: Buffer
  /** As a registry shows it: `sha512-` and base64. */
  integrity: string
  files: ReadonlyMap<string, Uint8Array>
}

export function npmPackage(
  { about, wasm }: Publishable,
  settings: PublishSettings,
  signature?: PackageSignature,
): NpmPackage {
  const files = new Map<string, Uint8Array>([
    ['package.json', Buffer.from(json(packageJson(about, settings)))],
    ['README.md', Buffer.from(readme(about, settings))],
    [COMPONENT_FILE, wasm],
  ])
  if (signature) files.set('ftl-signature.json', Buffer.from(json(signature)))
  const tarball = gzipSync(writeTar(files), { level: 9 })
  // The operating system is part of a gzip header, and not of what is published.
  tarball[9] = 255
  return {
    fileName: `${about.name.replace(/^@/, '').replace('/', '-')}-${about.version}.tgz`,
    tarball,
    integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
    files,
  }
}

function packageJson(
  { name, version, ...ftl }: Publishable['about'],
  { description, license, repository, mcpName }: PublishSettings,
): object {
  return {
    name,
    version,
    description: description || `Tools for ftl: ${ftl.tools.join(', ')}`,
    keywords: ['mcp', 'ftl', 'wasm-component'],
    ...(license !== undefined && { license }),
    // The npm registry compares it with the provenance.
    ...(repository !== undefined && { repository: { type: 'git', url: `git+${repository}` } }),
    ...(mcpName !== undefined && { mcpName }),
    [NPM_KEY]: { component: COMPONENT_FILE, ...ftl },
  }
}

function readme(
  { name, tools, reach }: Publishable['about'],
  { description }: PublishSettings,
): string {
  return [
    `# ${name}`,
    ...(description === '' ? [] : [description]),
    'Tools for MCP clients, as a WebAssembly component. Add them to an application of ftl:',
    `    npx ftl add npm:${name}`,
    `Tools: ${tools.map((each) => `\`${each}\``).join(', ') || 'none'}`,
    'What the component may reach:',
    reachLines(reach)
      .map((each) => `- it ${each}`)
      .join('\n'),
  ]
    .join('\n\n')
    .concat('\n')
}

const json = (value: object) => `${JSON.stringify(value, undefined, 2)}\n`
