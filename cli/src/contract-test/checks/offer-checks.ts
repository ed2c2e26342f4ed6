/** Checks of the description that a component returns. */
import { assertNone, Violation, type Check, NotApplicable } from '../check.ts'
import { compileSchema } from '../schemas.ts'

const TOOL_NAME = /^[A-Za-z0-9_.-]{1,64}$/
const PROMPT_NAME = /^[A-Za-z0-9_.-]{1,128}$/
const SCHEME = /^[a-z][a-z0-9+.-]*:/i

const section = 'description-get-'

export const OFFER_CHECKS: Check[] = [
  {
    id: 'offer.readable',
    rule: 'GET / returns a tool, an array of tools, or an object of lists',
    section,
    fix: 'Return status 200 and JSON in one of the three forms for GET /.',
    async run(subject) {
      const { tools, prompts, resources, resourceTemplates } = await subject.readOffer()
      if ([tools, prompts, resources, resourceTemplates].every(({ length }) => length === 0)) {
        throw new Violation('its description contains no tool, prompt or resource')
      }
    },
  },
  {
    id: 'offer.names',
    rule: 'each tool has a unique name that every client accepts',
    section,
    fix: 'Use 1 to 64 characters of A-Z a-z 0-9 _ . - and each name only once. A title may contain any characters.',
    async run(subject) {
      const { tools } = await subject.offer()
      const names = tools.map(({ name }) => name)
      assertNone([
        ...names
          .filter((name) => !TOOL_NAME.test(name))
          .map((name) => `the name "${name}" is invalid`),
        ...names
          .filter((name, index) => names.indexOf(name) !== index)
          .map((name) => `two tools are named "${name}"`),
      ])
    },
  },
  {
    id: 'offer.texts',
    rule: 'titles and descriptions are strings, and each tool has a description',
    section,
    fix: 'Describe what the tool does and when to use it. The model chooses tools by this text.',
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
    rule: 'inputSchema and outputSchema are valid JSON Schemas of type object',
    section,
    fix: 'Set "type": "object" at the top level of each schema. Use { "type": "object", "additionalProperties": false } for a tool without arguments.',
    async run(subject) {
      const { tools } = await subject.offer()
      if (tools.length === 0) throw new NotApplicable('it has no tools')
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
    rule: 'prompts have valid names; resources have a name and a URI with a scheme',
    section,
    fix: 'Set a "name" for each entry (for prompts: characters of A-Z a-z 0-9 _ . -), a "uri" such as note://today for resources, and a "uriTemplate" for templates.',
    async run(subject) {
      const { prompts, resources, resourceTemplates } = await subject.offer()
      if (prompts.length + resources.length + resourceTemplates.length === 0) {
        throw new NotApplicable('it has no prompts and no resources')
      }
      const addressed = (kind: string, key: string, list: Record<string, unknown>[]) =>
        list.flatMap((entry, index) => [
          ...(isAddress(entry[key])
            ? []
            : [`${kind}[${index}].${key} must be a string with a scheme`]),
          ...(typeof entry.name === 'string' ? [] : [`${kind}[${index}].name must be a string`]),
        ])
      assertNone([
        ...prompts
          .filter(({ name }) => typeof name !== 'string' || !PROMPT_NAME.test(name))
          .map(({ name }) => `the prompt name ${JSON.stringify(name)} is invalid`),
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
  return type === 'object' ? [] : [`${what} must have "type": "object" at the top level`]
}
