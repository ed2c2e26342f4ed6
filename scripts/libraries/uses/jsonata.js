import jsonata from 'jsonata'

export default () =>
  jsonata('$sum(items[price > 1].price)').evaluate({
    items: [{ price: 1 }, { price: 2 }, { price: 3 }],
  })
