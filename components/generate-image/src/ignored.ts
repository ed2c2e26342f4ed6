/** Arguments that a call gives and the tool does not use: told in the result, because a client may rely on them. */
import { shownName } from 'ftl-comfyui/client'

/** Names that a result lists. */
const MAX_NAMES = 20

/** What to use instead of the names that other image services have. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ...['batch_size', 'n', 'count', 'num_images', 'num_outputs'].map(
    (name) => [name, 'use "variations"'] as const,
  ),
  ...['size', 'resolution', 'image_size'].map(
    (name) => [name, 'use "width" and "height"'] as const,
  ),
  ...['steps', 'num_inference_steps', 'cfg', 'cfg_scale', 'guidance_scale'].map(
    (name) => [name, 'the render type decides it'] as const,
  ),
  ['sampler_name', 'use "sampler"'],
  ['style', 'use "style_names"'],
])

/** @param known names of the tool's arguments. */
export function ignoredArguments(
  input: Readonly<Record<string, unknown>>,
  known: Readonly<Record<string, unknown>>,
): string[] {
  const unknown = Object.keys(input).filter((name) => !Object.hasOwn(known, name))
  return unknown.slice(0, MAX_NAMES).map((name) => {
    const instead = INSTEAD.get(name)
    return `"${shownName(name)}" is not an argument of this tool and was ignored${instead ? `; ${instead}` : ''}.`
  })
}
