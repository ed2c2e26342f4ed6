/** A call that a gateway runs only after a person has approved it. */
import type { CallToolResult } from '@modelcontextprotocol/client'

/** What a person needs to know to approve a call. */
export interface ApprovalRequest {
  tool: string
  arguments: Readonly<Record<string, unknown>>
  /** The component that has the tool, if the server says so. */
  component: string | undefined
  /** What the server says. */
  message: string
  /** When the approval expires, if the server says so. */
  expiresAt: string | undefined
}

/** Whether the call is approved. */
export type Approve = (request: ApprovalRequest) => boolean | Promise<boolean>

/** `_meta` key of the question in a result, and of the approval in the repeated call. */
export const APPROVAL_KEY = 'ftl/approval'

/** Characters of a token; those of the gateway are much shorter. */
const MAX_TOKEN = 8192

export interface NeededApproval {
  token: string
  component: string | undefined
  expiresAt: string | undefined
  message: string
}

/**
 * @returns `undefined` for the result of a tool that ran, as far as the result shows it: a refusal of the gateway is one text and
 * nothing else. A gateway removes the key from the results of tools.
 */
export function neededApproval({
  isError,
  _meta: meta,
  content,
  structuredContent,
}: CallToolResult): NeededApproval | undefined {
  const isRefusal = isError === true && structuredContent === undefined && content.length === 1
  const asked: unknown = isRefusal ? meta?.[APPROVAL_KEY] : undefined
  if (typeof asked !== 'object' || asked === null) return undefined
  const { token, component, expiresAt } = asked as Readonly<Record<string, unknown>>
  if (typeof token !== 'string' || token === '' || token.length > MAX_TOKEN) return undefined
  const [first] = content
  if (first?.type !== 'text') return undefined
  return {
    token,
    component: textOr(component),
    expiresAt: textOr(expiresAt),
    message: first.text,
  }
}

function textOr(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
