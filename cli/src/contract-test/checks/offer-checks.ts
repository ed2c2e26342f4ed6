/** Of what a component publishes. */
import { assertNone, Broken, type Check, NotApplicable } from '../check.ts'
import { compileSchema } from '../schemas.ts'

const TOOL_NAME = /^[A-Za-z0-9_.-]{1,64}$/
const PROMPT_NAME = /^[A-Za-z0-9_.-]{1,128}$/
const SCHEME = /^[a-z][a-z0-9+.-]*:/i

const section = 'description-get-'

export const OFFER_CHECKS: Check[] = [
  {
    id: 'offer.readable',
    holds: 'GET / says what it offers: a tool, an array of them, or an object of lists',
    section,
    todo: 'Answer GET / with status 200 and JSON in one of the three forms.',
    async run(subject) {
      const { tools, prompts, resources, resourceTemplates } = await subject.readOffer()
      if ([tools, prompts, resources, resourceTemplates].every(({ length }) => length === 0)) {
        throw new Broken('it offers nothing')
      }
    },
  },
  {
    id: 'offer.names',
    holds: 'each tool has a name of its own that every client takes',
    section,
    todo: 'Use 1 to 64 characters of A-Z a-z 0-9 _ . - and each name once; titles may say more.',
    async run(subject) {
      const { tools } = await subject.offer()
      const names = tools.map(({ name }) => name)
      assertNone([
        ...names.filter((name) => !TOOL_NAME.test(name)).map((name) => `the name "${name}"`),
        ...names
          .filter((name, index) => names.indexOf(name) !== index)
          .map((name) => `two tools are named "${name}"`),
      ])
    },
  },
  {
    id: 'offer.texts',
    holds: 'titles and descriptions are texts, and each tool has a description',
    section,
    todo: 'Describe what the tool does and when to use it: the model chooses by this text.',
    async run(subject) {
      const { tools } = await subject.offer()
      assertNone(
        tools.flatMap(({ name, title, description }) => [
          ...(typeof description === 'string' && description.trim() !== ''
            ? []
            : [`tool "${name}" has no description`]),
          ...(title === undefined || typeof title === 'string'
            ? []
            : [`the title of tool "${name}" must be a string`]),
        ]),
      )
    },
  },
  {
    id: 'offer.schemas',
    holds: 'inputSchema and outputSchema are valid JSON Schemas of objects',
    section,
    todo: 'Give each tool an inputSchema with "type": "object"; one without arguments has { "type": "object", "additionalProperties": false }.',
    async run(subject) {
      const { tools } = await subject.offer()
      if (tools.length === 0) throw new NotApplicable('it offers no tools')
      assertNone(
        tools.flatMap(({ name, inputSchema, outputSchema }) => [
          ...schemaProblem(`the inputSchema of "${name}"`, inputSchema),
          ...(outputSchema === undefined
            ? []
            : schemaProblem(`the outputSchema of "${name}"`, outputSchema)),
        ]),
      )
    },
  },
  {
    id: 'offer.prompts-and-resources',
    holds: 'prompts have names, resources addresses with a scheme and names',
    section,
    todo: 'Give prompts a name of A-Z a-z 0-9 _ . -, resources a uri like note://today, templates a uriTemplate, all of them a name.',
    async run(subject) {
      const { prompts, resources, resourceTemplates } = await subject.offer()
      if (prompts.length + resources.length + resourceTemplates.length === 0) {
        throw new NotApplicable('it offers none')
      }
      const addressed = (kind: string, key: string, list: Record<string, unknown>[]) =>
        list.flatMap((entry, index) => [
          ...(isAddress(entry[key]) ? [] : [`${kind}[${index}] has no "${key}"`]),
          ...(typeof entry.name === 'string' ? [] : [`${kind}[${index}] has no "name"`]),
        ])
      assertNone([
        ...prompts
          .filter(({ name }) => typeof name !== 'string' || !PROMPT_NAME.test(name))
          .map(({ name }) => `the name of a prompt is ${JSON.stringify(name)}`),
        ...addressed('resources', 'uri', resources),
        ...addressed('resourceTemplates', 'uriTemplate', resourceTemplates),
      ])
    },
  },
]

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && SCHEME.test(value)
}

function schemaProblem(what: string, schema: unknown): string[] {
  const { problem } = compileSchema(schema)
  if (problem !== undefined) return [`${what} ${problem}`]
  const { type } = schema as { type?: unknown }
  return type === 'object' ? [] : [`${what} has not "type": "object" at its top`]
}
