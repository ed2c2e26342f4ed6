/** Elements as the HTML of the CommonMark specification, to compare them with its examples. */
import { load } from 'cheerio'
import type { ComponentChildren, VNode } from 'preact'
import { CodeBlock } from '../code-block.tsx'

export function htmlOf(node: ComponentChildren): string {
  if (Array.isArray(node)) return node.map(htmlOf).join('')
  if (node === null || node === undefined || typeof node === 'boolean') return ''
  if (typeof node !== 'object') return escaped(String(node))
  const { type, props } = node as VNode<Record<string, unknown>>
  if (type === CodeBlock) {
    const { code, language } = props as unknown as { code: string; language: string }
    const name = language === '' ? '' : ` class="language-${escaped(language)}"`
    return `<pre><code${name}>${escaped(code)}${code === '' ? '' : '\n'}</code></pre>`
  }
  const children = props['children']
  if (typeof type === 'function') {
    return htmlOf((type as (given: object) => ComponentChildren)(props))
  }
  // The page shows headings as paragraphs.
  if (props['class'] === 'heading') {
    const { children: words } = (children as VNode<{ children: ComponentChildren }>).props
    const name = `h${String(props['data-depth'])}`
    return `<${name}>${htmlOf(words)}</${name}>`
  }
  const attributes = ['href', 'title', 'start']
    .filter((name) => props[name] !== undefined)
    .map((name) => ` ${name}="${escaped(String(props[name]))}"`)
  const start = `<${type}${attributes.join('')}>`
  return type === 'br' || type === 'hr' ? start : `${start}${htmlOf(children)}</${type}>`
}

/** Names, attributes and text; spaces count in code only. A picture is compared as the link to it that the page shows. */
export function outline(html: string): string {
  const $ = load(html, null, false)
  $('img').each((_, image) => {
    const { src = '', alt = '', title = '' } = $(image).attr() ?? {}
    const link = $('<a>')
      .attr('href', src)
      .text(alt || src)
    $(image).replaceWith(title === '' ? link : link.attr('title', title))
  })
  $('a').removeAttr('target').removeAttr('rel')
  $('*:not(pre, pre *)')
    .contents()
    .filter((_, { nodeType }) => nodeType === TEXT)
    .each((_, text) => {
      $(text).replaceWith($.parseHTML(escaped($(text).text().replace(/\s+/g, ' '))) ?? '')
    })
  return $.html()
    .replace(/ *(<\/?(p|ul|ol|li|blockquote|hr|h\d|pre|br)\b[^>]*>)\s*/g, '$1')
    .trim()
}

const TEXT = 3

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
