/** Creates the lines of an answer. Their types belong to `ftl-client/chat`, whose users read these lines. */
import type {
  ChatArtifact,
  ChatError,
  ChatLastLine,
  ChatLine,
  ChatResponse,
  ChatStatus,
} from 'ftl-client/chat'
import type { Platform } from 'ftl-platform'

export type AnyLine = ChatLine | ChatLastLine

export interface Lines {
  status(status: ChatStatus): ChatLine
  content(content: string): ChatLine
  artifact(artifact: ChatArtifact): ChatLine
  result(response: ChatResponse): ChatLastLine
  error(error: ChatError): ChatLastLine
}

/** The lines of one answer. */
export function createLines(platform: Pick<Platform, 'now' | 'randomUUID'>): Lines {
  // One random id per answer instead of one per line: a host call costs as much as a hundred lines.
  let prefix: string | undefined
  let count = 0
  const head = () => {
    prefix ??= platform.randomUUID()
    return { id: `${prefix}-${++count}`, timestamp: new Date(platform.now()).toISOString() }
  }
  return {
    status: (status) => ({ type: 'status', ...head(), ...status }),
    content: (content) => ({ type: 'content', ...head(), content }),
    artifact: (artifact) => ({ type: 'artifact', ...head(), artifact }),
    result: (response) => ({ type: 'result', ...head(), response }),
    error: (error) => ({ type: 'error', ...head(), ...error }),
  }
}
