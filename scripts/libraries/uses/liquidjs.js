import { Liquid } from 'liquidjs'

export default () =>
  new Liquid().parseAndRender('{% for name in names %}{{ name | upcase }};{% endfor %}', {
    names: ['Ann', 'Bob'],
  })
