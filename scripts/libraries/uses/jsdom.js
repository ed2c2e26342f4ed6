import { JSDOM } from 'jsdom'

export default () =>
  new JSDOM('<p>Hello <b>Ann</b></p>').window.document.querySelector('b').textContent
