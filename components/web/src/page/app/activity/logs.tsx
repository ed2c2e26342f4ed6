/** What was printed for a request. Under `ftl dev` a place in a stack opens in the editor. */
import { useState } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import { duration, type RequestActivity } from './request-activity.ts'
import './activity.css'

interface LogsProps {
  request: RequestActivity
  /** The folder of the application; known under `ftl dev` only. */
  folder?: string | undefined
}

export function Logs({ request, folder }: LogsProps) {
  const { lines, isWatched } = request
  const [isCopied, setCopied] = useState(false)
  if (lines.length === 0) {
    const words = isWatched
      ? 'Nothing was printed for this request. What a component writes with console.log or console.error appears here.'
      : 'This request began before anyone watched, so its lines were not kept. Send it again while this page is open.'
    return <p class="notice">{words}</p>
  }
  const all = lines.map(({ component, stream, line }) => `[${component} ${stream}] ${line}`)
  const copy = () =>
    void navigator.clipboard.writeText(all.join('\n')).then(
      () => setCopied(true),
      () => undefined,
    )
  return (
    <div class="logs">
      <ol aria-label="Log">
        {lines.map(({ at, component, stream, line }, index) => (
          <li key={index} data-stream={stream}>
            <span class="log-at">{duration(at)}</span>
            <span class="log-from">
              {component}
              {stream !== 'stdout' && ` ${stream}`}
            </span>
            <span class="log-line">
              <Linked line={line} folder={folder} />
            </span>
          </li>
        ))}
      </ol>
      <button type="button" class="small" onClick={copy}>
        <Icon name="copy" /> {isCopied ? 'Copied' : 'Copy lines'}
      </button>
    </div>
  )
}

/** `src/echo.ts:12:3`, also after `(` or a scheme. */
const PLACE =
  /(?<![\w/.-])((?:\.{0,2}\/)?(?:[\w@.-]+\/)*[\w@.-]+\.(?:tsx?|mts|jsx?|mjs|rs|py|go)):(\d+)(?::(\d+))?/g

function Linked({ line, folder }: { line: string; folder: string | undefined }) {
  if (folder === undefined) return <>{line}</>
  const parts: preact.ComponentChild[] = []
  let from = 0
  for (const match of line.matchAll(PLACE)) {
    const [whole, path = '', row = '1', column = '1'] = match
    parts.push(line.slice(from, match.index))
    parts.push(<a href={editorLink(folder, path, `${row}:${column}`)}>{whole}</a>)
    from = match.index + whole.length
  }
  return (
    <>
      {parts}
      {line.slice(from)}
    </>
  )
}

/** Opens Visual Studio Code and the editors made from it, if one is installed. */
function editorLink(folder: string, path: string, place: string): string {
  const file = path.startsWith('/') ? path : `${folder}/${path.replace(/^\.\//, '')}`
  const escaped = file.split('/').map(encodeURIComponent).join('/')
  return `vscode://file${escaped.startsWith('/') ? '' : '/'}${escaped}:${place}`
}
