/** All rows, in the order in which they run. */
import type { Row } from './row.ts'
import { challenges } from './rows/challenges.ts'
import { claims, foreignKeys } from './rows/claims.ts'
import { dpop } from './rows/dpop.ts'
import { exposure } from './rows/exposure.ts'
import { keys } from './rows/keys.ts'
import { metadata } from './rows/metadata.ts'
import { opaque } from './rows/opaque.ts'
import { requests } from './rows/requests.ts'
import { scopes } from './rows/scopes.ts'
import { serverMetadata } from './rows/server-metadata.ts'
import { serverRequests } from './rows/server-requests.ts'
import { serverCodes } from './rows/server-codes.ts'
import { serverTokens } from './rows/server-tokens.ts'
import { signatures } from './rows/signatures.ts'
import type { ServerLab } from './server/lab.ts'

export const ROWS: readonly Row[] = [
  ...challenges,
  ...metadata,
  ...requests,
  ...claims,
  // Before the forged signatures: each unknown key may use up a server's requests for keys.
  ...keys,
  ...foreignKeys,
  ...signatures,
  ...scopes,
  ...opaque,
  ...dpop,
  ...exposure,
]

/** Of an authorization server. */
export const SERVER_ROWS: readonly Row<ServerLab>[] = [
  ...serverMetadata,
  ...serverRequests,
  ...serverCodes,
  ...serverTokens,
]
