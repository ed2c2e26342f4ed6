/** Files that other components of the application made, as arguments of a tool. */
import { OUTPUTS_PATH, PRINCIPAL_HEADER } from 'ftl-contract'
import type { ToolContext } from 'ftl-sdk'
import type { OpenOutput } from './source-bytes.ts'

const COMPONENT = /^[a-z0-9-]+$/

/**
 * Opens a file of the component's own jobs, else of a component that the variable `image_components` names.
 *
 * The other component decides whether the caller may read the file: without a principal, only a file without an owner.
 */
export function openAnyOutput(context: ToolContext): OpenOutput {
  const { platform, component, principal } = context
  const others = imageComponents(platform).filter((name) => name !== component)
  return async (name) => {
    let response = await context.file(name)
    for (const other of others) {
      if (response.status !== 404) break
      await response.body?.cancel()
      response = await platform
        .fetch(`http://${other}.spin.internal${OUTPUTS_PATH}${name}`, {
          headers: principal === undefined ? {} : { [PRINCIPAL_HEADER]: principal },
        })
        // It is not part of this application, or not in allowed_outbound_hosts.
        .catch(() => new Response(null, { status: 404 }))
    }
    return response
  }
}

/**
 * `image_components`: components whose outputs can be image arguments, comma-separated; `http://{component}.spin.internal` must
 * be in `allowed_outbound_hosts`.
 *
 * @default set in `spin.toml`
 */
export function imageComponents({ variables }: ToolContext['platform']): string[] {
  return (variables.get('image_components') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => COMPONENT.test(name))
}
