import Handlebars from 'handlebars'

export default () =>
  Handlebars.compile('{{#each people}}{{name}} ({{age}}){{#unless @last}}, {{/unless}}{{/each}}')({
    people: [
      { name: 'Ann <a>', age: 41 },
      { name: 'Bob', age: 7 },
    ],
  })
