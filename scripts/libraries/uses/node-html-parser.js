import { parse } from 'node-html-parser'

export default () => {
  const root = parse('<ul id="list"><li class="a">one</li><li>two &amp; three</li></ul>')
  return [root.querySelectorAll('li').map((item) => item.text), root.querySelector('.a').outerHTML]
}
