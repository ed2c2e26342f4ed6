import domino from '@mixmark-io/domino'
import TurndownService from 'turndown'

export default () => {
  const html = '<h1>Title</h1><p>A <b>bold</b> <a href="/x">link</a></p>'
  return new TurndownService().turndown(domino.createDocument(html).body)
}
