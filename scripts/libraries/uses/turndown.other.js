import { parseHTML } from 'linkedom'
import TurndownService from 'turndown'

export default () => {
  const html = '<h1>Title</h1><p>A <b>bold</b> <a href="/x">link</a></p>'
  const { document } = parseHTML(`<html><body>${html}</body></html>`)
  return new TurndownService().turndown(document.body)
}
