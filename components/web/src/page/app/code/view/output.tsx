/** What became of the run: its state, its error, its result, its console and its calls. */
import { useEffect, useState } from 'preact/hooks'
import { useStore } from '../../store.ts'
import { currentRun, isRunning, type Run } from '../run/current-run.ts'
import type { ProgramError, Report } from '../run/report.ts'
import { CutResult } from './cut-result.tsx'
import { duration } from './duration.ts'
import { countOf, JsonTree } from '../../workbench/result/json-tree.tsx'
import { Waterfall } from './waterfall.tsx'
import './output.css'

interface OutputProps {
  onPlace: (line: number, column: number) => void
}

export function Output({ onPlace }: OutputProps) {
  const run = useStore(currentRun)
  return (
    <section class="output" aria-label="Output">
      <State run={run} />
      {run?.problem !== undefined && <p class="problem notice">{run.problem}</p>}
      {run?.report && <Shown report={run.report} onPlace={onPlace} />}
    </section>
  )
}

const WORDS = {
  starting: 'Running',
  running: 'Running',
  asking: 'Waits for your approval',
  stopping: 'Stopping',
}

function State({ run }: { run: Run | undefined }) {
  const [now, setNow] = useState(Date.now())
  const isOn = isRunning(run)
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => setNow(Date.now()), 200)
    return () => clearInterval(timer)
  }, [isOn])
  if (!run) {
    return (
      <p class="state about" role="status">
        The result, the console and the calls of your program are shown here.
      </p>
    )
  }
  const { state, startedAt, endedAt, message, progress, total, report, problem } = run
  if (state !== 'ended') {
    const isCounted = progress !== undefined && total !== undefined
    return (
      <div class="state">
        <p role="status">
          <span class="badge" data-state="working">
            {WORDS[state]}
          </span>{' '}
          {state === 'running' && message}
        </p>
        <span class="faint">{duration(Math.max(0, now - startedAt))}</span>
        <progress
          aria-label="Progress of the program"
          value={isCounted ? progress : undefined}
          max={total ?? 1}
        />
      </div>
    )
  }
  const isFine = problem === undefined && !report?.error
  const ms = report?.trace?.ms ?? (endedAt ?? startedAt) - startedAt
  return (
    <div class="state">
      <p role="status">
        <span class="badge" data-state={isFine ? 'completed' : 'failed'}>
          {isFine ? 'Done' : 'Failed'}
        </span>
      </p>
      <span class="faint">
        {duration(ms)}
        {report && ` · ${countOf(report.calls, 'call')}`}
      </span>
    </div>
  )
}

function Shown({ report, onPlace }: { report: Report } & OutputProps) {
  const { hasResult, result, cut, error, console, trace } = report
  return (
    <>
      {error && <ErrorView error={error} onPlace={onPlace} />}
      {hasResult && (
        <section aria-labelledby="code-result">
          <h2 id="code-result">Result</h2>
          {cut ? (
            <CutResult text={String(result)} cut={cut} />
          ) : (
            <JsonTree value={result} label="Value of the result" />
          )}
        </section>
      )}
      {!hasResult && !error && <p class="about">The program returned nothing.</p>}
      {console.length > 0 && (
        <section aria-labelledby="code-console">
          <h2 id="code-console">Console</h2>
          <ol class="panel console" tabIndex={0} aria-label="Lines of the console">
            {console.map(({ level, text }, index) => (
              <li key={index} data-level={level}>
                {level !== 'info' && <span class="faint">{level} </span>}
                {text}
              </li>
            ))}
          </ol>
        </section>
      )}
      {trace && (
        <section aria-labelledby="code-calls">
          <h2 id="code-calls">Calls</h2>
          <Waterfall trace={trace} />
        </section>
      )}
    </>
  )
}

function ErrorView({ error, onPlace }: { error: ProgramError } & OutputProps) {
  const { name, message, line, column, tool } = error
  return (
    <div class="notice code-error">
      <p class="problem">
        <strong>{name}</strong>: {message}
      </p>
      {tool !== undefined && (
        <p class="about">
          The call of <code>{tool}</code> failed.
        </p>
      )}
      {line !== undefined && (
        <button type="button" class="linkish" onClick={() => onPlace(line, column ?? 1)}>
          Line {line}, column {column ?? 1}
        </button>
      )}
    </div>
  )
}
