import TurndownService from 'turndown'

export default () =>
  new TurndownService().turndown('<h1>Title</h1><p>A <b>bold</b> <a href="/x">link</a></p>')
