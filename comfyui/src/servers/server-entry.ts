/** The form of `servers.json`, for components, the linter and the JSON Schema file beside it. */
import * as z from 'zod'

const server = z.strictObject({
  name: z.string().min(1).max(64).describe('For messages'),
  url: z
    .string()
    .regex(
      /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/,
      'must be an address such as http://gpu:8188/prefix',
    )
    .describe('Base address; a path prefix is kept. Name its host in allowed_outbound_hosts too'),
  auth: z
    .strictObject({
      header: z
        .string()
        .regex(/^[\w-]+$/)
        .default('Authorization')
        .describe('Name of the header'),
      scheme: z
        .string()
        .optional()
        .describe('Goes before the value; Bearer in Authorization, nothing in other headers'),
      variable: z
        .string()
        .regex(/^[a-z][a-z0-9_]*$/, 'must be the name of a variable')
        .describe('Variable of the component that holds the secret'),
    })
    .optional()
    .describe('What the server, or the proxy before it, wants with every request'),
  maxQueue: z
    .int()
    .min(1)
    .max(10_000)
    .default(32)
    .describe('Prompts that may wait there; beyond it a job is refused'),
  enabled: z.boolean().default(true),
})

export type ServerEntry = z.infer<typeof server>

/** The key of the list, and what is in it. */
export const SERVERS_FILE = { key: 'servers', entry: server } as const
