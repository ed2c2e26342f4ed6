const fromHelper = 'helper'
const parse = (text) => new URL(text, location.href).pathname
