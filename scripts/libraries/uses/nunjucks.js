import nunjucks from 'nunjucks'

export default () =>
  new nunjucks.Environment(null, { autoescape: true }).renderString(
    '{% for name in names %}{{ name | upper }};{% endfor %}',
    { names: ['Ann <a>', 'Bob'] },
  )
