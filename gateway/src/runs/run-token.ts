/**
 * The token by which a client that cannot be asked approves the call of a paused run: it sends `run_code` again with the
 * token and the same program. It is sealed for the caller, the program, and the question.
 */
import { utf8 } from 'ftl-http'
import { isMacOf, macOf } from '../mac.ts'
import type { Scope } from '../scope.ts'
import { sealingKey } from '../sealing-key.ts'
import type { KeptRun } from './kept-run.ts'
import { loadRun } from './kept-run.ts'

/** As many as in approval/confirmation-token.ts. */
const MAX_TOKENS = 128

export async function createRunToken(
  scope: Scope,
  run: KeptRun,
): Promise<{ token: string; expiresAt: string }> {
  const payload = `${run.id}.${run.expiresAt.toString(36)}`
  const mac = await macOf(await sealingKey(scope), covered(scope, run, payload))
  const text = mac.replaceAll('+', '-').replaceAll('/', '_').replace('=', '')
  return { token: `${payload}.${text}`, expiresAt: new Date(run.expiresAt).toISOString() }
}

/** @returns the paused run that one of the tokens is for, if it is a run of this program and caller. */
export async function findRunByToken(
  scope: Scope,
  digest: string,
  tokens: string,
): Promise<KeptRun | undefined> {
  for (const token of tokens.split(',', MAX_TOKENS)) {
    const [, id = '', time = '', text = ''] = TOKEN.exec(token.trim()) ?? []
    if (id === '') continue
    const run = await loadRun(scope, id)
    if (run?.state !== 'paused' || run.digest !== digest) continue
    if (run.expiresAt <= scope.platform.now()) continue
    const mac = `${text.replaceAll('-', '+').replaceAll('_', '/')}=`
    const bytes = covered(scope, run, `${id}.${time}`)
    if (await isMacOf(mac, await sealingKey(scope), bytes)) return run
  }
  return undefined
}

const TOKEN = /^([0-9a-f-]{36})\.([0-9a-z]{1,12})\.([\w-]{43})$/

/** The prefix `run-approval` separates these seals from other data that is sealed with the same key. */
function covered(
  { principal = null }: { principal?: string | null },
  { digest, question }: KeptRun,
  payload: string,
): Uint8Array<ArrayBuffer> {
  const parts = [payload, principal, digest, question?.id, question?.seq]
  return utf8(`run-approval ${JSON.stringify(parts)}`)
}
