/** Checks that the variables of the gateway can be set, and makes it so. */
import { realpathSync } from 'node:fs'
import { loadManifest, type Manifest } from 'ftl-host'
import { tablesOf } from '../declarations/declaration-lines.ts'
import { withDeclarations } from '../declarations/edit.ts'
import { onlyGateway } from '../declarations/gateway-of.ts'
import { lackingOf } from '../declarations/undeclared.ts'
import { readManifest, replaceManifest } from '../new/add-component.ts'
import { NotEditable } from '../new/tool-list.ts'
import { givenIn } from '../registry/taken-variables.ts'
import { type Finding, ok, problem } from './finding.ts'

const REMEDY = 'ftl doctor --fix declares it'

/** A value without a declaration has no effect, on any host: also that of a setting which protects the gateway. */
export function checkDeclarations(
  manifest: Manifest,
  env: NodeJS.ProcessEnv = process.env,
): Finding[] {
  const gateway = onlyGateway(manifest)
  if (!gateway) return []
  const { names } = lackingOf(gateway, manifest)
  const given = names.flatMap((name) => {
    const where = givenIn(manifest, name, env)
    const message = `has a value in ${where}, and no effect: spin.toml does not declare it for ${gateway.id}`
    return where === undefined ? [] : [problem(`undeclared ${name}`, message, REMEDY)]
  })
  if (names.length === 0) return []
  const are = names.length === 1 ? 'variable of the gateway is' : 'variables of the gateway are'
  return [
    ok(
      'declarations',
      `${names.length} ${are} not declared in spin.toml, and so cannot be set: ftl doctor --fix declares what is missing`,
    ),
    ...given,
  ]
}

/** Declares what `spin.toml` lacks. @throws {NewFailure} when the file cannot be read, or has changed meanwhile. */
export async function fixDeclarations(file: string): Promise<Finding> {
  const about = 'spin.toml'
  const path = realpathSync(file)
  const text = readManifest(path)
  const manifest = await loadManifest(path)
  const gateway = onlyGateway(manifest)
  if (!gateway) return ok(about, 'has no gateway of its own, so there is nothing to declare')
  const lacking = lackingOf(gateway, manifest)
  const { names } = lacking
  if (names.length === 0) return ok(about, 'declares every variable of the gateway')
  try {
    replaceManifest(path, text, withDeclarations(text, manifest, gateway, lacking))
    return ok(about, `declares now: ${names.join(', ')}`)
  } catch (error) {
    if (!(error instanceof NotEditable)) throw error
    const lines = tablesOf(lacking, gateway).join('\n')
    return problem(about, `cannot be extended: ${error.message}`, `add to it:\n\n${lines}`)
  }
}
