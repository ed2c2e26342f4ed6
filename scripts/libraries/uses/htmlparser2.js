import { parseDocument, DomUtils } from 'htmlparser2'

export default () =>
  DomUtils.getElementsByTagName('li', parseDocument('<ul><li>one<li>two</ul>')).map((item) =>
    DomUtils.textContent(item),
  )
