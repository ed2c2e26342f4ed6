import type {
  PromptDescription,
  ResourceDescription,
  ResourceTemplateDescription,
} from 'ftl-contract'
import { ASKING } from './asking.ts'

export const PROMPTS: PromptDescription[] = [
  {
    name: 'travel',
    description: 'Plans a journey',
    arguments: [
      { name: 'city', description: 'Where to', required: true },
      { name: 'country', description: 'In which country' },
    ],
  },
  {
    name: 'asks_while_completing',
    description: 'Its completion asks the client something',
    arguments: [{ name: 'anything' }],
  },
]

export const RESOURCES: ResourceDescription[] = [
  { uri: 'odd://asks', name: 'Asks', description: 'Needs to know the name of the user' },
  { uri: 'odd://badly-kept', name: 'Badly kept', description: 'Has caching hints nobody can use' },
  { uri: 'odd://bytes', name: 'Bytes', mimeType: 'application/octet-stream', size: 6 },
]

export const RESOURCE_TEMPLATES: ResourceTemplateDescription[] = [
  { uriTemplate: 'odd://city/{city}', name: 'City', description: 'One city' },
]

/** `POST /complete`: 150 values for a prompt, what is known of the context for its country. */
export function complete({ ref, argument, context }: Record<string, unknown>): object {
  const { name, uri } = ref as { name?: string; uri?: string }
  if (name === 'asks_while_completing') return ASKING
  if (uri !== undefined) return { completion: { values: [`of ${uri}`] } }
  if ((argument as { name: string }).name === 'country') {
    const known = (context as { arguments?: Record<string, unknown> } | undefined)?.arguments ?? {}
    return { completion: { values: [`the country of ${String(known['city'])}`] } }
  }
  return { completion: { values: Array.from({ length: 150 }, (_, index) => `city ${index}`) } }
}
