import ejs from 'ejs'

export default () =>
  ejs.render('<% for (const name of names) { %><%= name %>;<% } %>', { names: ['Ann <a>', 'Bob'] })
