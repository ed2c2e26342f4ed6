import type { Finding, Verdict } from './judge.ts'

/** A verdict as lines for people: one for the count, one for each thing that is not as it should be. */
export function report(revision: string, verdict: Verdict): string {
  const { passed, scored, problems, known, unscored } = verdict
  const lines = [`${revision}  ${passed}/${scored} scored`]
  const list = (mark: string, findings: readonly Finding[]) => {
    for (const { where, message } of findings) lines.push(`  ${mark} ${where}`, indent(message))
  }
  list('✗', problems)
  list('~ known:', known)
  for (const outcome of ['passed', 'failed', 'skipped']) {
    const names = unscored.filter((each) => each.outcome === outcome).map(({ name }) => name)
    if (names.length > 0) lines.push(`  not scored, ${outcome}: ${names.join(', ')}`)
  }
  return lines.join('\n')
}

function indent(message: string): string {
  return message
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n')
}
