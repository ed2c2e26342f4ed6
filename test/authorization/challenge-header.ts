/**
 * Reads `WWW-Authenticate`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1
 */

export interface Challenge {
  scheme: string
  /** In order, with repetitions. Names are in lower case. */
  parameters: readonly (readonly [string, string])[]
}

const TOKEN = "[\\w!#$%&'*+.^`|~-]+"
const SCHEME = new RegExp(`^(${TOKEN})(?: +|$)`)
const PARAMETER = new RegExp(`^(${TOKEN})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|(${TOKEN}))\\s*`)

/** @returns `undefined` if the value does not follow the grammar. */
export function parseChallenges(value: string): Challenge[] | undefined {
  const challenges: { scheme: string; parameters: [string, string][] }[] = []
  let rest = value.trim()
  while (rest !== '') {
    const parameter = PARAMETER.exec(rest)
    const current = challenges.at(-1)
    if (parameter && current) {
      const [whole, name = '', quoted, token = ''] = parameter
      current.parameters.push([
        name.toLowerCase(),
        quoted === undefined ? token : quoted.replace(/\\(.)/g, '$1'),
      ])
      rest = rest.slice(whole.length)
    } else {
      const scheme = SCHEME.exec(rest)
      if (!scheme) return undefined
      challenges.push({ scheme: scheme[1] ?? '', parameters: [] })
      rest = rest.slice(scheme[0].length)
      if (rest === '' || !rest.startsWith(',')) continue
    }
    if (rest === '') break
    if (!rest.startsWith(',')) return undefined
    rest = rest.replace(/^[,\s]+/, '')
  }
  return challenges
}

/** The first challenge for bearer tokens. */
export function bearerChallenge(headers: Headers): Challenge | undefined {
  const challenges = parseChallenges(headers.get('www-authenticate') ?? '')
  return challenges?.find(({ scheme }) => scheme.toLowerCase() === 'bearer')
}

export function parameterOf(challenge: Challenge | undefined, name: string): string | undefined {
  return challenge?.parameters.find(([other]) => other === name)?.[1]
}
