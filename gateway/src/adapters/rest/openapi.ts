/**
 * `GET /openapi.json`: describes the REST interface as OpenAPI 3.1, generated from the published tools.
 *
 * @see https://spec.openapis.org/oas/v3.1.1.html
 */
import type { JsonSchema } from 'ftl-contract'
import type { CatalogTool } from '../../catalog/catalog.ts'
import { HINTS } from '../../catalog/annotation-hints.ts'
import { VIEWS } from '../../calls/tools-view.ts'
import { DETAILS, MOST_RESULTS } from '../../calls/search-limits.ts'
import { schemaValidator } from '../../invoke/argument-validator.ts'
import { SERVER_INFO } from '../../server-info.ts'
import { body, object, ref, SCHEMAS, text } from './openapi-schemas.ts'
import { schemasOf } from './schema-in-document.ts'
import { describedTool } from './tool-list.ts'

const ERROR = { default: ref('responses/Error') }
const CALL_ANSWERS = { 202: ref('responses/Accepted'), ...ERROR }
const CALL_PARAMETERS = ['Wait', 'Key'].map((name) => ref(`parameters/${name}`))

const jobId = [
  { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
]
const JOB = { 200: body('The job', ref('schemas/Job')), ...ERROR }

const query = (name: string, schema: JsonSchema) => ({ name, in: 'query', schema })

/** Paths that do not depend on the tools. */
const PATHS = {
  '/tools': {
    get: {
      operationId: 'list_tools',
      summary: 'List the tools',
      parameters: [
        query('format', { enum: ['native', 'openai', 'mcp'], type: 'string' }),
        query('tools', { enum: VIEWS, type: 'string' }),
        query('schemas', { enum: ['full', 'simple'], type: 'string' }),
        query('query', text),
        query('detail', { enum: DETAILS, type: 'string' }),
        query('component', text),
        query('limit', { type: 'integer', minimum: 1, maximum: MOST_RESULTS }),
        ...HINTS.map((hint) => query(hint, { type: 'boolean' })),
      ],
      responses: {
        200: body('The tools', {
          type: 'object',
          required: ['tools'],
          properties: {
            tools: { type: 'array', items: object },
            matches: { type: 'integer' },
            declarations: text,
          },
        }),
        ...ERROR,
      },
    },
  },
  '/invoke': {
    post: {
      operationId: 'invoke',
      summary: 'Call a tool by its name',
      parameters: CALL_PARAMETERS,
      requestBody: { required: true, ...body('', ref('schemas/Call')) },
      responses: {
        200: body('The result, or tool messages', {
          anyOf: [ref('schemas/Result'), { type: 'array', items: ref('schemas/Message') }],
        }),
        ...CALL_ANSWERS,
      },
    },
  },
  '/jobs': {
    get: {
      operationId: 'list_jobs',
      summary: 'List jobs',
      responses: { 200: body('A page', object), ...ERROR },
    },
  },
  '/jobs/{id}': {
    get: { operationId: 'get_job', summary: 'Get a job', parameters: jobId, responses: JOB },
    delete: {
      operationId: 'cancel_job',
      summary: 'Cancel a job',
      parameters: jobId,
      responses: JOB,
    },
  },
  '/jobs/{id}/events': {
    get: {
      operationId: 'job_events',
      summary: 'Stream a job',
      parameters: jobId,
      responses: {
        200: { description: 'Events', content: { 'text/event-stream': { schema: text } } },
        ...ERROR,
      },
    },
  },
  '/health': {
    get: {
      operationId: 'health',
      summary: 'Check the gateway and its store',
      responses: { 200: body('ok', object), ...ERROR },
    },
  },
  '/activity': {
    get: {
      operationId: 'activity',
      summary: 'Observe requests and components',
      parameters: [
        ...['request', 'tool', 'component', 'principal', 'status', 'since'].map((name) =>
          query(name, text),
        ),
        query('slow', { type: 'integer', minimum: 0 }),
        query('limit', { type: 'integer', minimum: 0, maximum: 1000 }),
        query('include', { enum: ['details'], type: 'string' }),
      ],
      responses: {
        200: {
          description: 'The activity',
          content: {
            'application/json': { schema: object },
            'text/event-stream': { schema: text },
          },
        },
        ...ERROR,
      },
    },
  },
}

/** Without a body, a call has no arguments. */
function needsArguments(schema: JsonSchema): boolean {
  try {
    return schemaValidator.validate(schema, {}).length > 0
  } catch {
    // Unusable: no body is right.
    return true
  }
}

export function openApi(tools: readonly CatalogTool[]): object {
  const schemas: Record<string, JsonSchema> = { ...SCHEMAS.schemas }
  const add = (wanted: string, schema: JsonSchema) => {
    // A component can choose a tool's name so that its schema has the key of another tool's definition.
    for (let key = wanted; ; key += '_') {
      // A schema that cannot be embedded is listed as any object. GET /tools has it in full, and calls are checked.
      const made = schemasOf(key, schema) ?? { [key]: object }
      if (Object.keys(made).some((taken) => Object.hasOwn(schemas, taken))) continue
      Object.assign(schemas, made)
      return ref(`schemas/${key}`)
    }
  }
  const paths = Object.fromEntries(
    tools.map((entry) => {
      const { name, title = name, description, inputSchema, outputSchema } = describedTool(entry)
      const structuredContent = outputSchema && add(`${name}_output`, outputSchema)
      const result = ref('schemas/Result')
      const post = {
        // The prefix prevents a tool's name from clashing with the id of another operation.
        operationId: `call_${name}`,
        tags: [entry.component || 'jobs'],
        summary: title,
        description,
        parameters: CALL_PARAMETERS,
        requestBody: {
          required: needsArguments(inputSchema),
          ...body('', add(`${name}_input`, inputSchema)),
        },
        responses: {
          200: body(
            'The result',
            structuredContent
              ? { allOf: [result, { type: 'object', properties: { structuredContent } }] }
              : result,
          ),
          ...CALL_ANSWERS,
        },
      }
      return [`/tools/${name}`, { post }]
    }),
  )
  return {
    openapi: '3.1.1',
    info: {
      title: SERVER_INFO.title ?? SERVER_INFO.name,
      version: SERVER_INFO.version,
      description: SERVER_INFO.description,
    },
    paths: { ...PATHS, ...paths },
    components: { ...SCHEMAS, schemas },
  }
}
