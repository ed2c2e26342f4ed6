import Mustache from 'mustache'

export default () =>
  Mustache.render('{{#people}}{{name}};{{/people}}', {
    people: [{ name: 'Ann <a>' }, { name: 'Bob' }],
  })
