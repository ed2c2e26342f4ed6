/** A gateway that requires authentication, over one tool and one job. */
import { createWorld, several, tool, type World, type WorldOptions } from './components.ts'
import {
  API_KEY,
  AUDIENCE,
  digestOf,
  DOCUMENTS,
  type Documents,
  ISSUER,
  issuerFetch,
} from './issuer.ts'

export const KEY_ENTRY = { sha256: digestOf(API_KEY), principal: 'ci', scopes: ['tools'] }

export const BOTH = {
  auth_issuers: ISSUER,
  auth_audience: AUDIENCE,
  api_keys: JSON.stringify([KEY_ENTRY]),
}

export interface AuthenticatedWorld extends World {
  /** Every address that was requested outside the application. */
  asked: string[]
  /** Headers of every request that a component received. */
  received: Headers[]
  /** Requests a path with this token. */
  get(path: string, token?: string, init?: RequestInit): Promise<Response>
}

export function authenticatedWorld(
  variables: Record<string, string> = BOTH,
  documents: Documents = DOCUMENTS,
  options: Pick<WorldOptions, 'now' | 'components' | 'app'> = {},
): AuthenticatedWorld {
  const asked: string[] = []
  const received: Headers[] = []
  const one = several([tool('a')])
  const world = createWorld({
    components: {
      one: (request) => {
        received.push(request.headers)
        return one(request)
      },
      ...options.components,
    },
    variables,
    outside: issuerFetch(documents, asked),
    ...(options.now && { now: options.now }),
    ...(options.app && { app: options.app }),
  })
  return {
    ...world,
    asked,
    received,
    get: (path, token, init = {}) => {
      const headers = new Headers(init.headers)
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
      return world.send(new Request(`http://localhost:3000${path}`, { ...init, headers }))
    },
  }
}
