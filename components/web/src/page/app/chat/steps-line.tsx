/** One line under an answer, "2 tools · 1.4 s", that opens to what the tools were given and what they returned. */
import type { Work } from './steps.ts'

export function StepsLine({ work: { steps, ms } }: { work: Work }) {
  if (steps.length === 0) return null
  const tools = `${steps.length} ${steps.length === 1 ? 'tool' : 'tools'}`
  return (
    <details class="steps">
      <summary>
        {tools} · {seconds(ms)}
      </summary>
      <ol>
        {steps.map(({ tool, arguments: args, result, isError, ms: spent }, index) => (
          <li key={index}>
            <p>
              <b>{tool}</b>
              {spent !== undefined && <span class="faint"> · {seconds(spent)}</span>}
              {isError && <span class="problem"> · failed</span>}
            </p>
            <pre tabIndex={0} aria-label={`Arguments of ${tool}`}>
              {shortened(args)}
            </pre>
            {result !== undefined && (
              <pre tabIndex={0} aria-label={`Result of ${tool}`}>
                {result}
              </pre>
            )}
          </li>
        ))}
      </ol>
    </details>
  )
}

function seconds(ms: number): string {
  return ms < 100 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** Characters of one argument: a picture has millions. */
const LONGEST = 2_000

function shortened(args: Record<string, unknown>): string {
  const shorten = (_: string, value: unknown) =>
    typeof value === 'string' && value.length > LONGEST
      ? `${value.slice(0, 60)}… (${value.length} characters)`
      : value
  return JSON.stringify(args, shorten, 2)
}
