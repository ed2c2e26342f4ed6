/** The token that a command sends to a gateway. */
import { readFileSync } from 'node:fs'
import { Option } from 'commander'
import { CommandFailure } from '../terminal/failure.ts'

export const TOKEN_VARIABLE = 'FTL_TOKEN'

export const tokenOption = () =>
  new Option(
    '--token <token>',
    'access token or API key of the server; `@file` reads it from a file',
  ).env(TOKEN_VARIABLE)

/**
 * The header of a token.
 *
 * @throws {CommandFailure} that does not contain the token.
 */
export function tokenHeader(token: string | undefined): Record<string, string> {
  if (token === undefined || token === '') return {}
  const text = token.startsWith('@') ? readToken(token.slice(1)) : token
  if (!/^[A-Za-z0-9._~+/-]+=*$/.test(text)) {
    throw new CommandFailure(
      '--token must be one access token or API key: letters, digits and - . _ ~ + / =',
    )
  }
  return { authorization: `Bearer ${text}` }
}

function readToken(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CommandFailure(`the file of --token cannot be read (${code}): ${path}`)
  }
}
