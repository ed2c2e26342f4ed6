/** What the audit reads of this repository. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import type { Evidence } from './audit.ts'
import { citationsIn } from './titles.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SUITE = 'node_modules/@modelcontextprotocol/conformance/requirements'
const NOT_OURS = new Set(['node_modules', 'dist', '.ftl'])

export function readEvidence(): Evidence {
  return {
    citations: glob('**/*.test.ts').flatMap((file) => citationsIn(file, read(file))),
    scenarios: new Set(
      glob(`${SUITE}/*.yaml`, new Set()).flatMap((file) => scenariosIn(read(file))),
    ),
    headingsOf: (path) => headingsIn(read(path)),
  }
}

/** The scenarios for servers that a requirements file of the conformance suite scores. */
export function scenariosIn(yaml: string): string[] {
  const [, list = ''] = /^server:\n((?: +- .*\n?)*)/m.exec(yaml) ?? []
  return [...list.matchAll(/^ +- (\S+)/gm)].map(([, id = '']) => id)
}

/** Headings of a Markdown document as their anchors: lower case, hyphens for spaces, nothing else. */
export function headingsIn(markdown: string): Set<string> {
  const headings = [...markdown.matchAll(/^#{1,6} +(.*)$/gm)].map(([, heading = '']) => heading)
  return new Set(headings.map(asAnchor))
}

function asAnchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')
}

function glob(pattern: string, excluded = NOT_OURS): string[] {
  return globSync(pattern, {
    cwd: ROOT,
    exclude: (name) => excluded.has(name) || [...excluded].some((it) => name.endsWith(`/${it}`)),
  }).sort()
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
