/** The beginning of a long result, and on request all of it. */
import { useEffect, useState } from 'preact/hooks'
import { wordsOf } from '../../net/tools.ts'
import { restOfResult } from '../run/rest-of-result.ts'
import type { Cut } from '../run/report.ts'
import { JsonTree } from '../../workbench/result/json-tree.tsx'

/** Characters of a text that are in the document at once. */
const SHOWN = 20_000

const LABEL = 'Value of the result'

interface CutResultProps {
  text: string
  cut: Cut
}

export function CutResult({ text, cut }: CutResultProps) {
  const { shown, of, isJson, handle, next } = cut
  const [whole, setWhole] = useState<string>()
  const [problem, setProblem] = useState('')
  const [isLoading, setLoading] = useState(false)
  useEffect(() => setWhole(undefined), [text])
  const loadAll = async (key: string, from: number) => {
    setLoading(true)
    try {
      setWhole(text + (await restOfResult(key, from)))
      setProblem('')
    } catch (error) {
      setProblem(wordsOf(error))
    }
    setLoading(false)
  }
  const value = whole === undefined || !isJson ? undefined : parsed(whole)
  return (
    <>
      {value ? (
        <JsonTree value={value.json} label={LABEL} />
      ) : (
        <div class="panel" tabIndex={0} role="group" aria-label={LABEL}>
          <LongText key={whole} text={whole ?? text} />
        </div>
      )}
      {whole === undefined && (
        <div class="line">
          <span class="about grow">
            This is the beginning: {shown} of {of} characters.
            {handle === undefined && ' Nothing keeps the rest: return the rows that you need.'}
          </span>
          {handle !== undefined && next !== undefined && (
            <button
              type="button"
              class="small"
              disabled={isLoading}
              onClick={() => void loadAll(handle, next)}
            >
              {isLoading ? 'Loading…' : 'Load all of it'}
            </button>
          )}
        </div>
      )}
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}

function LongText({ text }: { text: string }) {
  const [most, setMost] = useState(SHOWN)
  return (
    <>
      <p class="said">{text.slice(0, most)}</p>
      {text.length > most && (
        <button type="button" class="linkish" onClick={() => setMost(most + SHOWN)}>
          Show more of {text.length} characters
        </button>
      )}
    </>
  )
}

function parsed(text: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}
