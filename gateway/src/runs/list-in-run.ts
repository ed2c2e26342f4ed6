/** `GET /run/tools`: the names that a run may call. */
import type { Gateway } from '../gateway.ts'
import { RUN_TOOL } from '../catalog/program-tool.ts'
import type { RunRequest } from './run-scope.ts'

export async function listInRun({ tools }: Gateway, { scope, grant }: RunRequest): Promise<object> {
  const catalog = await tools.list(scope)
  const { codeComponent } = scope.settings
  return {
    run: {
      id: grant.run,
      startedAt: grant.startedAt,
      maxCalls: grant.maxCalls,
      replayed: grant.attempt > 1,
    },
    tools: catalog.tools
      .map(({ component, description }) => ({ component, tool: description.name }))
      .filter(({ component, tool }) => component !== codeComponent || tool !== RUN_TOOL),
  }
}
