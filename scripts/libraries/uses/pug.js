import pug from 'pug'

export default () =>
  pug.render('ul\n  each name in names\n    li= name', { names: ['Ann <a>', 'Bob'] })
