/** The calls of a run: when each began, how long it took, and, opened, what it was given and returned. */
import { useState } from 'preact/hooks'
import type { Trace, TracedCall } from '../run/report.ts'
import { countOf, JsonTree } from '../../workbench/result/json-tree.tsx'
import { duration } from './duration.ts'
import './waterfall.css'

/** Calls that are shown at first. */
const FIRST = 60

export function Waterfall({ trace }: { trace: Trace }) {
  const { calls, ms, isReplayed, omitted } = trace
  const [isAll, setAll] = useState(false)
  const whole = Math.max(1, ms, ...calls.map(({ start, ms = 0 }) => start + ms))
  const shown = isAll ? calls : calls.slice(0, FIRST)
  if (calls.length === 0) return <p class="about">The program made no calls.</p>
  return (
    <>
      {isReplayed && (
        <p class="about">
          The run was started again, as after an approval. Calls that it had made before were
          answered from its journal, so they took no time here.
        </p>
      )}
      <div class="scale" aria-hidden="true">
        <span>0</span>
        <span>{duration(whole / 2)}</span>
        <span>{duration(whole)}</span>
      </div>
      <ol class="waterfall">
        {shown.map((call, index) => (
          <li key={index}>
            <Call call={call} whole={whole} />
          </li>
        ))}
      </ol>
      {shown.length < calls.length && (
        <button type="button" class="linkish" onClick={() => setAll(true)}>
          Show all {countOf(calls.length, 'call')}
        </button>
      )}
      {omitted > 0 && <p class="about">{countOf(omitted, 'more call')} are not in the trace.</p>}
    </>
  )
}

function Call({ call, whole }: { call: TracedCall; whole: number }) {
  const { tool, start, ms, outcome, args, result, isCut } = call
  const [isOpen, setOpen] = useState(false)
  const isFine = outcome === 'ok'
  const left = (100 * start) / whole
  const width = Math.max(0.6, (100 * (ms ?? whole - start)) / whole)
  const words = isFine ? '' : outcome === 'unfinished' ? 'not finished' : outcome
  return (
    <details
      class="call"
      data-fine={isFine}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <code class="call-name">{tool}</code>
        <span class="call-words">{words}</span>
        <span class="call-time">{ms === undefined ? '–' : duration(ms)}</span>
        <span class="track" aria-hidden="true">
          <span style={{ marginInlineStart: `min(${left}%, 99%)`, width: `${width}%` }} />
        </span>
        <span class="unseen">, began after {duration(start)}</span>
      </summary>
      {isOpen && (
        <div class="call-inside">
          <h3>Arguments</h3>
          <Json text={args} label={`Arguments of ${tool}`} />
          <h3>{isFine ? 'Result' : 'Error'}</h3>
          {isFine ? (
            <Json text={result} label={`Result of ${tool}`} />
          ) : (
            <p class="problem">{result || outcome}</p>
          )}
          {isCut && <p class="about">A long value is cut here. The program got all of it.</p>}
        </div>
      )}
    </details>
  )
}

/** A tree, if the text was not cut. */
function Json({ text, label }: { text: string; label: string }) {
  try {
    return <JsonTree value={JSON.parse(text) as unknown} open={1} label={label} />
  } catch {
    return <p class="said">{text === '' ? 'nothing' : text}</p>
  }
}
