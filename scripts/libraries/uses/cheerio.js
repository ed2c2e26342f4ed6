import * as cheerio from 'cheerio'

export default () => {
  const page = cheerio.load('<ul><li class="a">one</li><li>two</li></ul>')
  page('li.a').attr('id', 'first').text('ONE')
  return [page('li').length, page('ul').html(), page.extract({ items: ['li'] })]
}
