/**
 * Checks the configuration of `generate-image`: `node components/generate-image/lint.ts [folder]`.
 *
 * The folder has `config/` and `workflows/`; without one it is the folder of this file. Ends with 1 when there is
 * something to mend.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { formatFinding, lintConfiguration } from './src/lint/lint.ts'

const folder = resolve(process.argv[2] ?? import.meta.dirname)
const files = Object.fromEntries(
  ['config', 'workflows'].flatMap((mount) => {
    const path = join(folder, mount)
    const names = existsSync(path) ? readdirSync(path) : []
    return names
      .filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json'))
      .map((name) => [`${mount}/${name}`, readFileSync(join(path, name), 'utf8')])
  }),
)
const variables = declaredVariables(join(import.meta.dirname, '../../spin.toml'))
const findings = lintConfiguration({ files, ...(variables && { variables }) })
for (const finding of findings) console.error(formatFinding(finding))
if (findings.length > 0) process.exitCode = 1
else console.log(`${Object.keys(files).length} files, nothing to mend`)

/** Names below `[component.generate-image.variables]`; a line each is all that is understood of TOML here. */
function declaredVariables(manifest: string): string[] | undefined {
  if (!existsSync(manifest)) return undefined
  const [, section] = readFileSync(manifest, 'utf8').split(
    /^\[component\.generate-image\.variables\]$/m,
  )
  const lines = section?.split(/^\[/m)[0]?.split('\n') ?? []
  return lines.flatMap((line) => /^\s*([a-z][a-z0-9_]*)\s*=/.exec(line)?.[1] ?? [])
}
