/** The answer of a gateway to a request of a command, or what went wrong in words for its user. */
import { isString, jsonOf, memberOf } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'
import { visible } from '../terminal/visible-text.ts'

/** Characters. */
const LONGEST = 1_000_000

interface AnswerOptions {
  request?: typeof fetch
  /** What a status means here, where the gateway cannot know it. @returns `undefined` for what the gateway says */
  meaning?: (status: number) => string | undefined
}

/** @throws {CommandFailure} for no answer, a redirect, and an error that the gateway describes. */
export async function gatewayAnswer(
  address: URL,
  init: RequestInit,
  { request = fetch, meaning = () => undefined }: AnswerOptions = {},
): Promise<{ status: number; answer: unknown }> {
  const { status, location, text } = await sent(address, init, request)
  const answer = jsonOf(text)
  const message = meaning(status) ?? memberOf(memberOf(answer, 'error'), 'message')
  if (isString(message)) throw new CommandFailure(visible(message))
  if (location !== null) {
    throw new CommandFailure(
      `${address.href} leads to ${visible(location)}: use the address of the gateway there`,
    )
  }
  return { status, answer }
}

async function sent(address: URL, init: RequestInit, request: typeof fetch) {
  try {
    const response = await request(address, { ...init, redirect: 'manual' })
    const text = (await response.text()).slice(0, LONGEST)
    const { status, headers } = response
    return { status, location: status < 400 ? headers.get('location') : null, text }
  } catch (error) {
    if (error instanceof TypeError) throw new CommandFailure(`${address.host} cannot be reached`)
    if (!(error instanceof DOMException)) throw error
    throw new CommandFailure(`${address.host} did not answer: run this command again`)
  }
}
