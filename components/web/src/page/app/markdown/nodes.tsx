/**
 * Tokens as elements. Nothing is ever markup: HTML in an answer is shown as it was written, a picture is a link to it, and
 * an address is used only if it cannot run anything.
 */
import type { ComponentChildren, VNode } from 'preact'
import type { MarkedToken, Token, Tokens } from 'marked'
import { CodeBlock } from './code-block.tsx'
import { decoded } from './entities.ts'

/** @returns the address as a browser may open it; `undefined` to show only the words. */
export type LinkOf = (href: string) => string | undefined

/** Only other sites: an address of this one could be that of a view that does something. */
export function safeLink(href: string): string | undefined {
  return /^(https?:\/\/|mailto:)[^\s]+$/i.test(href) ? href : undefined
}

export function blockNode(given: Token, linkOf: LinkOf = safeLink): ComponentChildren {
  const token = given as MarkedToken
  const inside = (tokens: readonly Token[] = []) => tokens.map((each) => blockNode(each, linkOf))
  const inline = (tokens: readonly Token[] = []) => inlineNodes(tokens, linkOf)
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'code':
      return (
        <CodeBlock
          code={token.codeBlockStyle ? token.text.replace(/\n$/, '') : token.text}
          language={decoded(token.lang ?? '').split(/\s/)[0] ?? ''}
        />
      )
    case 'heading':
      // The page's own headings are its outline; those of an answer only look like some.
      return (
        <p class="heading" data-depth={token.depth}>
          <strong>{inline(token.tokens)}</strong>
        </p>
      )
    case 'hr':
      return <hr />
    case 'blockquote':
      return <blockquote>{inside(token.tokens)}</blockquote>
    case 'list':
      return listNode(token, linkOf)
    case 'html':
      return <p>{token.text.replace(/\n$/, '')}</p>
    case 'table':
      return tableNode(token, linkOf)
    case 'paragraph':
      return <p>{inline(token.tokens)}</p>
    case 'text':
      return token.tokens ? inline(token.tokens) : decoded(token.text)
    case 'checkbox':
      return <Box isChecked={token.checked} />
    default:
      return inlineNode(token, linkOf)
  }
}

function listNode({ ordered, start, items, loose }: Tokens.List, linkOf: LinkOf): VNode {
  const List = ordered ? 'ol' : 'ul'
  return (
    <List start={ordered && start !== '' && start !== 1 ? start : undefined}>
      {items.map(({ tokens, task }) => (
        <li class={task ? 'task' : undefined}>
          {tokens.map((token) =>
            loose && token.type === 'text' ? (
              <p>{blockNode(token, linkOf)}</p>
            ) : (
              blockNode(token, linkOf)
            ),
          )}
        </li>
      ))}
    </List>
  )
}

function Box({ isChecked }: { isChecked: boolean }) {
  return (
    <input type="checkbox" checked={isChecked} disabled aria-label={isChecked ? 'done' : 'to do'} />
  )
}

function tableNode({ header, rows }: Tokens.Table, linkOf: LinkOf): VNode {
  return (
    <div class="table" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {header.map(({ align, tokens }) => (
              <th data-align={align ?? undefined}>{inlineNodes(tokens, linkOf)}</th>
            ))}
          </tr>
        </thead>
        {rows.length > 0 && (
          <tbody>
            {rows.map((cells) => (
              <tr>
                {cells.map(({ align, tokens }) => (
                  <td data-align={align ?? undefined}>{inlineNodes(tokens, linkOf)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        )}
      </table>
    </div>
  )
}

function inlineNodes(tokens: readonly Token[], linkOf: LinkOf): ComponentChildren[] {
  return tokens.map((token) => inlineNode(token as MarkedToken, linkOf))
}

function inlineNode(token: MarkedToken, linkOf: LinkOf): ComponentChildren {
  switch (token.type) {
    case 'strong':
      return <strong>{inlineNodes(token.tokens, linkOf)}</strong>
    case 'em':
      return <em>{inlineNodes(token.tokens, linkOf)}</em>
    case 'del':
      return <del>{inlineNodes(token.tokens, linkOf)}</del>
    case 'codespan':
      return <code>{token.text}</code>
    case 'br':
      return <br />
    case 'escape':
      return token.text
    case 'link':
      // A link cannot contain another, so a picture in it is only its words.
      return linkNode(
        token,
        inlineNodes(token.tokens, () => undefined),
        linkOf,
      )
    case 'image':
      return linkNode(token, wordsOf(token.tokens) || token.href, linkOf)
    case 'text':
      return token.tokens ? inlineNodes(token.tokens, linkOf) : decoded(token.text)
    case 'html':
      return token.text
    default:
      return token.raw
  }
}

/** The text of a picture, without its formatting. */
function wordsOf(tokens: readonly Token[]): string {
  return (tokens as readonly MarkedToken[])
    .map((token) =>
      'tokens' in token && token.tokens
        ? wordsOf(token.tokens)
        : decoded('text' in token ? token.text : ''),
    )
    .join('')
}

function linkNode(
  { href, title, ...more }: Tokens.Link | Tokens.Image,
  words: ComponentChildren,
  linkOf: LinkOf,
): ComponentChildren {
  const isLiteral = 'autolink' in more && more.autolink === true
  const address = linkOf(isLiteral ? href : decoded(href))
  if (address === undefined) return words
  return (
    <a
      href={address}
      title={title ? decoded(title) : undefined}
      target="_blank"
      rel="noopener noreferrer"
    >
      {words}
    </a>
  )
}
