/** The arguments that choose a model: checked against the render type and the servers' lists. */
import { findChoice } from 'ftl-comfyui/client'
import { InvalidArguments, type ToolContext } from 'ftl-sdk'
import { readChoices } from './server-choices.ts'
import { loadServers } from 'ftl-comfyui/servers'
import {
  MODEL_ARGUMENTS,
  type ModelArgument,
  type ModelChoice,
  modelInputs,
  withModels,
} from './workflow/model-inputs.ts'
import type { Workflow } from 'ftl-comfyui/workflow'

/**
 * A name that no server has is refused here and never sent: what a server lacks is remembered by its name, and a caller
 * could fill the store with names.
 *
 * @throws {InvalidArguments}
 */
export async function chooseModels(
  workflow: Workflow,
  choice: ModelChoice,
  renderType: string,
  { platform }: Pick<ToolContext, 'platform'>,
): Promise<Workflow> {
  const given = MODEL_ARGUMENTS.filter((name) => namesIn(choice, name).length > 0)
  if (given.length === 0) return workflow
  const inputs = modelInputs(workflow)
  const choices = await readChoices(platform, await loadServers(platform))
  for (const argument of given) {
    if (!inputs[argument]) {
      throw new InvalidArguments(
        `${argument}: render type "${renderType}" does not take one; choose another render_type`,
      )
    }
    for (const name of namesIn(choice, argument)) {
      // With the separators of another system it is corrected when a server refuses it.
      const known = choices[argument] ?? []
      if (known.includes(String(findChoice(known, name)))) continue
      const hint = argument === 'model' || argument === 'loras' ? '; list_models lists them' : ''
      throw new InvalidArguments(`${argument}: no ComfyUI server has "${name}"${hint}`)
    }
  }
  return withModels(workflow, inputs, choice)
}

function namesIn(choice: ModelChoice, argument: ModelArgument): string[] {
  if (argument === 'loras') return (choice.loras ?? []).map(({ name }) => name)
  const name = choice[argument]
  return name === undefined ? [] : [name]
}
