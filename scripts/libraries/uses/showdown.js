import showdown from 'showdown'

export default () =>
  new showdown.Converter({ tables: true }).makeHtml('# Title\n\n- *one*\n- [two](x)\n')
